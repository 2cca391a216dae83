import { randomBytes } from 'node:crypto';
import { z } from 'zod';

const API_KEY_PREFIX = 'sb_wk_';
const SECRET_PREFIX = 'sb_ws_';

const apiKey = z
  .string({ error: 'apiKey is text: the api key that receivers look the secret up by.' })
  // It stands between double quotes in a header, and receivers end it at the first one (CC-32).
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/, {
    error: ({ input }) =>
      `apiKey ${flaw(input, /[^\x21\x23-\x5b\x5d-\x7e]/u)}. Use 1 to 256 visible ASCII characters without spaces, double quotes and backslashes.`,
  })
  .refine((text) => !text.startsWith(SECRET_PREFIX), {
    error: `apiKey begins with ${SECRET_PREFIX}, as secrets do, and would be sent in a header. Check that the two are not exchanged.`,
  })
  .describe(`Sent in every delivery, ${API_KEY_PREFIX}…; generated with the secret when both are absent.`);

const secret = z
  .string({ error: 'secret is text: the key that signs the deliveries to this destination.' })
  .regex(/^[\x21-\x7e]{1,256}$/, {
    error: ({ input }) =>
      `secret ${flaw(input, /[^\x21-\x7e]/u)}. Use 1 to 256 visible ASCII characters without spaces.`,
  })
  .refine((text) => !text.startsWith(API_KEY_PREFIX), {
    error: `secret begins with ${API_KEY_PREFIX}, as api keys do. Check that the two are not exchanged.`,
  })
  .describe(`Signs, ${SECRET_PREFIX}…; generated with the api key when both are absent.`);

const ownKey = z
  .string({ error: 'ownKey is text: the second factor that the receiver chose.' })
  .min(1, { error: 'ownKey is empty. Send the key that the receiver chose, or leave it out.' })
  .refine((text) => text.isWellFormed(), {
    error: 'ownKey has half of a surrogate pair, which no receiver could turn into bytes. Send Unicode text.',
  })
  .describe('The key of X-Webhook-Client-Token: any non-empty text, never sent.');

/** An existing pair, so that a running integration moves here unchanged, and an own key (CC-04, CC-05). */
export const credentialsSchema = z
  .strictObject({
    apiKey: z.exactOptional(apiKey),
    secret: z.exactOptional(secret),
    ownKey: z.exactOptional(ownKey),
  })
  .superRefine((credentials, context) => {
    const given = (['apiKey', 'secret'] as const).filter((name) => credentials[name] !== undefined);
    if (given.length !== 1) return;
    const missing = given[0] === 'apiKey' ? 'secret' : 'apiKey';
    context.addIssue({
      code: 'custom',
      path: [missing],
      params: { code: 'REQUIRED' },
      message: `${missing} is missing beside ${given[0]}. Send both of an existing pair, or neither for a new one.`,
    });
  });

/** Completes what was supplied by a pair of 128 and 256 random bits; a supplied pair stands (CC-04). */
export function issueCredentials(supplied: Readonly<Record<string, string>>): {
  credentials: Readonly<Record<string, string>>;
  issued: Readonly<Record<string, string>>;
} {
  if (supplied['apiKey'] !== undefined && supplied['secret'] !== undefined) {
    return { credentials: supplied, issued: {} };
  }
  const issued = {
    apiKey: `${API_KEY_PREFIX}${randomBytes(16).toString('hex')}`,
    secret: `${SECRET_PREFIX}${randomBytes(32).toString('hex')}`,
  };
  return { credentials: { ...supplied, ...issued }, issued };
}

/** Names the place and never the value. */
function flaw(input: unknown, foreign: RegExp): string {
  const text = String(input);
  const found = foreign.exec(text);
  if (!found) return `has ${text.length} characters`;
  const hex = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `has U+${hex} at character ${found.index + 1}`;
}
