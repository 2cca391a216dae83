import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets an API key have a rate limit of its own. The previous version keeps working beside it: it neither reads nor
 * writes the column, and so does not hold such a key to its limit.
 */
export class ApiKeyRateLimits1764892800000 implements MigrationInterface {
  readonly name = 'ApiKeyRateLimits1764892800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}

const UP = `
-- Requests; null where the key has the limit of the process it calls (RATE_LIMIT_PER_SECOND), or none.
ALTER TABLE api_keys ADD COLUMN rate_limit_per_second integer CHECK (rate_limit_per_second > 0);
`;

const DOWN = `
ALTER TABLE api_keys DROP COLUMN rate_limit_per_second;
`;
