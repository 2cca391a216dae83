import { describe, expect, it } from '@jest/globals';
import { SEALED_COLUMNS } from '#storage/sealed-columns.js';
import { rotationReport } from './rotation-report.js';

const NEW = '11111111';
const OLD = '22222222';
const LOST = '33333333';
const unopened = (id: string) => ({
  column: SEALED_COLUMNS[0]!,
  id,
  reason: `A sealed application-secret was encrypted with key ${LOST}.`,
});

describe('rotationReport', () => {
  it('says which keys may go once nothing needs them', () => {
    const result = { resealed: 5, unopened: [], keyUse: new Map([[NEW, 7]]) };
    const { complete, lines } = rotationReport(result, [NEW, OLD]);
    expect(complete).toBe(true);
    expect(lines[0]).toBe(`Sealed anew with key ${NEW}: 5. Sealed with it now: 7 of 7.`);
    expect(lines[1]).toContain(`Remove ${OLD} from ENCRYPTION_KEY`);
    expect(rotationReport(result, [NEW]).lines[1]).toBe('No other key is listed.');
  });

  it('lets no key go while something was written with it meanwhile', () => {
    const keyUse = new Map([
      [NEW, 7],
      [OLD, 1],
    ]);
    const { complete, lines } = rotationReport({ resealed: 5, unopened: [], keyUse }, [NEW, OLD]);
    expect(complete).toBe(false);
    expect(lines.slice(1)).toEqual([
      `Still under key ${OLD}: 1.`,
      expect.stringMatching(/^Remove no key yet.*restart it, and run this again/),
    ]);
  });

  it('names what was not opened, up to a page of it, and what is missing', () => {
    const keyUse = new Map([[LOST, 30]]);
    const ids = Array.from({ length: 30 }, (_, index) => `app-${index}`);
    const { complete, lines } = rotationReport({ resealed: 0, unopened: ids.map(unopened), keyUse }, [NEW]);
    expect(complete).toBe(false);
    expect(lines[1]).toBe(
      `Not opened: applications.secret of app-0. A sealed application-secret was encrypted with key ${LOST}.`,
    );
    expect(lines.slice(21)).toEqual([
      'Not opened: 10 more.',
      `Still under key ${LOST}: 30.`,
      expect.stringMatching(/^Remove no key yet.*missing/),
    ]);
  });
});
