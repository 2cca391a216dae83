import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the ring of refused publishes. The previous version keeps working beside it: it neither reads nor writes
 * the table.
 */
export class Rejections1764633600000 implements MigrationInterface {
  readonly name = 'Rejections1764633600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}

const UP = `
-- As many rows as the ring can hold; beyond, the newest takes the slot of the oldest.
CREATE SEQUENCE rejection_slots AS integer MINVALUE 0 MAXVALUE 99999 CYCLE;

CREATE TABLE rejections (
  slot integer PRIMARY KEY DEFAULT nextval('rejection_slots'),
  id bigint NOT NULL DEFAULT next_id(),
  application_id text,
  type text,
  public_id text,
  via text NOT NULL CHECK (via IN ('http', 'kafka')),
  code text NOT NULL,
  detail text NOT NULL,
  origin text NOT NULL
);
CREATE INDEX rejections_id ON rejections (id);
CREATE INDEX rejections_application ON rejections (application_id, id);
`;

const DOWN = `
DROP TABLE rejections;
DROP SEQUENCE rejection_slots;
`;
