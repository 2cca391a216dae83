import type { Contract } from '#contracts/contract.js';
import { contractNamed } from '#contracts/registry.js';
import { DomainError } from '#domain/errors.js';
import { type Caller, coversApplication, type Principal } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import type { ApplicationRepository } from '#storage/application.repository.js';
import type {
  EndpointChange,
  EndpointRepository,
  EndpointRules,
  EndpointValues,
  StoredEndpoint,
} from '#storage/endpoint.repository.js';
import type { ApplicationEntity } from '#storage/entities/application.entity.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import type { EntryOf } from '#storage/sql/audit-entries.js';
import type { SecretBox } from '#storage/secret-box.js';
import { credentialChanges, endpointEntry, rotation } from './audit-entries.js';
import { changeReachable, endpointNotFound, reachableEndpoint, refuseRevoked } from './endpoint-access.js';
import { checkDescription, type CheckedDescription } from './endpoint-description.js';
import { Faults, type ValueCheck } from './faults.js';
import {
  type Credentials,
  openCredentialsInForce,
  openCredentialsToCome,
  openSecretInForce,
  refuseWhatHasCome,
  sealCredentials,
} from './secrets-in-force.js';
import type { EndpointVerification, TestAttempt } from './verification.js';

export interface EndpointRequest {
  readonly url: string;
  /** Absent or null: every type, where the contract allows it. */
  readonly eventTypes?: readonly string[] | null | undefined;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly description?: string | null | undefined;
  /** Send a test delivery first, and save only when it is acknowledged. */
  readonly verify?: boolean | undefined;
}

/** A JSON Merge Patch: what is absent stays, a null credential is removed. */
export type EndpointPatch = { readonly [Name in keyof EndpointRequest]?: EndpointRequest[Name] | undefined };

export interface RegisteredEndpoint {
  readonly endpoint: EndpointEntity;
  readonly created: boolean;
  readonly warnings: readonly string[];
  /** Shown to the caller now and never again; empty where none was made here. */
  readonly issuedCredentials: Credentials;
}

export interface EndpointRegistryOptions {
  readonly applications: ApplicationRepository;
  readonly endpoints: EndpointRepository;
  readonly secretBox: SecretBox;
  readonly outbound: Pick<OutboundClient, 'checkDestination'>;
  readonly verification: EndpointVerification;
  readonly check: ValueCheck;
  readonly maxEndpointsPerApplication: number;
}

interface KnownApplication {
  readonly application: ApplicationEntity;
  readonly contract: Contract;
  readonly secret: string | null;
}

/** Where webhooks are sent: registering, changing and verifying endpoints, and their credentials. */
export class EndpointRegistry {
  constructor(private readonly options: EndpointRegistryOptions) {}

  /** Revoked ones are found too. @throws DomainError NOT_FOUND, also where the key does not cover it */
  async get(id: TimeOrderedId, principal: Principal): Promise<EndpointEntity> {
    return reachableEndpoint(this.options.endpoints, id, principal);
  }

  /** @throws DomainError NOT_FOUND where the application has no webhook, or the key does not cover it */
  async getWebhook(applicationId: string, principal: Principal): Promise<EndpointEntity> {
    await this.knownApplication(applicationId, principal);
    const webhook = await this.options.endpoints.findWebhook(applicationId);
    if (webhook) return webhook;
    throw new DomainError(
      'NOT_FOUND',
      `The application "${applicationId}" has no webhook. Register one with PUT /v1/applications/${applicationId}/webhook.`,
    );
  }

  /**
   * Adds an endpoint (TF-02).
   *
   * @throws DomainError NOT_FOUND, VALIDATION_FAILED, TOO_MANY_ENDPOINTS, ENDPOINT_EXISTS, and with `verify`
   *   NO_TEST_EVENT, VERIFICATION_FAILED; whatever is thrown, nothing is saved
   */
  async create(applicationId: string, request: EndpointRequest, caller: Caller): Promise<RegisteredEndpoint> {
    return this.register(applicationId, request, caller, (values, rules, entryOf) =>
      this.options.endpoints.create(applicationId, values, rules, entryOf),
    );
  }

  /**
   * Registers the application's webhook: overwrites the one there is, restores it and forgets its failures
   * (TF-01, TF-43).
   *
   * @throws DomainError NO_WEBHOOK where the contract has none, else as {@link create}
   */
  async registerWebhook(
    applicationId: string,
    request: Omit<EndpointRequest, 'eventTypes'>,
    caller: Caller,
  ): Promise<RegisteredEndpoint> {
    const { contract } = await this.knownApplication(applicationId, caller);
    if (!contract.endpoint.hasWebhook) {
      throw new DomainError(
        'NO_WEBHOOK',
        `${contract.name} has no single webhook. Use POST /v1/applications/${applicationId}/endpoints.`,
      );
    }
    return this.register(applicationId, { ...request, eventTypes: null }, caller, (values, rules, entryOf) =>
      this.options.endpoints.registerWebhook(applicationId, values, rules, entryOf),
    );
  }

  /**
   * Changes an endpoint. Another URL begins another epoch, and neither restores the endpoint nor forgets its
   * failures: only registering and enabling do.
   *
   * @throws DomainError as {@link create}, and ENDPOINT_REVOKED
   */
  async change(id: TimeOrderedId, patch: EndpointPatch, caller: Caller): Promise<RegisteredEndpoint> {
    const { secretBox, outbound, check, endpoints } = this.options;
    const found = await endpoints.findWithCredentials(id);
    if (!found || !coversApplication(caller, found.endpoint.applicationId)) return endpointNotFound(id);
    refuseRevoked(found.endpoint);
    const known = await this.knownApplication(found.endpoint.applicationId, caller);
    const { contract } = known;
    refuseFilterOnWebhook(found.endpoint, patch);
    const present = openCredentialsInForce(secretBox, found.endpoint, found.now);
    const checked = await checkDescription(
      contract,
      { ...patch, credentials: patch.credentials && mergedCredentials(present, patch.credentials) },
      outbound,
      check,
    );
    if (patch.verify)
      await this.verify(known, checked.url ?? found.endpoint.url, checked.credentials ?? present);

    const stored = await endpoints.change(
      id,
      (endpoint, now) => {
        refuseRevoked(endpoint);
        return {
          ...(checked.url !== undefined &&
            checked.url !== endpoint.url && { url: checked.url, epoch: endpoint.epoch + 1 }),
          ...(checked.eventTypes !== undefined && { eventTypes: checked.eventTypes }),
          ...(patch.description !== undefined && { description: patch.description }),
          ...(patch.credentials &&
            this.replacingCredentials(endpoint, contract, patch.credentials, checked, now)),
        };
      },
      endpointEntry(
        caller,
        'endpoint.updated',
        credentialChanges({ ...patch.credentials, ...checked.issuedCredentials }),
      ),
      rulesOf(contract, this.options.maxEndpointsPerApplication),
    );
    return this.registered(stored, checked, () => endpointNotFound(id));
  }

  /**
   * Issues new credentials where the contract generates them; the others stay (CC-12). They are sent from the next
   * attempt on, or from `activateAt` on. A rotation that was set for a time and has not come is replaced.
   *
   * @returns with the issued credentials, which are shown once
   * @throws DomainError NOT_FOUND, ENDPOINT_REVOKED, NO_GENERATED_CREDENTIALS, VALIDATION_FAILED
   */
  async rotateCredentials(
    id: TimeOrderedId,
    activateAt: Date | undefined,
    caller: Caller,
  ): Promise<{ endpoint: EndpointEntity; issuedCredentials: Credentials }> {
    const { secretBox, endpoints } = this.options;
    const { applicationId } = await this.get(id, caller);
    const { endpoint: rules, name } = await this.contractOf(applicationId);
    if (rules.issuedCredentialNames.length === 0) {
      throw new DomainError(
        'NO_GENERATED_CREDENTIALS',
        `${name} generates no credentials of an endpoint. Change those of ${id} with PATCH /v1/endpoints/${id}.`,
      );
    }
    let issuedCredentials: Credentials = {};
    const decide = (current: EndpointEntity, now: Date): EndpointChange => {
      const present = openCredentialsInForce(secretBox, current, now);
      const rotated = rules.issueCredentials(without(present, rules.issuedCredentialNames));
      issuedCredentials = rotated.issued;
      if (activateAt === undefined) {
        return { ...sealed(secretBox, rotated.credentials), nextCredentials: null, nextCredentialsAt: null };
      }
      refuseWhatHasCome(activateAt, now);
      return {
        ...sealed(secretBox, present),
        nextCredentials: sealCredentials(secretBox, rotated.credentials),
        nextCredentialsAt: activateAt,
      };
    };
    const rotated = rules.issuedCredentialNames.map((credential) => `credentials.${credential}`);
    const entryOf = endpointEntry(caller, 'endpoint.credentials_rotated', rotation(rotated, activateAt));
    const endpoint = await changeReachable(endpoints, id, caller, decide, entryOf);
    return { endpoint, issuedCredentials };
  }

  /** Sends a test delivery to the endpoint as it is; changes nothing. @throws DomainError as {@link create} */
  async verifyEndpoint(
    id: TimeOrderedId,
    principal: Principal,
  ): Promise<{ ok: boolean; attempt: TestAttempt }> {
    const found = await this.options.endpoints.findWithCredentials(id);
    if (!found || !coversApplication(principal, found.endpoint.applicationId)) return endpointNotFound(id);
    refuseRevoked(found.endpoint);
    const known = await this.knownApplication(found.endpoint.applicationId, principal);
    const credentials = openCredentialsInForce(this.options.secretBox, found.endpoint, found.now);
    return this.testDelivery(known, found.endpoint.url, credentials);
  }

  private async register(
    applicationId: string,
    request: EndpointRequest,
    caller: Caller,
    store: (
      values: EndpointValues,
      rules: EndpointRules,
      entryOf: EntryOf<EndpointEntity>,
    ) => Promise<StoredEndpoint>,
  ): Promise<RegisteredEndpoint> {
    const { outbound, check, secretBox, maxEndpointsPerApplication } = this.options;
    const known = await this.knownApplication(applicationId, caller);
    const checked = await checkDescription(
      known.contract,
      { ...request, eventTypes: request.eventTypes ?? null, credentials: request.credentials ?? {} },
      outbound,
      check,
    );
    const url = checked.url!;
    const credentials = checked.credentials!;
    if (request.verify) await this.verify(known, url, credentials);
    const stored = await store(
      {
        url,
        eventTypes: checked.eventTypes ?? null,
        description: request.description ?? null,
        ...sealed(secretBox, credentials),
      },
      rulesOf(known.contract, maxEndpointsPerApplication),
      (before, after) =>
        endpointEntry(
          caller,
          before ? 'endpoint.reregistered' : 'endpoint.created',
          credentialChanges(credentials),
        )(before, after),
    );
    return this.registered(stored, checked, () => applicationNotFound(applicationId));
  }

  private registered(
    stored: StoredEndpoint,
    { warnings, issuedCredentials }: CheckedDescription,
    unknown: () => never,
  ): RegisteredEndpoint {
    switch (stored.kind) {
      case 'created':
      case 'changed':
        return { endpoint: stored.endpoint, created: stored.kind === 'created', warnings, issuedCredentials };
      case 'unknown':
        return unknown();
      case 'too-many':
        throw new DomainError(
          'TOO_MANY_ENDPOINTS',
          `The application has ${stored.count} endpoints, and MAX_ENDPOINTS_PER_APPLICATION is ` +
            `${this.options.maxEndpointsPerApplication}. Revoke one that is not needed, or raise the setting.`,
        );
      case 'exists':
        throw new DomainError(
          'ENDPOINT_EXISTS',
          `The endpoint ${stored.id} has the same event type and URL. Change or revoke that one.`,
        );
    }
  }

  /**
   * The patch was checked against what the endpoint held then; it is applied to what it holds now. A rotation
   * that was set for a time and has not come stays set: it changes what is issued then, and nothing else of the
   * patch is lost by it.
   */
  private replacingCredentials(
    endpoint: EndpointEntity,
    { endpoint: rules }: Contract,
    patch: Readonly<Record<string, unknown>>,
    { issuedCredentials }: CheckedDescription,
    now: Date,
  ): EndpointChange {
    const { secretBox } = this.options;
    const present = openCredentialsInForce(secretBox, endpoint, now);
    const credentials = { ...mergedCredentials(present, patch), ...issuedCredentials } as Credentials;
    const toCome = openCredentialsToCome(secretBox, endpoint, now);
    if (!toCome) {
      return { ...sealed(secretBox, credentials), nextCredentials: null, nextCredentialsAt: null };
    }
    const next = mergedCredentials(toCome, without(patch, rules.issuedCredentialNames)) as Credentials;
    return { ...sealed(secretBox, credentials), nextCredentials: sealCredentials(secretBox, next) };
  }

  private async verify(known: KnownApplication, url: string, credentials: Credentials): Promise<void> {
    const { ok, attempt } = await this.testDelivery(known, url, credentials);
    if (ok) return;
    const seen = attempt.error ? attempt.error.message : `It answered ${attempt.httpStatus}.`;
    throw new DomainError(
      'VERIFICATION_FAILED',
      `The test delivery was not acknowledged with a 2xx, so nothing was saved. ${seen}`,
      { extensions: { attempt } },
    );
  }

  private testDelivery(
    { application, contract, secret }: KnownApplication,
    url: string,
    credentials: Credentials,
  ) {
    const { settings } = application;
    return this.options.verification.run({ contract, settings, url, credentials, applicationSecret: secret });
  }

  /** Of an application that may be deleted. */
  private async contractOf(applicationId: string): Promise<Contract> {
    const application = await this.options.applications.findEvenDeleted(applicationId);
    return contractNamed(application!.contract);
  }

  private async knownApplication(id: string, principal: Principal): Promise<KnownApplication> {
    const found = coversApplication(principal, id)
      ? await this.options.applications.findWithSecrets(id)
      : null;
    if (!found) return applicationNotFound(id);
    const { application, now } = found;
    return {
      application,
      contract: contractNamed(application.contract),
      secret: openSecretInForce(this.options.secretBox, application, now),
    };
  }
}

function rulesOf({ endpoint }: Contract, maxEndpoints: number): EndpointRules {
  return { maxEndpoints, uniqueTypeAndUrl: endpoint.eventTypes === 'exactly-one' };
}

function sealed(
  secretBox: SecretBox,
  credentials: Credentials,
): Pick<EndpointEntity, 'credentials' | 'credentialNames'> {
  return {
    credentials: sealCredentials(secretBox, credentials),
    credentialNames: Object.keys(credentials),
  };
}

function without<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function mergedCredentials(
  present: Credentials,
  patch: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries({ ...present, ...patch }).filter(([, value]) => value !== null));
}

/** The webhook receives every event type (TF-01). */
function refuseFilterOnWebhook(endpoint: EndpointEntity, patch: EndpointPatch): void {
  if (!endpoint.isWebhook || patch.eventTypes === undefined || patch.eventTypes === null) return;
  const faults = new Faults();
  faults.add({
    pointer: '/eventTypes',
    code: 'NOT_ALLOWED',
    message: 'The webhook receives every event type. Add an endpoint beside it for some types.',
  });
  faults.refuse();
}

function applicationNotFound(id: string): never {
  throw new DomainError('NOT_FOUND', `There is no application "${id}".`);
}
