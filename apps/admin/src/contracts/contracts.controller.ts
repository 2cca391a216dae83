import { CONTRACT_NAMES, contractNamed, findContract } from '#contracts/registry.js';
import { DomainError } from '#domain/errors.js';
import { Roles } from '#http/access.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { Controller, Get, Param } from '@nestjs/common';
import { z } from 'zod';
import { type ContractAnswer, contractAnswer, contractAnswerSchema } from './contract-answer.js';

/** What can be sent under each contract, and how: for people and for clients that check before they publish. */
@Topic('Contracts', 'What can be sent, and how.')
@Controller('v1/contracts')
@Roles('producer', 'manager', 'operator')
export class ContractsController {
  @Get()
  @Operation({
    id: 'listContracts',
    summary: 'List the contracts',
    answers: {
      200: {
        description: 'All of them.',
        schema: z.object({ items: z.array(contractAnswerSchema), nextCursor: z.null() }),
      },
    },
  })
  list(): { items: ContractAnswer[]; nextCursor: null } {
    return { items: CONTRACT_NAMES.map((name) => contractAnswer(contractNamed(name))), nextCursor: null };
  }

  @Get(':name')
  @Operation({
    id: 'getContract',
    summary: 'Read a contract',
    answers: { 200: { description: 'The contract.', schema: contractAnswerSchema } },
  })
  one(@Param('name', { schema: z.string() }) name: string): ContractAnswer {
    const contract = findContract(name);
    if (contract) return contractAnswer(contract);
    throw new DomainError(
      'NOT_FOUND',
      `There is no contract "${name}". Known are ${CONTRACT_NAMES.join(', ')}.`,
    );
  }
}
