import type { Schemas } from '#client/api-call.js';

export type Role = Schemas['ApiKey']['role'];

/**
 * Which roles may make a call, by the name of its operation; `admin` may make all. The API decides, and a test holds
 * this to its document: what a role may not do is not shown to it.
 */
const ROLES_OF = {
  listApiKeys: [],
  listApplications: ['manager', 'operator'],
  getEndpoint: ['manager', 'operator'],
  enableEndpoint: ['manager', 'operator'],
  disableEndpoint: ['manager', 'operator'],
  pauseEndpoint: ['manager', 'operator'],
  resumeEndpoint: ['manager', 'operator'],
  verifyEndpoint: ['manager', 'operator'],
  cancelPending: ['manager', 'operator'],
  listDeliveries: ['producer', 'operator'],
  listEvents: ['producer', 'operator'],
  followAttempts: ['producer', 'operator'],
  redeliver: ['operator'],
  cancelDelivery: ['operator'],
  redeliverDeadLetters: ['operator'],
  replayEndpoint: ['operator'],
  groupDeadLetters: ['operator'],
  listReplays: ['operator'],
  cancelReplay: ['operator'],
  listRejections: ['operator'],
  readStats: ['operator'],
  listAudit: ['operator'],
} as const satisfies Record<string, readonly Exclude<Role, 'admin'>[]>;

export type Operation = keyof typeof ROLES_OF;

export function mayCall(role: Role, operation: Operation): boolean {
  return role === 'admin' || (ROLES_OF[operation] as readonly Role[]).includes(role);
}

/** All that is asked about, for the test. */
export const OPERATIONS = Object.keys(ROLES_OF) as Operation[];
