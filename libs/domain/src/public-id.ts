/** Ids that callers choose: of applications and of events. */
export const PUBLIC_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

/** What to say of a text that is none. */
export function publicIdRefusal(sent: unknown): string {
  return (
    `${JSON.stringify(String(sent).slice(0, 80))} cannot be an id. Send 1 to 64 letters, digits, ".", "_", ":" ` +
    'or "-", the first a letter or digit.'
  );
}
