import { ERROR_CODES } from '#domain/errors.js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ADMIN_KEY } from '../support/admin-api.js';
import { DocumentedAnswers } from '../support/documented-answers.js';
import { schemaValidator } from '../support/schema-validator.js';
import { callsOf, drawRequest } from './fuzz-requests.js';
import { FuzzWorld } from './fuzz-world.js';
import { exchange, type RawAnswer, type RawRequest } from './raw-exchange.js';

/** `FUZZ_SECONDS=60 npm test -- openapi/fuzz` looks longer; `FUZZ_SEED=…` repeats a run. */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 15);
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
/** The slowest call is a test delivery, whose deadlines are short here. */
const ANSWER_WITHIN_MS = 5_000;

const { document } = new DocumentedAnswers();
const calls = callsOf(document);
const problems = schemaValidator(document);

let world: FuzzWorld;
const met = new Map<string, number>();

beforeAll(async () => {
  world = await FuzzWorld.start();
}, 60_000);
afterAll(async () => {
  await world?.stop();
});

/** What is wrong with an answer whatever was asked; the whole of it is held to the document where it is sent. */
function faultOf(request: RawRequest, { status, headers, body, elapsedMs }: RawAnswer): string | null {
  if (status >= 500) return `${status}: ${body.slice(0, 300)}`;
  if (elapsedMs > ANSWER_WITHIN_MS) return `It took ${elapsedMs} ms.`;
  if (status < 400 || request.method === 'HEAD') return null;
  if (headers.get('content-type') !== 'application/problem+json')
    return `A refusal as ${headers.get('content-type')}`;
  const problem = JSON.parse(body) as { code: string; status: number; instance: string };
  const faults = problems.faultsOf(document.components.schemas['Problem']!, problem);
  if (faults.length > 0) return faults.join();
  if (!ERROR_CODES.some((code) => code === problem.code))
    return `The code ${problem.code} is in no catalogue.`;
  if (problem.status !== status) return `The document says ${problem.status}, the answer ${status}.`;
  if (problem.instance !== headers.get('x-request-id')) return 'The document names another request.';
  return null;
}

it(
  `answers whatever is sent within bounds, never with a 5xx, and a refusal changes nothing (seed ${SEED})`,
  async () => {
    let digest = await world.digest();
    const oneRequest = fc.asyncProperty(fc.gen(), async (generator) => {
      const draw = <Value>(arbitrary: fc.Arbitrary<Value>) => generator(() => arbitrary);
      const call = calls[draw(fc.nat(calls.length - 1))]!;
      const request = drawRequest(draw, call, document, world.known, ADMIN_KEY);
      const answer = await exchange(world.port, request, 2 * ANSWER_WITHIN_MS);
      const about = `${call.operation.operationId}: ${JSON.stringify({ ...request, body: request.body?.toString() })}`;
      const fault = faultOf(request, answer) ?? world.api.undocumented()[0];
      if (fault !== undefined) throw new Error(`${fault} to ${about}`);
      const kind = `${call.operation.operationId} ${answer.status}`;
      met.set(kind, (met.get(kind) ?? 0) + 1);
      if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
      if (answer.status >= 400) {
        if ((await world.digest()) !== digest)
          throw new Error(`A ${answer.status} changed something: ${about}`);
        return;
      }
      await world.settle();
      digest = await world.digest();
    });
    await fc.assert(oneRequest, {
      seed: SEED,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: SECONDS * 1_000,
      markInterruptAsFailure: false,
    });
    const total = [...met.values()].reduce((sum, count) => sum + count, 0);
    console.log(`${total} requests, seed ${SEED}`);
    if (process.env['FUZZ_REPORT'] === '1')
      console.log(
        [...met]
          .sort()
          .map(([kind, count]) => `${kind} ${count}`)
          .join('\n'),
      );
    // That it met what it is there for: most calls were refused and carried out at least once.
    const succeeded = calls.filter(({ operation }) =>
      [...met.keys()].some((kind) => kind.startsWith(`${operation.operationId} 2`)),
    );
    expect(succeeded.length).toBeGreaterThan(calls.length / 2);
  },
  (SECONDS + 120) * 1_000,
);
