import type { DeafReceiverProcess } from '../processes/deaf-receiver-process.js';
import type { UnwellReceiverProcess } from '../processes/unwell-receiver-process.js';

export interface Unwell {
  readonly receiver: UnwellReceiverProcess;
  readonly deaf: DeafReceiverProcess;
}

/** Something that goes on beside healthy endpoints and must not harm them. */
export interface Disturbance {
  readonly id: string;
  readonly title: string;
  /** Endpoints that get events beside the measured ones, and how many of them are not well. */
  readonly endpoints: number;
  readonly unwell: number;
  readonly perSecond: number;
  /** Where the webhook of an unwell one is, by its number. */
  readonly urlOf: (unwell: Unwell, number: number) => string;
  /** Whether the unwell ones were well until the moment they are measured. */
  readonly wereWell: boolean;
  /** A limit of descriptors for the product, and so a process of its own. */
  readonly descriptorLimit?: number;
}

const PER_ENDPOINT_PER_SECOND = 4;

export const DISTURBANCES: readonly Disturbance[] = [
  {
    ...beside(50, 10),
    id: 'isolation/hanging/10',
    title: '100 endpoints, 10 of them new and hanging',
    urlOf: hanging,
  },
  {
    ...beside(50, 50),
    id: 'isolation/hanging/50',
    title: '100 endpoints, 50 of them new and hanging',
    urlOf: hanging,
  },
  {
    ...beside(50, 50),
    id: 'isolation/begin-to-hang/50',
    title: '100 endpoints, 50 of which begin to hang',
    urlOf: ({ receiver }, number) => receiver.urlOf('turning', number),
    wereWell: true,
  },
  {
    ...beside(1, 1),
    id: 'isolation/slow/1',
    title: '50 endpoints beside one that takes 9 s and gets 120/s',
    perSecond: 120,
    urlOf: ({ receiver }, number) => receiver.urlOf('slow', number),
  },
  {
    ...beside(50, 50),
    id: 'isolation/unresolved/50',
    title: '100 endpoints, the names of 50 do not resolve',
    urlOf: (_, number) => `http://never-${number}.bench.example`,
  },
  {
    ...beside(1_000, 1_000),
    id: 'isolation/dead/1000',
    title: '50 endpoints beside 1,000 dead ones, 1,024 descriptors',
    perSecond: 300,
    // Every second one refuses, the others do not accept.
    urlOf: ({ deaf }, number) =>
      `http://127.2.${number >> 8}.${number & 255}:${number % 2 === 0 ? 9 : deaf.port}`,
    descriptorLimit: 1_024,
  },
];

function beside(endpoints: number, unwell: number) {
  return { endpoints, unwell, perSecond: endpoints * PER_ENDPOINT_PER_SECOND, wereWell: false };
}

function hanging({ receiver }: Unwell, number: number): string {
  return receiver.urlOf('hanging', number);
}
