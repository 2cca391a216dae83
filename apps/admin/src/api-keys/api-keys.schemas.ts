import { ROLES } from '#domain/principal.js';
import { publicId } from '#http/ids.js';
import { lineOfText } from '#http/line-of-text.js';
import { idPosition, isoTime, listQuery } from '#http/list-query.js';
import { z } from 'zod';

export const newApiKey = z.strictObject({
  name: lineOfText(100).min(1),
  role: z.enum(ROLES),
  applications: z.array(publicId).min(1).max(1000).nullable().default(null),
  rateLimitPerSecond: z.int().min(1).max(1_000_000).nullable().default(null),
  expiresAt: isoTime.nullable().default(null),
});

export const apiKeysQuery = listQuery('api-keys', {}, idPosition);
