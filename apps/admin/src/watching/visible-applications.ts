import { coversApplication, type Principal } from '#domain/principal.js';

/** The applications that a list may look at: those asked for that the key covers; null for all. */
export function visibleApplications(
  principal: Principal,
  asked: readonly string[] | undefined,
): readonly string[] | null {
  if (asked === undefined) return principal.applications;
  return asked.filter((application) => coversApplication(principal, application));
}
