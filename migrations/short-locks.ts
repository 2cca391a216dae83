import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

const LOCK_TIMEOUT_MS = 1_000;
const LOCK_TRIES = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a statement that takes its locks for a moment only, outside a transaction. Behind a long reader (a backup) that
 * moment would be long, and every insert would wait behind it in turn: so it asks for a second, and again.
 *
 * @throws what the statement threw, a lock that was not to be had within a minute or two too
 */
export async function withShortLocks(queryRunner: QueryRunner, statement: string): Promise<void> {
  await queryRunner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await queryRunner.query(statement);
        return;
      } catch (error) {
        if (attempt >= LOCK_TRIES || (error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
        await sleep(LOCK_TIMEOUT_MS);
      }
    }
  } finally {
    await queryRunner.query('RESET lock_timeout');
  }
}
