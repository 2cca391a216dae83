import type { Queryable, Statement } from '../database.js';

/** What acceptance needs to know of an application. */
export interface ApplicationFacts {
  readonly id: string;
  readonly contract: string;
  readonly environment: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The settings as JSON text. */
  readonly settings: string;
  /** Endpoints that an event may fan out to. */
  readonly endpointCount: number;
  /** Epoch milliseconds; rises with every change of the application. */
  readonly updatedAtMs: number;
}

const FIND_APPLICATION_FACTS: Statement = {
  name: 'find-application-facts',
  text: `
SELECT id, contract, environment, attributes, settings::text AS settings,
       (SELECT count(*) FROM endpoints e WHERE e.application_id = a.id AND e.state <> 'revoked') AS "endpointCount",
       extract(epoch FROM updated_at)::float8 * 1000 AS "updatedAtMs"
  FROM applications a WHERE id = ANY ($1) AND deleted_at IS NULL`,
};

export async function findApplicationFacts(
  database: Queryable,
  ids: readonly string[],
): Promise<ApplicationFacts[]> {
  return database.query<ApplicationFacts>(FIND_APPLICATION_FACTS, [ids]);
}
