import type { Contract } from '#contracts/contract.js';
import { checkUrl } from '#contracts/url-rules.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import { Faults, type ValueCheck } from './faults.js';
import type { Credentials } from './secrets-in-force.js';

/** What a caller says of an endpoint; undefined where it says nothing. */
export interface EndpointDescription {
  readonly url?: string | undefined;
  /** Null: every type. */
  readonly eventTypes?: readonly string[] | null | undefined;
  /** With the credentials that the endpoint keeps. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
}

/** The same, read by the rules of the contract. */
export interface CheckedDescription {
  readonly url: string | undefined;
  readonly eventTypes: string[] | null | undefined;
  readonly credentials: Credentials | undefined;
  /** Credentials made here, shown to the caller once. */
  readonly issuedCredentials: Credentials;
  /** Sentences on what is allowed and may surprise. */
  readonly warnings: readonly string[];
}

/**
 * Reads a description by the contract's rules and, where it names a URL, looks whether its host may be called:
 * as it is before every attempt, and now so that nobody waits for the first event to learn it (TF-03).
 *
 * @throws DomainError VALIDATION_FAILED with every fault
 */
export async function checkDescription(
  contract: Contract,
  description: EndpointDescription,
  outbound: Pick<OutboundClient, 'checkDestination'>,
  check: ValueCheck,
): Promise<CheckedDescription> {
  const faults = new Faults();
  const warnings: string[] = [];
  const url = description.url === undefined ? undefined : readUrl(contract, description.url, faults);
  const eventTypes =
    description.eventTypes === undefined
      ? undefined
      : readEventTypes(contract, description.eventTypes, faults, warnings);
  const supplied =
    description.credentials &&
    faults.reading(() => check(contract.endpoint.credentials, description.credentials, '/credentials'));
  faults.refuse();

  if (url !== undefined) {
    const { verdict, address, message } = await outbound.checkDestination(url);
    if (verdict === 'forbidden') {
      faults.add({
        pointer: '/url',
        code: 'FORBIDDEN_ADDRESS',
        message:
          message ?? `The address ${address} is not to be dialled. See the setting ALLOW_PRIVATE_CIDRS.`,
      });
      faults.refuse();
    }
    if (verdict === 'unresolved') {
      warnings.push(
        `${message ?? 'The host does not resolve.'} It is registered all the same and looked up again before each attempt.`,
      );
    }
    warnings.push(...(contract.url.warnings?.(description.url!) ?? []));
  }
  const issuing = supplied && contract.endpoint.issueCredentials(supplied);
  return {
    url,
    eventTypes,
    credentials: issuing?.credentials,
    issuedCredentials: issuing?.issued ?? {},
    warnings,
  };
}

function readUrl(contract: Contract, submitted: string, faults: Faults): string | undefined {
  const checked = checkUrl(contract.url, submitted);
  if (checked.ok) return checked.url;
  faults.add(...checked.problems);
  return undefined;
}

function readEventTypes(
  contract: Contract,
  eventTypes: readonly string[] | null,
  faults: Faults,
  warnings: string[],
): string[] | null {
  const known = new Map(contract.eventTypes.map((type) => [type.name, type]));
  if (eventTypes === null) {
    if (contract.endpoint.eventTypes === 'any-or-filter') return null;
    const [only, ...others] = known.keys();
    if (only !== undefined && others.length === 0) return [only];
    const message = `An endpoint of ${contract.name} has one event type. Send one of ${[...known.keys()].join(', ')}.`;
    faults.add({ pointer: '/eventTypes', code: 'REQUIRED', message });
    return null;
  }
  for (const [index, name] of eventTypes.entries()) {
    const type = known.get(name);
    if (!type) {
      const message = `${JSON.stringify(name)} is no event type of ${contract.name}. Send some of ${[...known.keys()].join(', ')}.`;
      faults.add({ pointer: `/eventTypes/${index}`, code: 'UNKNOWN_EVENT_TYPE', message });
    } else if (type.reserved) {
      warnings.push(`${name} is reserved: it is accepted and kept, and delivered to nobody.`);
    }
  }
  if (contract.endpoint.eventTypes === 'exactly-one' && eventTypes.length !== 1) {
    const message = `An endpoint of ${contract.name} has exactly one event type, and these are ${eventTypes.length}. Register one endpoint for each.`;
    faults.add({ pointer: '/eventTypes', code: 'NOT_ONE_EVENT_TYPE', message });
  }
  return [...new Set(eventTypes)];
}
