import { contractNamed } from '#contracts/registry.js';
import type { ApplicationEntity } from '#storage/entities/application.entity.js';

export interface ApplicationAnswer {
  id: string;
  name: string;
  contract: string;
  environment: string;
  attributes: Readonly<Record<string, unknown>>;
  /** What overrides the contract's defaults, and only that. */
  settings: Readonly<Record<string, unknown>>;
  /** Null where the contract has no secret of the application. */
  secret: { set: true; nextActivatesAt: Date | null } | null;
  createdAt: Date;
  updatedAt: Date;
}

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
