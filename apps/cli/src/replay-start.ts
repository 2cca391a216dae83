import type { Schemas } from '#client/api-call.js';
import { EXIT_CODES, type ExitCode } from './exit-code.js';
import { replayLines } from './replay-lines.js';
import { watchReplay } from './replay-watch.js';
import type { Session } from './session.js';
import { shownTime } from './shown-time.js';

type Preview = Schemas['ReplayPreview'];
type Replay = Schemas['Replay'];

/** How many endpoints of a preview are named. */
const NAMED_ENDPOINTS = 10;

export interface ReplayStart {
  /** What is asked: `Redeliver`, `Replay`. */
  readonly what: string;
  readonly rate: number | undefined;
  readonly detach: boolean | undefined;
}

/**
 * Shows what would be sent again, asks, starts it and watches it.
 *
 * @param call of the API, which counts where it is dry and starts otherwise
 */
export async function startReplay(
  session: Session,
  call: (body: { dryRun?: true; ratePerSecond?: number | undefined }) => Promise<Preview | Replay>,
  { what, rate, detach }: ReplayStart,
): Promise<ExitCode> {
  const { output } = session;
  const preview = (await call({ dryRun: true })) as Preview;
  showPreview(session, preview);
  if (preview.matched === 0) {
    if (output.json) output.one(preview, []);
    return EXIT_CODES.done;
  }
  if (!(await session.agreed(`${what} ${deliveries(preview.matched)}?`))) return EXIT_CODES.refused;
  const replay = (await call({ ratePerSecond: rate })) as Replay;
  if (detach !== true) return watchReplay(session, replay);
  output.one(replay, replayLines(replay));
  return EXIT_CODES.done;
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count} deliveries`;
}

/** A remark: the data of this command is the replay. */
function showPreview({ output }: Session, { matched, oldest, newest, byEndpoint }: Preview): void {
  if (matched === 0) {
    output.remark('Nothing matches: nothing is sent again.');
    return;
  }
  output.remark(
    `${deliveries(matched)} ${matched === 1 ? 'matches' : 'match'}, from ${shownTime(oldest)} to ${shownTime(newest)}:`,
  );
  for (const { endpoint, matched: count } of byEndpoint.slice(0, NAMED_ENDPOINTS)) {
    output.remark(`  endpoint ${endpoint}: ${count}`);
  }
  const others = byEndpoint.length - NAMED_ENDPOINTS;
  if (others > 0) output.remark(`  and ${others} more endpoints`);
}
