import { applicationSettingsSchema } from '#contracts/delivery-policy.js';
import { CONTRACT_NAMES } from '#contracts/registry.js';
import { publicId } from '#http/ids.js';
import { lineOfText } from '#http/line-of-text.js';
import { commaList, isoTime, listQuery, textPosition } from '#http/list-query.js';
import { z } from 'zod';

const label = lineOfText(200).min(1);
const environment = lineOfText(64).min(1);
const attributes = z.record(z.string(), z.unknown());

export const applicationToPut = z.strictObject({
  name: label,
  contract: z.enum(CONTRACT_NAMES),
  environment: environment.optional(),
  attributes: attributes.optional(),
  secret: z.string().optional(),
  settings: applicationSettingsSchema.optional(),
});

export const applicationToCreate = applicationToPut.extend({ id: publicId.optional() });

/** Settings of a merge patch: null returns to the contract's default. */
const settingsPatch = z.strictObject(
  Object.fromEntries(
    Object.entries(applicationSettingsSchema.shape).map(([name, schema]) => [name, schema.nullable()]),
  ) as {
    [Name in keyof typeof applicationSettingsSchema.shape]: z.ZodNullable<
      (typeof applicationSettingsSchema.shape)[Name]
    >;
  },
);

export const applicationPatch = z.strictObject({
  name: label.optional(),
  environment: environment.optional(),
  attributes: attributes.optional(),
  settings: settingsPatch.nullable().optional(),
});

export const secretRotation = z
  .strictObject({ secret: z.string().optional(), activateAt: isoTime.optional() })
  .default({});

export const applicationDeletion = z.strictObject({
  erase: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
});

export const applicationsQuery = listQuery(
  'applications',
  { contract: commaList(z.string()).optional(), environment: commaList(z.string()).optional() },
  textPosition,
);
