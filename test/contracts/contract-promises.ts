import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Contract, PublishedEvent } from '#contracts/contract.js';
import { applicationSettingsSchema, policyAsSettings, settingsProblems } from '#contracts/delivery-policy.js';
import { parseJsonSource } from '#domain/json-source.js';

/** One event that the contract accepts, and what an endpoint of it holds. */
export interface ContractSample {
  readonly type: string;
  /** JSON text. */
  readonly data: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** As supplied at registration. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/** When the sample happened, was accepted and is sent. */
export const SAMPLE_TIME = new Date('2026-08-04T12:00:00.250Z');

/** The sample as it is published, named `evt-1` where the producer names events. */
function publishedSample(
  contract: Contract,
  { type, data, attributes = {} }: ContractSample,
): PublishedEvent {
  return {
    application: { id: 'app', environment: 'production', attributes },
    type,
    publicId: contract.eventIdentity === 'derived' ? null : 'evt-1',
    occurredAt: SAMPLE_TIME,
    acceptedAt: SAMPLE_TIME,
    dataJson: data,
  };
}

/** The first attempt of the sample's delivery: what a receiver would get. */
export function deliveryOf(contract: Contract, sample: ContractSample) {
  const result = contract.buildEvent(publishedSample(contract, sample));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const { endpoint, application } = contract;
  const headers = contract.headers({
    url: 'https://receiver.example:8443/in?b=2&a=1',
    body: result.event.body,
    eventType: sample.type,
    publicId: result.event.publicId,
    deliveryId: '233598411337728',
    at: SAMPLE_TIME,
    credentials: endpoint.issueCredentials(endpoint.credentials.parse(sample.credentials ?? {})).credentials,
    applicationSecret: application.secret?.generate() ?? null,
  });
  return { ...result.event, headers };
}

/**
 * What the rest of the platform takes for granted of every contract, whatever it documents. Called at the top
 * of a test file of the contract.
 */
export function itKeepsThePromisesOfEveryContract(contract: Contract, sample: ContractSample): void {
  describe(`${contract.name}, like every contract`, () => {
    it('has defaults that an application could have set itself', () => {
      expect(applicationSettingsSchema.safeParse(policyAsSettings(contract.policy)).success).toBe(true);
      expect(settingsProblems(contract, {}, { retentionDays: 3 })).toEqual([]);
    });

    it('has event types with names of their own, and fields likewise', () => {
      const names = contract.eventTypes.map(({ name }) => name);
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
      for (const { fields } of contract.eventTypes) {
        expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
      }
      if (contract.testEvent) expect(names).not.toContain(contract.testEvent.type);
    });

    it('checks attributes and credentials strictly, for nothing is silently ignored', () => {
      const { application, endpoint } = contract;
      expect(application.attributes.safeParse(sample.attributes ?? {}).success).toBe(true);
      expect(application.attributes.safeParse({ ...sample.attributes, surplus: 1 }).success).toBe(false);
      expect(endpoint.credentials.safeParse({ ...sample.credentials, surplus: '1' }).success).toBe(false);
    });

    it('names its credentials, issues those it says, and leaves alone what it issued', () => {
      const { credentialNames, issuedCredentialNames, issueCredentials } = contract.endpoint;
      const { credentials } = issueCredentials(contract.endpoint.credentials.parse(sample.credentials ?? {}));
      expect(credentialNames).toEqual(expect.arrayContaining(Object.keys(credentials)));
      const kept = Object.entries(credentials).filter(([name]) => !issuedCredentialNames.includes(name));
      expect(Object.keys(issueCredentials(Object.fromEntries(kept)).issued)).toEqual(issuedCredentialNames);
      expect(issueCredentials(credentials)).toEqual({ credentials, issued: {} });
    });

    it('builds an accepted event into UTF-8 JSON, the same bytes each time', () => {
      const { body, publicId, occurredAt } = deliveryOf(contract, sample);
      expect(deliveryOf(contract, sample).body.equals(body)).toBe(true);
      expect(Buffer.from(body.toString('utf8')).equals(body)).toBe(true);
      expect(() => parseJsonSource(body.toString('utf8'))).not.toThrow();
      expect(publicId).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/);
      expect(occurredAt).toEqual(SAMPLE_TIME);
    });

    it('answers any type, time and data with an event or with problems, and never throws', () => {
      const types = contract.eventTypes.map(({ name }) => name);
      const names = contract.eventTypes.flatMap(({ fields }) => fields.map(({ name }) => name));
      const members = fc.dictionary(fc.constantFrom('surplus', '__proto__', ...names), fc.jsonValue());
      const data = fc.oneof(
        fc.json(),
        fc.string(),
        members.map((value) => JSON.stringify(value)),
      );
      fc.assert(
        fc.property(
          fc.oneof(fc.constantFrom(...types), fc.string()),
          fc.option(fc.date({ noInvalidDate: true, max: new Date('2100-01-01') })),
          data,
          (type, occurredAt, dataJson) => {
            const event = publishedSample(contract, sample);
            const result = contract.buildEvent({ ...event, type, occurredAt, dataJson });
            if (result.ok) return;
            expect(result.problems.length).toBeGreaterThan(0);
            for (const { pointer, code, message } of result.problems) {
              expect(pointer).toMatch(/^(?:\/|$)/);
              expect(code).toMatch(/^[A-Z_]+$/);
              expect(message).toMatch(/\.$/);
            }
          },
        ),
      );
    });

    it('sends the headers that it names, in their order, each fit for the wire', () => {
      const sent = deliveryOf(contract, sample).headers;
      const names = sent.map(([name]) => name);
      expect(names).toEqual(contract.headerNames.filter((name) => names.includes(name)));
      for (const [name, value] of sent) {
        expect(name).toMatch(/^[A-Za-z0-9-]+$/);
        expect(['host', 'content-length', 'connection']).not.toContain(name.toLowerCase());
        expect(value).toMatch(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);
      }
    });

    it('refuses to send a delivery without its keys', () => {
      const attempt = {
        url: 'https://receiver.example/',
        body: Buffer.from('{}'),
        at: SAMPLE_TIME,
        deliveryId: '1',
      };
      const event = { eventType: sample.type, publicId: 'evt-1' };
      const unsigned = { ...attempt, ...event, credentials: {}, applicationSecret: null };
      expect(() => contract.headers(unsigned)).toThrow('Delivery 1 lacks');
    });
  });
}
