import { describe, expect, it } from '@jest/globals';
import { namesIn, NO_NAMES } from './event-envelope.js';

describe('namesIn', () => {
  it('reads what a publish says of itself, however wrong the rest is', () => {
    const json = '{"data":7,"id":"e\\u002d1","type":"x.y","application":"acme","surplus":[]}';
    expect(namesIn(json)).toEqual({ application: 'acme', type: 'x.y', id: 'e-1' });
  });

  it('takes nothing for a name that cannot be one', () => {
    for (const bad of ['7', 'null', '["acme"]', '"../x"', '""', `"${'x'.repeat(65)}"`, '"a\\u0000"']) {
      expect(namesIn(`{"application":${bad},"id":${bad}}`)).toEqual(NO_NAMES);
    }
    expect(namesIn(`{"type":"${'x'.repeat(129)}"}`)).toEqual(NO_NAMES);
  });

  it('finds none in what is no JSON object, names one key twice or is nested without end', () => {
    const deep = `{"application":"acme","data":${'['.repeat(500)}`;
    for (const json of ['', '[]', '"acme"', '{"application":"acme"', '{"id":"a","id":"b"}', deep]) {
      expect(namesIn(json)).toEqual(NO_NAMES);
    }
  });
});
