import type { Contract } from '#contracts/contract.js';
import { type ApplicationSettings, policyAsSettings } from '#contracts/delivery-policy.js';
import { CONTRACT_NAMES, contractNamed, findContract } from '#contracts/registry.js';
import { DomainError } from '#domain/errors.js';
import { Roles } from '#http/access.js';
import { Controller, Get, Param } from '@nestjs/common';
import { z } from 'zod';

export interface ContractAnswer {
  name: string;
  title: string;
  eventTypes: Contract['eventTypes'];
  eventIdentity: Contract['eventIdentity'];
  /** Whether an application has a secret, and one webhook beside its endpoints. */
  applicationSecret: boolean;
  webhook: boolean;
  endpoint: { eventTypes: Contract['endpoint']['eventTypes']; credentials: readonly string[] };
  url: Pick<Contract['url'], 'schemes' | 'maxLength' | 'used'>;
  /** The type of the event that verifies an endpoint; null where there is none. */
  testEvent: string | null;
  headers: readonly string[];
  /** In the words of an application's `settings`. */
  defaults: Required<ApplicationSettings>;
  exhausted: Contract['policy']['exhausted'];
}

/** What can be sent under each contract, and how: for people and for clients that check before they publish. */
@Controller('v1/contracts')
@Roles('producer', 'manager', 'operator')
export class ContractsController {
  @Get()
  list(): { items: ContractAnswer[]; nextCursor: null } {
    return { items: CONTRACT_NAMES.map((name) => contractAnswer(contractNamed(name))), nextCursor: null };
  }

  @Get(':name')
  one(@Param('name', { schema: z.string() }) name: string): ContractAnswer {
    const contract = findContract(name);
    if (contract) return contractAnswer(contract);
    throw new DomainError(
      'NOT_FOUND',
      `There is no contract "${name}". Known are ${CONTRACT_NAMES.join(', ')}.`,
    );
  }
}

function contractAnswer(contract: Contract): ContractAnswer {
  const { name, title, eventTypes, eventIdentity, application, endpoint, url, testEvent, policy } = contract;
  return {
    name,
    title,
    eventTypes,
    eventIdentity,
    applicationSecret: application.secret !== null,
    webhook: endpoint.hasWebhook,
    endpoint: { eventTypes: endpoint.eventTypes, credentials: endpoint.credentialNames },
    url: { schemes: url.schemes, maxLength: url.maxLength, used: url.used },
    testEvent: testEvent?.type ?? null,
    headers: contract.headerNames,
    defaults: policyAsSettings(policy),
    exhausted: policy.exhausted,
  };
}
