import { type JsonObject, JsonSourceError, parseJsonSource } from '#domain/json-source.js';
import type { Contract, EventType } from './contract.js';
import { type ProblemList, excerpt, shown } from './problem-list.js';

/** The entry of the catalogue, or null with the refusal among the problems. */
export function findEventType(
  contract: Pick<Contract, 'name' | 'eventTypes'>,
  type: string,
  problems: ProblemList,
): EventType | null {
  const found = contract.eventTypes.find(({ name }) => name === type);
  if (found) return found;
  const [only, ...others] = contract.eventTypes.map(({ name }) => name);
  const cure = others.length === 0 ? `Use ${only}.` : `Use one of ${[only, ...others].join(', ')}.`;
  const message = `${excerpt(JSON.stringify(type))} is no event type of ${contract.name}. ${cure}`;
  problems.add('/type', 'UNKNOWN_EVENT_TYPE', message);
  return null;
}

/** The `data` of a published event, or null with the refusal among the problems: it must be an object. */
export function readDataObject(dataJson: string, problems: ProblemList): JsonObject | null {
  try {
    const data = parseJsonSource(dataJson);
    if (data.kind === 'object') return data;
    problems.add('/data', 'INVALID_TYPE', `data is ${shown(data)}. Send an object.`);
  } catch (error) {
    if (!(error instanceof JsonSourceError)) throw error;
    problems.add(`/data${error.pointer}`, error.code, error.message);
  }
  return null;
}
