import { ROLES } from '#domain/principal.js';
import { publicId } from '#http/ids.js';
import { idPosition, isoTime, listQuery } from '#http/list-query.js';
import { z } from 'zod';

export const newApiKey = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^\P{Cc}*$/u, 'The name holds a control character. Send one line of text.'),
  role: z.enum(ROLES),
  applications: z.array(publicId).min(1).max(1000).nullable().default(null),
  expiresAt: isoTime.nullable().default(null),
});

export const apiKeysQuery = listQuery('api-keys', {}, idPosition);
