import type { Schemas } from '#client/api-call.js';
import type { Line } from './output.js';
import { shownTime, shownTimeFromNow } from './shown-time.js';

export function replayLines(replay: Schemas['Replay']): Line[] {
  const { skipped, finishedAt, ratePerSecond } = replay;
  return [
    ['replay', replay.id],
    ['of', replay.kind],
    ...Object.entries(replay.filter).map(([name, value]): Line => [`  ${name}`, String(value)]),
    ['state', replay.state],
    ['matched', replay.matched],
    ['queued', replay.queued],
    ['skipped', skipped === 0 ? null : `${skipped} (changed meanwhile, in flight, or of a revoked endpoint)`],
    ['rate', ratePerSecond === null ? null : `${ratePerSecond} per second at most`],
    ['failure', replay.failure],
    ['by', replay.createdBy],
    ['created', shownTimeFromNow(replay.createdAt)],
    ['finished', finishedAt === null ? null : shownTime(finishedAt)],
  ];
}
