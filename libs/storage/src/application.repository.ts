import type { AuditEntry } from '#domain/audit.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { type EntityManager, Not, type QueryDeepPartialEntity } from 'typeorm';
import { Database, statementsIn } from './database.js';
import { differing } from './differing.js';
import { ApplicationEntity } from './entities/application.entity.js';
import { EndpointEntity } from './entities/endpoint.entity.js';
import { type EntryOf, recordAudit } from './sql/audit-entries.js';
import { awaitAcceptances } from './sql/await-acceptances.js';
import { requestErasure } from './sql/erasures.js';

export type NewApplication = Pick<
  ApplicationEntity,
  'id' | 'name' | 'contract' | 'environment' | 'attributes' | 'settings' | 'secret'
>;

export type ApplicationChange = Partial<Omit<NewApplication, 'id' | 'contract'>> &
  Partial<Pick<ApplicationEntity, 'nextSecret' | 'nextSecretAt'>>;

export interface ApplicationFilter {
  /** The only ids that may be seen; null for all. */
  readonly ids: readonly string[] | null;
  readonly contracts: readonly string[] | null;
  readonly environments: readonly string[] | null;
}

export interface DeletedApplication {
  readonly contract: string;
  /** All its endpoints, for the caller to cancel what waits for them. */
  readonly endpointIds: readonly TimeOrderedId[];
  /** How many of them were not revoked before. */
  readonly revokedCount: number;
}

/** Applications. Deleted ones are in none of these, but where that is said. */
@Injectable()
export class ApplicationRepository {
  constructor(private readonly database: Database) {}

  /** Without its secrets. */
  async find(id: string): Promise<ApplicationEntity | null> {
    return this.manager.findOneBy(ApplicationEntity, { id });
  }

  /** The same, also when it is deleted: for what outlives it. */
  async findEvenDeleted(id: string): Promise<ApplicationEntity | null> {
    return this.manager.findOne(ApplicationEntity, { where: { id }, withDeleted: true });
  }

  /** With its sealed secrets, and the database's time, which decides between them. */
  async findWithSecrets(id: string): Promise<{ application: ApplicationEntity; now: Date } | null> {
    return readWithSecrets(this.manager, id, false);
  }

  /** Up to `limit`, by id ascending. Served by the primary key. */
  async list(filter: ApplicationFilter, after: string | null, limit: number): Promise<ApplicationEntity[]> {
    const query = this.manager.createQueryBuilder(ApplicationEntity, 'a').orderBy('a.id').limit(limit);
    if (after !== null) query.andWhere('a.id > :after', { after });
    if (filter.ids) query.andWhere('a.id = ANY (:ids)', { ids: filter.ids });
    if (filter.contracts) query.andWhere('a.contract = ANY (:contracts)', { contracts: filter.contracts });
    if (filter.environments) {
      query.andWhere('a.environment = ANY (:environments)', { environments: filter.environments });
    }
    return query.getMany();
  }

  /** Null where the id is taken, by a deleted one too: the insert decides, so two callers cannot both create it. */
  async insert(
    application: NewApplication,
    entryOf: EntryOf<ApplicationEntity>,
  ): Promise<ApplicationEntity | null> {
    return this.manager.transaction(async (manager) => {
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(ApplicationEntity)
        .values(application as QueryDeepPartialEntity<ApplicationEntity>)
        .orIgnore()
        .returning('id')
        .execute();
      if ((inserted.raw as unknown[]).length === 0) return null;
      const created = await manager.findOneByOrFail(ApplicationEntity, { id: application.id });
      await recordAudit(statementsIn(manager), entryOf(null, created));
      return created;
    });
  }

  /**
   * Changes an application under a lock on its row, so that what `decide` saw is what it changes.
   *
   * @param decide what to set; its error rolls back and is thrown on. `now` is the database's. Where all of it is
   *   so already, nothing is written.
   * @returns the application afterwards, or null where there is none
   */
  async change(
    id: string,
    decide: (application: ApplicationEntity, now: Date) => ApplicationChange,
    entryOf: EntryOf<ApplicationEntity>,
  ): Promise<ApplicationEntity | null> {
    return this.manager.transaction(async (manager) => {
      const found = await readWithSecrets(manager, id, true);
      if (!found) return null;
      const change = differing(found.application, decide(found.application, found.now));
      if (change) {
        await manager.update(ApplicationEntity, { id }, { ...change, updatedAt: () => 'now_ms()' } as object);
      }
      const after = await manager.findOneByOrFail(ApplicationEntity, { id });
      if (change) await recordAudit(statementsIn(manager), entryOf(found.application, after));
      return after;
    });
  }

  /**
   * Deletes an application and revokes its endpoints, in one transaction. Its row is taken first, as by whoever
   * registers an endpoint, so none is added afterwards; its endpoints follow in the order of their ids, as results
   * take them. Then acceptances that began before are waited for: see {@link EndpointRepository}.
   *
   * @param entry of the deletion; not written where it was deleted before
   * @param erasure where all its data is to be erased, the entry of that; not written where it was to be already
   * @returns null where there is no such application; of one that is deleted already too
   */
  async delete(
    id: string,
    entry: AuditEntry,
    erasure: AuditEntry | null,
  ): Promise<DeletedApplication | null> {
    const deleted = await this.manager.transaction(async (manager) => {
      const application = await manager.findOne(ApplicationEntity, {
        where: { id },
        withDeleted: true,
        lock: { mode: 'for_no_key_update' },
      });
      if (!application) return null;
      const endpoints = await manager.find(EndpointEntity, {
        select: { id: true },
        where: { applicationId: id },
        order: { id: 'ASC' },
        lock: { mode: 'for_no_key_update' },
      });
      const revoked = { state: 'revoked' as const, revokedAt: () => 'now_ms()', updatedAt: () => 'now_ms()' };
      const { affected } = await manager.update(
        EndpointEntity,
        { applicationId: id, state: Not('revoked') },
        revoked,
      );
      const statements = statementsIn(manager);
      if (application.deletedAt === null) {
        await manager.update(
          ApplicationEntity,
          { id },
          { deletedAt: () => 'now_ms()', updatedAt: () => 'now_ms()' },
        );
        await recordAudit(statements, entry);
      }
      if (erasure && (await requestErasure(statements, id))) await recordAudit(statements, erasure);
      return {
        contract: application.contract,
        endpointIds: endpoints.map((endpoint) => endpoint.id),
        revokedCount: affected!,
      };
    });
    if (deleted) await awaitAcceptances(this.database, deleted.endpointIds);
    return deleted;
  }

  private get manager(): EntityManager {
    return this.database.dataSource.manager;
  }
}

async function readWithSecrets(
  manager: EntityManager,
  id: string,
  locked: boolean,
): Promise<{ application: ApplicationEntity; now: Date } | null> {
  const query = manager
    .createQueryBuilder(ApplicationEntity, 'a')
    .addSelect(['a.secret', 'a.nextSecret'])
    .addSelect('now()', 'now')
    .where('a.id = :id', { id });
  // Not FOR UPDATE: an endpoint being inserted holds a key share on this row and need not wait.
  if (locked) query.setLock('for_no_key_update');
  const { entities, raw } = await query.getRawAndEntities<{ now: Date }>();
  const application = entities[0];
  return application ? { application, now: raw[0]!.now } : null;
}
