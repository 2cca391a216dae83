/**
 * What the erasure of a deleted application goes through, in this order: deliveries and their attempts, endpoint
 * by endpoint; events and their keys; what was refused; what waits to be announced; the values in the audit; at
 * last what the application was called and how it was set.
 */
export const ERASURE_PHASES = [
  'deliveries',
  'events',
  'rejections',
  'outbox',
  'audit',
  'application',
] as const;
export type ErasurePhase = (typeof ERASURE_PHASES)[number];

/** The erasure of all data of a deleted application, which runs in the background. */
export interface ApplicationErasure {
  readonly applicationId: string;
  readonly state: 'running' | 'done';
  /** Rows erased so far. */
  readonly deliveries: number;
  readonly attempts: number;
  readonly events: number;
  /** Why its last step failed, while it is tried again. */
  readonly failure: string | null;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
}
