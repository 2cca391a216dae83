import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what operator events need beside the outbox: those that wait for the operator's URL, whose turn it is among
 * processes that do a thing once for all of them, and which endpoints fall behind.
 *
 * The previous version keeps working beside it. What it puts into the outbox is announced as before, and does not go
 * to the operator's URL.
 */
export class OperatorEvents1765065600000 implements MigrationInterface {
  readonly name = 'OperatorEvents1765065600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}

const UP = `
-- Of each operator event a second copy, so that the topic and the URL never wait for each other.
CREATE TABLE operator_posts (
  -- Of its row in the outbox.
  id bigint PRIMARY KEY,
  application_id text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX operator_posts_application ON operator_posts (application_id);

CREATE TABLE fleet_turns (
  name text PRIMARY KEY,
  -- Nobody takes the turn before; so whoever has it sets this to when it ends.
  next_at timestamptz NOT NULL DEFAULT now_ms(),
  -- In a row, by whoever had the turn.
  failures integer NOT NULL DEFAULT 0
);
INSERT INTO fleet_turns (name) VALUES ('operator-url'), ('backlog');

-- Endpoints whose oldest due attempt waits for long.
CREATE TABLE backlog_watches (
  endpoint_id bigint PRIMARY KEY,
  oldest_due_at timestamptz NOT NULL,
  -- Since then each look found it waiting longer than the look before.
  growing_since timestamptz NOT NULL,
  -- Age at the last look.
  waited interval NOT NULL,
  announced_at timestamptz
);
`;

const DOWN = `
DROP TABLE backlog_watches, fleet_turns, operator_posts;
`;
