import { ERASURE_PHASES } from '#domain/erasure.js';
import type { Database, Queryable } from '#storage/database.js';
import {
  advanceErasure,
  eraseApplicationRow,
  eraseDeliveriesPage,
  type ErasedPage,
  eraseEventsPage,
  eraseSmallRowsPage,
  type HeldErasure,
  holdNextErasure,
  nextErasurePageInMs,
  postponeErasure,
} from '#storage/sql/erasures.js';
import { retryingDeadlocks } from '../bisect.js';

/** Until one asks again for pages that other processes hold. */
const HELD_MS = 250;

/**
 * Runs the next page of an erasure if one is owed; while nothing is to be done it costs one small statement.
 *
 * @returns in how many ms the next page is owed, Infinity while nothing is to be erased
 */
export async function runOwedErasurePage(database: Database): Promise<number> {
  const owedInMs = await nextErasurePageInMs(database);
  if (owedInMs === null) return Infinity;
  if (owedInMs > 0) return owedInMs;
  return (await runErasurePage(database)) ? 0 : HELD_MS;
}

/**
 * One page of the erasure of one application, in one transaction: what is erased and the place in it commit together,
 * so a process that is killed half-way leaves nothing out. Several processes may call it; each page belongs to one of
 * them. A page that fails is tried again later and does not hold up the erasure of others.
 *
 * @returns false when no erasure had a page owed
 */
export async function runErasurePage(database: Database): Promise<boolean> {
  let held: HeldErasure | undefined;
  try {
    return await retryingDeadlocks(() =>
      database.transaction(async (connection) => {
        held = await holdNextErasure(connection);
        if (!held) return false;
        await advance(connection, held);
        return true;
      }),
    );
  } catch (error) {
    if (held) {
      await postponeErasure(
        database,
        held.applicationId,
        error instanceof Error ? error.message : String(error),
      );
    }
    throw error;
  }
}

async function advance(connection: Queryable, held: HeldErasure): Promise<void> {
  const { applicationId, phase } = held;
  if (phase === 'application') {
    await eraseApplicationRow(connection, applicationId);
    return;
  }
  const page = await erasePage(connection, { ...held, phase });
  const next =
    page.cursorId === null
      ? { phase: ERASURE_PHASES[ERASURE_PHASES.indexOf(phase) + 1]!, cursorId: 0 }
      : { phase, cursorId: page.cursorId };
  await advanceErasure(connection, applicationId, next, page);
}

function erasePage(
  connection: Queryable,
  held: HeldErasure & { phase: Exclude<HeldErasure['phase'], 'application'> },
): Promise<ErasedPage> {
  switch (held.phase) {
    case 'deliveries':
      return eraseDeliveriesPage(connection, held);
    case 'events':
      return eraseEventsPage(connection, held);
    case 'rejections':
    case 'outbox':
    case 'audit':
      return eraseSmallRowsPage(connection, held.phase, held);
  }
}
