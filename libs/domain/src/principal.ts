export const ROLES = ['producer', 'manager', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who calls: the API key behind a request. */
export interface Principal {
  /** The key's id as a decimal string; `bootstrap` for the key of ADMIN_KEY. */
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The only applications it covers; null for all. */
  readonly applications: readonly string[] | null;
}

/** Who calls, and by which request: what the audit names. */
export interface Caller extends Principal {
  /** The `X-Request-Id` of its answer. */
  readonly requestId: string;
}

export function coversApplication(principal: Principal, applicationId: string): boolean {
  return principal.applications === null || principal.applications.includes(applicationId);
}
