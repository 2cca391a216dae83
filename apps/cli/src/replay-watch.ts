import { setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '#client/api-call.js';
import { SingleBar } from 'cli-progress';
import { EXIT_CODES, type ExitCode } from './exit-code.js';
import { replayLines } from './replay-lines.js';
import type { Session } from './session.js';
import { shownText } from './shown-text.js';

type Replay = Schemas['Replay'];

const POLL_MS = 500;
/** How often a log, where nothing moves on the spot, gets a line. */
const LINE_EVERY_MS = 10_000;

/**
 * Shows a replay until it has ended. Leaving it does not end it.
 *
 * @returns `refused` where it was canceled or failed
 */
export async function watchReplay(session: Session, started: Replay): Promise<ExitCode> {
  const { client, output, interrupted } = session;
  const progress = session.terminal.err.isTTY ? new ProgressBar(session) : new ProgressLines(session);
  let replay = started;
  try {
    progress.show(replay);
    while (replay.state === 'running') {
      await sleep(POLL_MS, undefined, { signal: interrupted });
      replay = await client.get('/v1/replays/{id}', { path: { id: replay.id }, signal: interrupted });
      progress.show(replay);
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
    progress.end();
    output.remark(
      `Left. The replay goes on: entrega replays show ${replay.id} shows it, entrega replays cancel ${replay.id} ends it.`,
    );
    return EXIT_CODES.interrupted;
  } finally {
    progress.end();
  }
  return reportEnd(session, replay);
}

function reportEnd({ output }: Session, replay: Replay): ExitCode {
  output.one(replay, replayLines(replay));
  if (replay.state === 'done') return EXIT_CODES.done;
  output.remark(
    replay.state === 'canceled'
      ? 'Somebody canceled it half-way: what was queued is sent, the rest is as it was.'
      : 'It failed half-way: what was queued is sent, the rest is as it was.',
  );
  return EXIT_CODES.refused;
}

class ProgressBar {
  private readonly bar: SingleBar;
  private started = false;

  constructor({ terminal }: Session) {
    this.bar = new SingleBar({
      stream: terminal.err,
      format: '{bar} {value} of {total} {state}',
      barsize: 30,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      hideCursor: true,
    });
  }

  show({ queued, skipped, matched, state }: Replay): void {
    const counts = { state: shownText(state) };
    if (this.started) this.bar.update(queued + skipped, counts);
    else this.bar.start(matched, queued + skipped, counts);
    this.started = true;
  }

  end(): void {
    if (this.started) this.bar.stop();
    this.started = false;
  }
}

class ProgressLines {
  private saidAtMs = -Infinity;

  constructor(private readonly session: Session) {}

  show({ id, queued, skipped, matched, state }: Replay): void {
    const nowMs = performance.now();
    if (nowMs - this.saidAtMs < LINE_EVERY_MS && state === 'running') return;
    this.saidAtMs = nowMs;
    this.session.output.remark(`Replay ${id}: ${queued + skipped} of ${matched}, ${state}`);
  }

  end(): void {}
}
