import { applicationSettingsSchema } from '#contracts/delivery-policy.js';
import { contractNamed } from '#contracts/registry.js';
import type { ApplicationEntity } from '#storage/entities/application.entity.js';
import { z } from 'zod';

const APPLICATION_EXAMPLE = {
  id: 'acme',
  name: 'Acme Ltda',
  contract: 'tf-fiscal',
  environment: 'production',
  attributes: {},
  settings: { timeout: '5s' },
  secret: { set: true, nextActivatesAt: null },
  createdAt: '2025-01-31T12:00:00.000Z',
  updatedAt: '2025-01-31T12:00:00.000Z',
};

export const applicationAnswerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    contract: z.string(),
    environment: z.string(),
    attributes: z.record(z.string(), z.unknown()).describe('As the contract asks for them; fixed once set.'),
    settings: applicationSettingsSchema.describe("What overrides the contract's defaults, and only that."),
    secret: z
      .object({
        set: z.literal(true),
        nextActivatesAt: z
          .date()
          .nullable()
          .describe('When a rotation that was set takes effect, or took it.'),
      })
      .nullable()
      .describe('Null where the contract has no secret of the application.'),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Application', examples: [APPLICATION_EXAMPLE] });

export type ApplicationAnswer = z.infer<typeof applicationAnswerSchema>;

/** With the secret that was just set: it is shown once. */
export const issuedApplicationAnswerSchema = applicationAnswerSchema
  .extend({
    issuedCredentials: z
      .object({ secret: z.string() })
      .optional()
      .describe('Shown now and never again, where a secret was set.'),
  })
  .meta({
    id: 'IssuedApplication',
    examples: [
      { ...APPLICATION_EXAMPLE, issuedCredentials: { secret: 'whsec-0123456789abcdef0123456789abcdef' } },
    ],
  });

export type IssuedApplicationAnswer = z.infer<typeof issuedApplicationAnswerSchema>;

export function applicationAnswer(application: ApplicationEntity): ApplicationAnswer {
  const { id, name, contract, environment, attributes, settings, nextSecretAt, createdAt, updatedAt } =
    application;
  const hasSecret = contractNamed(contract).application.secret !== null;
  return {
    id,
    name,
    contract,
    environment,
    attributes,
    settings,
    secret: hasSecret ? { set: true, nextActivatesAt: nextSecretAt } : null,
    createdAt,
    updatedAt,
  };
}
