import { firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { Parameters, whereAll } from './sql/parameters.js';
import type { RejectionToKeep, RejectionWay } from './sql/rejections.js';

export interface RejectionRow extends RejectionToKeep {
  readonly id: TimeOrderedId;
}

export interface RejectionFilter {
  /** The only applications looked at; null for all, and for what names none. */
  readonly applications: readonly string[] | null;
  readonly types?: readonly string[] | undefined;
  readonly publicIds?: readonly string[] | undefined;
  readonly codes?: readonly string[] | undefined;
  readonly ways?: readonly RejectionWay[] | undefined;
  /** `since ≤ t < until`, by when they were kept. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

@Injectable()
export class RejectionRepository {
  constructor(private readonly database: Database) {}

  /**
   * Up to `limit`, newest first, below the id `after`. By rejections_id backwards, or by rejections_application;
   * at worst all of the ring, which is small.
   */
  async list(filter: RejectionFilter, after: TimeOrderedId | null, limit: number): Promise<RejectionRow[]> {
    const parameters = new Parameters();
    const conditions: string[] = [];
    const among = (column: string, values: readonly string[] | null | undefined) => {
      if (values) conditions.push(`${column} = ANY (${parameters.add(values)})`);
    };
    among('application_id', filter.applications);
    among('type', filter.types);
    among('public_id', filter.publicIds);
    among('code', filter.codes);
    among('via', filter.ways);
    if (after !== null) conditions.push(`id < ${parameters.add(after)}`);
    if (filter.since) conditions.push(`id >= ${parameters.add(firstIdAt(filter.since))}`);
    if (filter.until) conditions.push(`id < ${parameters.add(firstIdAt(filter.until))}`);
    return this.database.query<RejectionRow>(
      {
        name: '',
        measuredAs: 'list-rejections',
        text: `
SELECT id, application_id AS "applicationId", type, public_id AS "publicId", via, code, detail, origin
  FROM rejections ${whereAll(conditions)} ORDER BY id DESC LIMIT ${parameters.add(limit)}`,
      },
      parameters.values,
    );
  }
}
