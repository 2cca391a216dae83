import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '#contracts/contract.js';
import { type ApplicationSettings, settingsProblems } from '#contracts/delivery-policy.js';
import { contractNamed } from '#contracts/registry.js';
import type { ApplicationErasure } from '#domain/erasure.js';
import { DomainError } from '#domain/errors.js';
import { type Caller, coversApplication, type Principal } from '#domain/principal.js';
import type { ApplicationRepository } from '#storage/application.repository.js';
import type { ApplicationEntity } from '#storage/entities/application.entity.js';
import type { AdminMetrics } from '#observability/metrics/role-metrics.js';
import type { Database } from '#storage/database.js';
import type { SecretBox } from '#storage/secret-box.js';
import { cancelAllPending } from '#storage/sql/cancel-pending.js';
import { findErasure } from '#storage/sql/erasures.js';
import { applicationEntry, rotation } from './audit-entries.js';
import { Faults, type ValueCheck } from './faults.js';
import { hasCome, openSecretInForce, refuseWhatHasCome } from './secrets-in-force.js';

const DEFAULT_ENVIRONMENT = 'production';

/** An application as a caller describes it. What the contract decides of it is checked here, not at the edge. */
export interface ApplicationRequest {
  readonly name: string;
  /** A name of the registry. */
  readonly contract: string;
  readonly environment?: string | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly secret?: string | undefined;
  readonly settings?: ApplicationSettings | undefined;
}

/** A JSON Merge Patch: what is absent stays, a null setting returns to the contract's default. */
export interface ApplicationPatch {
  readonly name?: string | undefined;
  readonly environment?: string | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly settings?:
    { readonly [Name in keyof ApplicationSettings]?: ApplicationSettings[Name] | null } | null | undefined;
}

export interface RegisteredApplication {
  readonly application: ApplicationEntity;
  readonly created: boolean;
  /** Shown to the caller now and never again; null where none was set. */
  readonly issuedSecret: string | null;
}

export interface ApplicationRegistryOptions {
  readonly database: Database;
  readonly applications: ApplicationRepository;
  readonly metrics: Pick<AdminMetrics, 'deliveries' | 'endpoints'>;
  readonly secretBox: SecretBox;
  readonly check: ValueCheck;
  /** Deliveries are kept this long; a retry schedule must end before. */
  readonly retentionDays: number;
}

/** Who webhooks are sent for: creating, changing and deleting applications, and their secrets. */
export class ApplicationRegistry {
  constructor(private readonly options: ApplicationRegistryOptions) {}

  /** @throws DomainError NOT_FOUND, also where the key does not cover it */
  async get(id: string, principal: Principal): Promise<ApplicationEntity> {
    const application = coversApplication(principal, id) ? await this.options.applications.find(id) : null;
    return application ?? notFound(id);
  }

  /**
   * @param id the caller's, or null for one made here
   * @throws DomainError APPLICATION_EXISTS, APPLICATION_DELETED, APPLICATION_NOT_ALLOWED, VALIDATION_FAILED
   */
  async create(
    id: string | null,
    request: ApplicationRequest,
    caller: Caller,
  ): Promise<RegisteredApplication> {
    const registered = await this.insert(id ?? `app_${randomBytes(10).toString('hex')}`, request, caller);
    if (registered) return registered;
    await this.refuseDeleted(id!);
    throw new DomainError(
      'APPLICATION_EXISTS',
      `There is an application "${id}" already. Change it with PUT or PATCH /v1/applications/${id}.`,
    );
  }

  /**
   * Creates the application, or makes it what the request says: what the request leaves out returns to its
   * default, but for attributes and secret, which are kept.
   *
   * @throws DomainError APPLICATION_DELETED, APPLICATION_NOT_ALLOWED, VALIDATION_FAILED
   */
  async put(id: string, request: ApplicationRequest, caller: Caller): Promise<RegisteredApplication> {
    this.refuseUncovered(id, caller);
    const changed = await this.replace(id, request, caller);
    if (changed) return { application: changed, created: false, issuedSecret: null };
    await this.refuseDeleted(id);
    const created = await this.insert(id, request, caller);
    // Somebody else created it in between: then it is there to be changed.
    return (
      created ?? {
        application: (await this.replace(id, request, caller)) ?? notFound(id),
        created: false,
        issuedSecret: null,
      }
    );
  }

  /** What PUT makes of an application that is there; null where it is not. */
  private async replace(
    id: string,
    request: ApplicationRequest,
    caller: Caller,
  ): Promise<ApplicationEntity | null> {
    const { secretBox } = this.options;
    const decide = (current: ApplicationEntity, now: Date) => {
      const contract = contractNamed(current.contract);
      const faults = new Faults();
      if (request.contract !== current.contract) {
        faults.add({
          pointer: '/contract',
          code: 'IMMUTABLE',
          message: `The contract of an application never changes, and it is ${current.contract}. Create another application.`,
        });
        faults.refuse();
      }
      if (request.secret !== undefined && request.secret !== openSecretInForce(secretBox, current, now)) {
        faults.add({
          pointer: '/secret',
          code: 'IMMUTABLE',
          message: `This is not the secret of the application. Change it with POST /v1/applications/${id}/rotate-secret.`,
        });
      }
      const settings = request.settings ?? {};
      faults.add(...this.settingsProblems(contract, settings));
      const attributes = this.attributesAfter(contract, current, request.attributes ?? {}, faults);
      const environment = environmentAfter(
        contract,
        current,
        request.environment,
        DEFAULT_ENVIRONMENT,
        faults,
      );
      faults.refuse();
      return {
        name: request.name,
        environment,
        attributes,
        settings,
      };
    };
    return this.options.applications.change(id, decide, applicationEntry(caller, 'application.updated'));
  }

  /** @throws DomainError NOT_FOUND, VALIDATION_FAILED */
  async change(id: string, patch: ApplicationPatch, caller: Caller): Promise<ApplicationEntity> {
    await this.get(id, caller);
    const decide = (current: ApplicationEntity) => {
      const contract = contractNamed(current.contract);
      const faults = new Faults();
      const settings = settingsAfter(current.settings, patch.settings);
      faults.add(...this.settingsProblems(contract, settings));
      const attributes = this.attributesAfter(contract, current, patch.attributes ?? {}, faults);
      const environment = environmentAfter(contract, current, patch.environment, current.environment, faults);
      faults.refuse();
      return {
        name: patch.name ?? current.name,
        environment,
        attributes,
        settings,
      };
    };
    const entryOf = applicationEntry(caller, 'application.updated');
    return (await this.options.applications.change(id, decide, entryOf)) ?? notFound(id);
  }

  /**
   * Sets another secret, from the next attempt on or from `activateAt` on; until then the present one signs
   * (TF-06). A rotation that was set for a time and has not come is replaced.
   *
   * @returns the application and the secret, which is shown once
   * @throws DomainError NOT_FOUND, CONFLICT where the contract has no such secret, VALIDATION_FAILED
   */
  async rotateSecret(
    id: string,
    request: { readonly secret?: string | undefined; readonly activateAt?: Date | undefined },
    caller: Caller,
  ): Promise<{ application: ApplicationEntity; secret: string }> {
    const { contract: contractName } = await this.get(id, caller);
    const contract = contractNamed(contractName);
    if (contract.application.secret === null) {
      throw new DomainError(
        'CONFLICT',
        `Applications of ${contract.name} have no secret; their endpoints have. Rotate those of the endpoint.`,
      );
    }
    const faults = new Faults();
    const secret = this.secretOf(contract, request.secret, faults);
    faults.refuse();
    const sealed = this.options.secretBox.seal('application-secret', secret!);
    const decide = (current: ApplicationEntity, now: Date) => {
      if (request.activateAt === undefined) return { secret: sealed, nextSecret: null, nextSecretAt: null };
      refuseWhatHasCome(request.activateAt, now);
      return {
        secret: hasCome(current.nextSecretAt, now) ? current.nextSecret : current.secret,
        nextSecret: sealed,
        nextSecretAt: request.activateAt,
      };
    };
    const entryOf = applicationEntry(
      caller,
      'application.secret_rotated',
      rotation(['secret'], request.activateAt),
    );
    const application = await this.options.applications.change(id, decide, entryOf);
    return { application: application ?? notFound(id), secret: secret! };
  }

  /**
   * Deletes an application: it is gone for publishers and managers, and its endpoints are revoked, all in one
   * commit; then what waits for them is canceled. If that is cut off, deleting it again goes on with it, and what
   * falls due meanwhile is canceled before it is sent.
   *
   * Its events, deliveries and attempts, and its endpoints by their ids, are read as before until retention, unless
   * they are to be erased: that begins now and goes on in the background, also of one that was deleted before. Its id
   * is not given again: what carries it would be taken for the new one's, and a new event for a duplicate.
   *
   * @returns the erasure, where it was asked for
   * @throws DomainError NOT_FOUND
   */
  async delete(
    id: string,
    { erase }: { readonly erase: boolean },
    caller: Caller,
  ): Promise<ApplicationErasure | null> {
    const { applications, database, metrics } = this.options;
    const entry = (action: 'application.deleted' | 'application.erasure_requested') => ({
      by: caller,
      action,
      resourceId: id,
      applicationId: id,
      changes: {},
    });
    const deleted = coversApplication(caller, id)
      ? await applications.delete(
          id,
          entry('application.deleted'),
          erase ? entry('application.erasure_requested') : null,
        )
      : null;
    const { contract, endpointIds, revokedCount } = deleted ?? notFound(id);
    metrics.endpoints.endpointChanged(contract, 'revoked', 'operator', revokedCount);
    for (const endpointId of endpointIds)
      await cancelAllPending(database, endpointId, { committed: metrics.deliveries.pendingCanceled });
    return erase ? this.getErasure(id, caller) : null;
  }

  /** @throws DomainError NOT_FOUND where its data is not being erased, and was not */
  async getErasure(id: string, principal: Principal): Promise<ApplicationErasure> {
    const erasure = coversApplication(principal, id)
      ? await findErasure(this.options.database, id)
      : undefined;
    if (erasure) return erasure;
    throw new DomainError(
      'NOT_FOUND',
      `No erasure of an application "${id}" was requested. DELETE /v1/applications/${id}?erase=true begins one.`,
    );
  }

  private async refuseDeleted(id: string): Promise<void> {
    const taken = await this.options.applications.findEvenDeleted(id);
    if (!taken?.deletedAt) return;
    throw new DomainError(
      'APPLICATION_DELETED',
      `The application "${id}" was deleted, and its id is not given again. Choose another id.`,
    );
  }

  private refuseUncovered(id: string, principal: Principal): void {
    if (coversApplication(principal, id)) return;
    throw new DomainError(
      'APPLICATION_NOT_ALLOWED',
      `The key "${principal.name}" does not cover the application "${id}". It covers ${principal.applications?.join(', ')}.`,
    );
  }

  /** Null where the id is taken. */
  private async insert(
    id: string,
    request: ApplicationRequest,
    caller: Caller,
  ): Promise<RegisteredApplication | null> {
    this.refuseUncovered(id, caller);
    const contract = contractNamed(request.contract);
    const { check, secretBox, applications } = this.options;
    const faults = new Faults();
    const attributes = faults.reading(() =>
      check(contract.application.attributes, request.attributes ?? {}, '/attributes'),
    );
    const secret = this.secretOf(contract, request.secret, faults);
    const settings = request.settings ?? {};
    faults.add(...this.settingsProblems(contract, settings));
    faults.refuse();
    const application = await applications.insert(
      {
        id,
        name: request.name,
        contract: contract.name,
        environment: request.environment ?? DEFAULT_ENVIRONMENT,
        attributes: { ...attributes },
        settings,
        secret: secret === null ? null : secretBox.seal('application-secret', secret),
      },
      applicationEntry(caller, 'application.created', secret === null ? {} : { secret: { to: 'set' } }),
    );
    return application && { application, created: true, issuedSecret: secret };
  }

  /** The supplied secret or a generated one; null where the contract has none, or where it is refused. */
  private secretOf(contract: Contract, supplied: string | undefined, faults: Faults): string | null {
    const { secret } = contract.application;
    if (secret === null) {
      if (supplied !== undefined) {
        faults.add({
          pointer: '/secret',
          code: 'UNKNOWN_FIELD',
          message: `Applications of ${contract.name} have no secret. Leave it out.`,
        });
      }
      return null;
    }
    if (supplied === undefined) return secret.generate();
    return faults.reading(() => this.options.check(secret.schema, supplied, '/secret')) ?? null;
  }

  private settingsProblems(contract: Contract, settings: ApplicationSettings) {
    return settingsProblems(contract, settings, { retentionDays: this.options.retentionDays });
  }

  /** Attributes may be added, and are fixed once set: contracts derive ids from them (CC-01). */
  private attributesAfter(
    contract: Contract,
    { attributes: current }: Pick<ApplicationEntity, 'attributes'>,
    requested: Readonly<Record<string, unknown>>,
    faults: Faults,
  ): Record<string, unknown> {
    for (const [name, value] of Object.entries(current)) {
      if (!Object.hasOwn(requested, name) || isDeepStrictEqual(requested[name], value)) continue;
      faults.add({
        pointer: `/attributes/${name}`,
        code: 'IMMUTABLE',
        message: `${name} is fixed once set, and it is ${JSON.stringify(value)}. Create another application.`,
      });
    }
    const merged = { ...current, ...requested };
    return {
      ...faults.reading(() => this.options.check(contract.application.attributes, merged, '/attributes')),
    };
  }
}

function settingsAfter(
  current: ApplicationSettings,
  patch: ApplicationPatch['settings'],
): ApplicationSettings {
  if (patch === undefined) return current;
  if (patch === null) return {};
  return Object.fromEntries(
    Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null && value !== undefined),
  );
}

function notFound(id: string): never {
  throw new DomainError('NOT_FOUND', `There is no application "${id}".`);
}

/**
 * A label that may change, but where the contract derives event ids from it: an event of before the change would
 * be another one after it, and be sent twice (CC-22).
 */
function environmentAfter(
  contract: Contract,
  current: ApplicationEntity,
  requested: string | undefined,
  otherwise: string,
  faults: Faults,
): string {
  if (contract.eventIdentity !== 'derived') return requested ?? otherwise;
  if (requested !== undefined && requested !== current.environment) {
    faults.add({
      pointer: '/environment',
      code: 'IMMUTABLE',
      message: `Event ids are derived from the environment, and it is ${current.environment}. Create another application.`,
    });
  }
  return current.environment;
}
