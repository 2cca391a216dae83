import type { EndpointState } from '#domain/endpoint-state.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Brackets, type EntityManager, In, Not } from 'typeorm';
import { Database, type Queryable, statementsIn } from './database.js';
import { differing } from './differing.js';
import { ApplicationEntity } from './entities/application.entity.js';
import { EndpointEntity } from './entities/endpoint.entity.js';
import { type EntryOf, recordAudit } from './sql/audit-entries.js';
import { awaitAcceptances } from './sql/await-acceptances.js';
import { countSuppressed } from './sql/endpoint-stats.js';
import { recordOperatorEvent } from './sql/operator-events.js';

export type EndpointValues = Pick<
  EndpointEntity,
  'url' | 'eventTypes' | 'description' | 'credentials' | 'credentialNames'
>;

export type EndpointChange = Partial<
  EndpointValues &
    Pick<
      EndpointEntity,
      | 'nextCredentials'
      | 'nextCredentialsAt'
      | 'state'
      | 'disabledReason'
      | 'disabledAt'
      | 'failures'
      | 'epoch'
      | 'revokedAt'
    >
>;

/** What must hold among the endpoints of one application. */
export interface EndpointRules {
  /** Not counting revoked ones. */
  readonly maxEndpoints: number;
  /** Whether an event type and a URL may be registered once only (CC-02). */
  readonly uniqueTypeAndUrl: boolean;
}

/** An endpoint that changed its state, by whom. */
export interface EndpointTransition {
  /** Of its application. */
  readonly contract: string;
  readonly to: EndpointState;
  readonly cause: 'registration' | 'operator';
}

export type StoredEndpoint =
  | { readonly kind: 'created' | 'changed'; readonly endpoint: EndpointEntity }
  | { readonly kind: 'too-many'; readonly count: number }
  | { readonly kind: 'exists'; readonly id: TimeOrderedId }
  | { readonly kind: 'unknown' };

/** The sort key of an application's endpoints: its webhook first, then the oldest first. */
export type EndpointPosition = readonly [isWebhook: 0 | 1, id: TimeOrderedId];

/**
 * Endpoints, under these locks:
 *
 * - What concerns the endpoints of an application together (how many, which is the webhook, what is unique)
 *   is decided under the application's row, taken before any of its endpoints.
 * - A change takes the endpoint `FOR NO KEY UPDATE`: acceptance, which holds a key share, does not wait for it.
 * - A revoke is such a change, committed: acceptances that begin afterwards do not see the endpoint. Then it takes
 *   the row `FOR UPDATE`, which waits for those that began before. So none adds a delivery after the revoke, and a
 *   stream of publishes does not keep it waiting, as it would keep a first `FOR UPDATE`.
 */
@Injectable()
export class EndpointRepository {
  /** @param onTransition told of each, once it is committed */
  constructor(
    private readonly database: Database,
    private readonly onTransition: (transition: EndpointTransition) => void,
  ) {}

  /** Without its credentials. Revoked ones are found too. */
  async find(id: TimeOrderedId): Promise<EndpointEntity | null> {
    return this.manager.findOneBy(EndpointEntity, { id });
  }

  /** With its sealed credentials, and the database's time, which decides between them. */
  async findWithCredentials(id: TimeOrderedId): Promise<{ endpoint: EndpointEntity; now: Date } | null> {
    return readWithCredentials(this.manager, id, null);
  }

  /** The application's webhook, unless it is revoked. Served by endpoints_webhook. */
  async findWebhook(applicationId: string): Promise<EndpointEntity | null> {
    return this.manager.findOneBy(EndpointEntity, { applicationId, isWebhook: true, state: Not('revoked') });
  }

  /** Up to `limit`, the webhook first, then the oldest first. Served by endpoints_application. */
  async list(
    applicationId: string,
    states: readonly EndpointState[],
    after: EndpointPosition | null,
    limit: number,
  ): Promise<EndpointEntity[]> {
    const query = this.manager
      .createQueryBuilder(EndpointEntity, 'e')
      .where({ applicationId, state: In(states) })
      .orderBy('e.isWebhook', 'DESC')
      .addOrderBy('e.id')
      .limit(limit);
    if (after) {
      const [isWebhook, id] = after;
      query.andWhere(
        new Brackets((later) => {
          later.where('e.isWebhook = :isWebhook AND e.id > :id', { isWebhook: isWebhook === 1, id });
          if (isWebhook === 1) later.orWhere('NOT e.isWebhook');
        }),
      );
    }
    return query.getMany();
  }

  /** Adds an endpoint beside the others. `unknown`: there is no such application. */
  async create(
    applicationId: string,
    values: EndpointValues,
    rules: EndpointRules,
    entryOf: EntryOf<EndpointEntity>,
  ): Promise<StoredEndpoint> {
    return this.manager.transaction(async (manager) => {
      if (!(await lockApplication(manager, applicationId))) return { kind: 'unknown' };
      return insertEndpoint(manager, { ...values, applicationId, isWebhook: false }, rules, entryOf);
    });
  }

  /**
   * Makes these the application's webhook: overwrites it, restoring it when it was disabled, or creates it
   * (TF-01, TF-43). A pause outlives a registration: only resuming ends it.
   */
  async registerWebhook(
    applicationId: string,
    values: EndpointValues,
    rules: EndpointRules,
    entryOf: EntryOf<EndpointEntity>,
  ): Promise<StoredEndpoint> {
    return this.changing(async (manager, changed) => {
      if (!(await lockApplication(manager, applicationId))) return { kind: 'unknown' };
      const webhook = await manager.findOne(EndpointEntity, {
        where: { applicationId, isWebhook: true, state: Not('revoked') },
        lock: { mode: 'for_no_key_update' },
      });
      if (!webhook) {
        return insertEndpoint(manager, { ...values, applicationId, isWebhook: true }, rules, entryOf);
      }
      const endpoint = await applyChange(
        manager,
        webhook,
        {
          ...values,
          nextCredentials: null,
          nextCredentialsAt: null,
          state: webhook.state === 'paused' ? 'paused' : 'active',
          disabledReason: null,
          disabledAt: null,
          failures: 0,
          epoch: webhook.epoch + 1,
        },
        'registration',
        entryOf,
        changed,
      );
      return { kind: 'changed', endpoint };
    });
  }

  /**
   * Changes an endpoint under a lock on its row, so that what `decide` saw is what it changes.
   *
   * @param decide what to set; its error rolls back and is thrown on. `now` is the database's. Where all of it is
   *   so already, nothing is written.
   */
  async change(
    id: TimeOrderedId,
    decide: (endpoint: EndpointEntity, now: Date) => EndpointChange,
    entryOf: EntryOf<EndpointEntity>,
    rules: Pick<EndpointRules, 'uniqueTypeAndUrl'> = { uniqueTypeAndUrl: false },
  ): Promise<StoredEndpoint> {
    return this.changing(async (manager, changed) => {
      if (rules.uniqueTypeAndUrl) {
        const { applicationId } = (await manager.findOneBy(EndpointEntity, { id })) ?? {};
        if (applicationId === undefined || !(await lockApplication(manager, applicationId)))
          return { kind: 'unknown' };
      }
      const found = await readWithCredentials(manager, id, 'for_no_key_update');
      if (!found) return { kind: 'unknown' };
      const change = decide(found.endpoint, found.now);
      if (rules.uniqueTypeAndUrl) {
        const other = await findSame(manager, { ...found.endpoint, ...change });
        if (other) return { kind: 'exists', id: other.id };
      }
      const endpoint = await applyChange(manager, found.endpoint, change, 'operator', entryOf, changed);
      return { kind: 'changed', endpoint };
    });
  }

  /**
   * From the commit on nothing is added for the endpoint, and what is held for it is canceled at its last look
   * before sending. What waits is for the caller to cancel afterwards, page by page.
   *
   * @returns the endpoint, revoked now or before; null where there is none
   */
  async revoke(id: TimeOrderedId, entryOf: EntryOf<EndpointEntity>): Promise<EndpointEntity | null> {
    const revoked = await this.changing(async (manager, changed) => {
      const found = await readWithCredentials(manager, id, 'for_no_key_update');
      if (!found) return null;
      const { state } = found.endpoint;
      const change: EndpointChange = state === 'revoked' ? {} : { state: 'revoked', revokedAt: found.now };
      return applyChange(manager, found.endpoint, change, 'operator', entryOf, changed);
    });
    if (revoked) await awaitAcceptances(this.database, [id]);
    return revoked;
  }

  /** A transaction that says of each change whether the state changed too. */
  private async changing<Result>(
    work: (manager: EntityManager, changed: (transition: EndpointTransition) => void) => Promise<Result>,
  ): Promise<Result> {
    const transitions: EndpointTransition[] = [];
    const result = await this.manager.transaction((manager) =>
      work(manager, (transition) => transitions.push(transition)),
    );
    for (const transition of transitions) this.onTransition(transition);
    return result;
  }

  private get manager(): EntityManager {
    return this.database.dataSource.manager;
  }
}

async function lockApplication(manager: EntityManager, id: string): Promise<boolean> {
  const application = await manager.findOne(ApplicationEntity, {
    where: { id },
    lock: { mode: 'for_no_key_update' },
  });
  return application !== null;
}

/** The caller holds the application's row. */
async function insertEndpoint(
  manager: EntityManager,
  values: EndpointValues & Pick<EndpointEntity, 'applicationId' | 'isWebhook'>,
  rules: EndpointRules,
  entryOf: EntryOf<EndpointEntity>,
): Promise<StoredEndpoint> {
  const { applicationId } = values;
  const count = await manager.countBy(EndpointEntity, { applicationId, state: Not('revoked') });
  if (count >= rules.maxEndpoints) return { kind: 'too-many', count };
  if (rules.uniqueTypeAndUrl) {
    const other = await findSame(manager, { ...values, id: 0 });
    if (other) return { kind: 'exists', id: other.id };
  }
  const inserted = await manager.insert(EndpointEntity, values);
  const { id } = inserted.identifiers[0] as { id: TimeOrderedId };
  const endpoint = await manager.findOneByOrFail(EndpointEntity, { id });
  await recordAudit(statementsIn(manager), entryOf(null, endpoint));
  return { kind: 'created', endpoint };
}

async function findSame(
  manager: EntityManager,
  { id, applicationId, url, eventTypes }: Pick<EndpointEntity, 'id' | 'applicationId' | 'url' | 'eventTypes'>,
): Promise<EndpointEntity | null> {
  return manager
    .createQueryBuilder(EndpointEntity, 'e')
    .where({ applicationId, url, id: Not(id), state: Not('revoked') })
    .andWhere('e.eventTypes = :eventTypes', { eventTypes })
    .getOne();
}

async function readWithCredentials(
  manager: EntityManager,
  id: TimeOrderedId,
  lock: 'for_no_key_update' | null,
): Promise<{ endpoint: EndpointEntity; now: Date } | null> {
  const query = manager
    .createQueryBuilder(EndpointEntity, 'e')
    .addSelect(['e.credentials', 'e.nextCredentials'])
    .addSelect('now_ms()', 'now')
    .where('e.id = :id', { id });
  if (lock) query.setLock(lock);
  const { entities, raw } = await query.getRawAndEntities<{ now: Date }>();
  const endpoint = entities[0];
  return endpoint ? { endpoint, now: raw[0]!.now } : null;
}

/**
 * The caller holds the endpoint's row. The audit tells of the change, and being disabled or restored is announced,
 * in the same transaction.
 */
async function applyChange(
  manager: EntityManager,
  before: EndpointEntity,
  requested: EndpointChange,
  cause: EndpointTransition['cause'],
  entryOf: EntryOf<EndpointEntity>,
  changed: (transition: EndpointTransition) => void,
): Promise<EndpointEntity> {
  const { id } = before;
  const change = differing(before, requested);
  if (!change) return manager.findOneByOrFail(EndpointEntity, { id });
  await manager.update(EndpointEntity, { id }, { ...change, updatedAt: () => 'now_ms()' });
  const after = await manager.findOneByOrFail(EndpointEntity, { id });
  await recordAudit(statementsIn(manager), entryOf(before, after));
  await announceTransition(statementsIn(manager), before, after, cause);
  if (before.state !== after.state) {
    const { contract } = await manager.findOneOrFail(ApplicationEntity, {
      where: { id: after.applicationId },
      withDeleted: true,
    });
    changed({ contract, to: after.state, cause });
  }
  return after;
}

async function announceTransition(
  connection: Queryable,
  before: EndpointEntity,
  after: EndpointEntity,
  cause: 'registration' | 'operator',
): Promise<void> {
  if (before.state === after.state) return;
  const of = { application: after.applicationId, endpoint: String(after.id) };
  if (after.state === 'disabled') {
    await recordOperatorEvent(connection, {
      type: 'endpoint.disabled',
      ...of,
      cause: 'operator',
      reason: after.disabledReason!,
      consecutiveFailures: after.failures,
      lastHttpStatus: null,
      lastError: null,
    });
  } else if (before.state === 'disabled' && after.state !== 'revoked') {
    await recordOperatorEvent(connection, {
      type: 'endpoint.restored',
      ...of,
      cause,
      reason: before.disabledReason,
      since: before.disabledAt,
      suppressedCount: await countSuppressed(connection, after.id),
    });
  }
}
