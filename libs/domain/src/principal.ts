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

export function coversApplication(principal: Principal, applicationId: string): boolean {
  return principal.applications === null || principal.applications.includes(applicationId);
}
