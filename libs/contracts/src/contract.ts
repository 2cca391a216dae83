import type { DeliveryPolicy } from '#domain/retry-policy.js';
import type { FieldProblem } from '#domain/errors.js';
import type { z } from 'zod';

/**
 * A published webhook contract as a value: what may be published, the bytes and headers that receivers get,
 * and how failures are treated. Pure: no database, no network, no clock of its own.
 *
 * Adding a contract is one folder beside this file and one line in the registry.
 */
export interface Contract {
  /** The name applications choose, e.g. `tf-fiscal`. */
  readonly name: string;
  /** One line for people. */
  readonly title: string;
  readonly eventTypes: readonly EventType[];
  readonly application: {
    /** Strict zod object for `attributes`. Fixed once set, for contracts may derive ids from them. */
    readonly attributes: z.ZodType<Readonly<Record<string, unknown>>>;
    /** The secret that belongs to the application, or null where the contract has none (TF-06). */
    readonly secret: { readonly schema: z.ZodType<string>; generate(): string } | null;
  };
  readonly endpoint: {
    /** Whether an application has one registered callback beside its endpoints (TF-01). */
    readonly hasWebhook: boolean;
    /** `any-or-filter`: absent means every type. `exactly-one`: one type per endpoint (CC-02). */
    readonly eventTypes: 'any-or-filter' | 'exactly-one';
    /** Strict zod object for what the caller may supply. */
    readonly credentials: z.ZodType<Readonly<Record<string, string>>>;
    /** Names of all credentials an endpoint can hold, in the order shown (`token`). */
    readonly credentialNames: readonly string[];
    /** Those that are generated where they are not supplied: what a rotation makes anew (CC-12). */
    readonly issuedCredentialNames: readonly string[];
    /** Completes supplied credentials with generated ones; `issued` is shown to the caller once. */
    issueCredentials(supplied: Readonly<Record<string, string>>): {
      credentials: Readonly<Record<string, string>>;
      issued: Readonly<Record<string, string>>;
    };
  };
  readonly url: {
    readonly schemes: readonly ('http' | 'https')[];
    /** Characters, as submitted; null for no limit of the contract's own. */
    readonly maxLength: number | null;
    /** Whether an attempt goes to the endpoint's URL of now or of when the delivery was queued (TF-33, CC-10). */
    readonly used: 'current' | 'as-queued';
    /** What a receiver should know about this URL, as sentences; the URL has passed the address rules. */
    warnings?(submitted: string): readonly string[];
  };
  /** `producer`: the publish call's `id` names the event. `derived`: the contract derives it and refuses one. */
  readonly eventIdentity: 'producer' | 'derived';
  readonly policy: DeliveryPolicy;
  /** The event sent to verify a URL, or null where the contract has none. */
  readonly testEvent: { readonly type: string; build(publicId: string, at: Date): Buffer } | null;
  /** Checks one published event and builds the bytes that every attempt will send. */
  buildEvent(published: PublishedEvent): BuildResult;
  /** The names of the headers of an attempt, in sending order; a few come only with some credentials. */
  readonly headerNames: readonly string[];
  /**
   * The headers of one attempt in sending order, names in the contract's casing; `Host`, `Content-Length`
   * and `Connection` belong to HTTP and are not among them.
   */
  headers(attempt: AttemptToSign): readonly (readonly [name: string, value: string])[];
}

export interface EventType {
  readonly name: string;
  /** In the catalogue, accepted and kept, but delivered to nobody (TF-11). */
  readonly reserved: boolean;
  readonly description: string;
  /** The known members of `data` in sending order, as the reference shows them. */
  readonly fields: readonly EventField[];
}

export interface EventField {
  readonly name: string;
  /**
   * Of its value: `required`, `expected` (usual, its absence is accepted), `optional`, `none` (a value is
   * refused), `derived` (need not be sent, for it follows from the event type) or `all-or-none` (together
   * with the other fields marked so).
   */
  readonly presence: 'required' | 'expected' | 'optional' | 'none' | 'derived' | 'all-or-none';
  /** What a value looks like, in words. */
  readonly form: string;
}

export interface PublishedEvent {
  readonly application: {
    readonly id: string;
    readonly environment: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  };
  readonly type: string;
  /** The producer's id, or one made for it; null exactly when the contract derives ids. */
  readonly publicId: string | null;
  /** When it happened as the producer says; null where it did not say. */
  readonly occurredAt: Date | null;
  /** The time to use where the producer said none. */
  readonly acceptedAt: Date;
  /** The exact JSON text of `data` as it was published, already known to be well-formed. */
  readonly dataJson: string;
}

export type BuildResult =
  | { readonly ok: true; readonly event: BuiltEvent }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

export interface BuiltEvent {
  readonly publicId: string;
  readonly occurredAt: Date;
  /** Stored, hashed and sent exactly so. */
  readonly body: Buffer;
  readonly reserved: boolean;
}

export interface AttemptToSign {
  readonly url: string;
  readonly body: Buffer;
  readonly eventType: string;
  readonly publicId: string;
  readonly deliveryId: string;
  /** When the request is written. */
  readonly at: Date;
  readonly credentials: Readonly<Record<string, string>>;
  readonly applicationSecret: string | null;
}
