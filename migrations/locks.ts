import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

const LOCK_TIMEOUT_MS = 1_000;
const LOCK_TRIES = 60;
/** No lock in time, and a deadlock, which PostgreSQL looks for after a second as well. */
const TO_TRY_AGAIN: readonly unknown[] = ['55P03', '40P01'];

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
        if (attempt >= LOCK_TRIES || !TO_TRY_AGAIN.includes((error as { code?: unknown }).code)) throw error;
        await sleep(LOCK_TIMEOUT_MS);
      }
    }
  } finally {
    await queryRunner.query('RESET lock_timeout');
  }
}

/**
 * Runs a concurrent build or drop of an index: it waits for every transaction that is older, whatever that reads, and
 * nobody waits for it. So it may take as long as a backup does.
 */
export async function withPatience(queryRunner: QueryRunner, statement: string): Promise<void> {
  await queryRunner.query('SET lock_timeout = 0');
  try {
    await queryRunner.query(statement);
  } finally {
    await queryRunner.query('RESET lock_timeout');
  }
}
