import { randomBytes } from 'node:crypto';
import { z } from 'zod';

/**
 * The token is echoed verbatim in two headers, so what cannot be a header value is refused when it is
 * registered and not when it is sent (TF-04). Inner spaces are allowed; outer ones would be trimmed on the way.
 */
export const credentialsSchema = z.strictObject(
  {
    token: z
      .string({
        error: 'token is required: the text that every delivery carries in the headers token and x-token.',
      })
      .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/, {
        error: ({ input }) =>
          fault('token', input, 1, 512, 'visible ASCII characters, with spaces only between them'),
      })
      .describe('1 to 512 visible ASCII characters, with spaces only between them; sent verbatim.'),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? 'credentials have one member, token.' : undefined,
  },
);

/** The key that signs all deliveries of an application (TF-06). */
export const applicationSecretSchema = z
  .string({ error: 'secret is text: 16 to 256 visible ASCII characters.' })
  .regex(/^[\x21-\x7e]{16,256}$/, {
    error: ({ input }) => fault('secret', input, 16, 256, 'visible ASCII characters without spaces'),
  })
  .describe('app_secret: 16 to 256 visible ASCII characters without spaces.');

/** 32 random bytes in hex. The 64 characters themselves are the key, as receivers configure them. */
export function generateApplicationSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Names the place and never the value, for both are secret. */
function fault(name: string, input: unknown, min: number, max: number, alphabet: string): string {
  const text = String(input);
  const foreign = /[^\x20-\x7e]/u.exec(text);
  const found = foreign
    ? `has U+${(foreign[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} at character ${foreign.index + 1}`
    : `has ${text.length} characters${/\s/.test(text) ? ', spaces among them' : ''}`;
  return `${name} ${found}. Use ${min} to ${max} ${alphabet}.`;
}
