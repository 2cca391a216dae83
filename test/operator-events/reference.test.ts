import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { announcedOperatorEvent, operatorEventSchema } from '#delivery/operator-events/operator-event.js';
import { KEPT_MS, MAX_EVENTS } from '#delivery/operator-events/operator-url-relay.js';
import { HOUR_MS } from '#domain/durations.js';
import { OPERATOR_EVENT_TYPES } from '#domain/operator-event.js';
import { routesOf } from '#http/routes.js';
import { API_CONTROLLERS } from '../support/api-controllers.js';

const PAGE = readFileSync(new URL('../../docs/reference/operator-events.md', import.meta.url), 'utf8');

/** The example below each heading of a type. */
const EXAMPLES = new Map(
  [...PAGE.matchAll(/^### `([a-z.]+)`\n[^#]*?```json\n(.*?)```/gms)].map(([, type, json]) => [
    type!,
    JSON.parse(json!) as Record<string, unknown>,
  ]),
);

describe('docs/reference/operator-events.md', () => {
  it('has an example of each type, and of no other', () => {
    expect([...EXAMPLES.keys()]).toEqual([...OPERATOR_EVENT_TYPES]);
  });

  it.each(OPERATOR_EVENT_TYPES)('shows %s as it is announced, fields, order and calls', (type) => {
    const example = EXAMPLES.get(type)!;
    expect(example['type']).toBe(type);
    const event = operatorEventSchema.parse(example);
    const { id, at, api, ...payload } = event;
    const announced = announcedOperatorEvent({ id: Number(id), payload, createdAt: new Date(at) });
    expect(announced).toEqual(example);
    expect(Object.keys(example)).toEqual(Object.keys(event));
    expect(api).toEqual(example['api']);
  });

  it('names calls that the API has', () => {
    const routes = new Set(
      API_CONTROLLERS.standalone
        .flatMap(routesOf)
        .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+|\{\w+\}/g, '1')}`),
    );
    const calls = [...EXAMPLES.values()].flatMap(({ api }) => Object.values(api as Record<string, string>));
    const missing = calls.filter((call) => !routes.has(call.replace(/\?.*/, '').replaceAll(/\d{3,}/g, '1')));
    expect(missing).toEqual([]);
  });

  it('says how many events a POST has and how long they are kept', () => {
    expect(PAGE).toContain(`with 1 to ${MAX_EVENTS} events`);
    expect(KEPT_MS).toBe(24 * HOUR_MS);
    expect(PAGE).toContain('What has waited for a day is dropped');
  });
});
