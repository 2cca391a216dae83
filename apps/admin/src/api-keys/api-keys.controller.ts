import { randomBytes } from 'node:crypto';
import { auditedChanges } from '#domain/audit.js';
import { DomainError } from '#domain/errors.js';
import { type Caller, coversApplication, type Principal } from '#domain/principal.js';
import { parseTimeOrderedId, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { CurrentCaller, CurrentPrincipal, Roles } from '#http/access.js';
import { ApiKeyAuthenticator, digestOf } from '#http/api-key-authenticator.js';
import { decimalId } from '#http/ids.js';
import { type Page, pageOf, pageSchema } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { validationFailed } from '#http/validation.js';
import { ApiKeyRepository } from '#storage/api-key.repository.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import {
  type ApiKeyAnswer,
  apiKeyAnswer,
  apiKeyAnswerSchema,
  type NewApiKeyAnswer,
  newApiKeyAnswerSchema,
} from './api-key-answer.js';
import { apiKeysQuery, newApiKey } from './api-keys.schemas.js';

/** Bits of a key that nobody can guess; the prefix tells a scanner of leaked secrets whose it is. */
const KEY_BYTES = 32;
const KEY_PREFIX = 'entrega_';

/** Keys to the API. A key that is limited to applications sees, makes and deletes only keys within its limits. */
@Roles('admin')
@Topic('API keys', 'Who may call.')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(
    private readonly repository: ApiKeyRepository,
    private readonly authenticator: ApiKeyAuthenticator,
  ) {}

  @Post()
  @Operation({
    id: 'createApiKey',
    summary: 'Make an API key',
    description: 'A key that is limited to applications makes only keys within its limits.',
    answers: { 201: { description: 'Made.', schema: newApiKeyAnswerSchema } },
    refusals: ['APPLICATION_NOT_ALLOWED'],
    bodyExamples: {
      shop: { name: 'shop', role: 'producer', applications: ['acme'], rateLimitPerSecond: 100 },
      onCall: { name: 'on-call', role: 'operator', expiresAt: '2030-01-31T12:00:00Z' },
    },
  })
  async create(
    @Body({ schema: newApiKey }) body: z.output<typeof newApiKey>,
    @CurrentCaller() caller: Caller,
  ): Promise<NewApiKeyAnswer> {
    refuseBeyond(caller, body.applications);
    if (body.expiresAt !== null && body.expiresAt.getTime() <= Date.now()) {
      const message = `${body.expiresAt.toISOString()} has passed. Send a time to come, or leave it out.`;
      throw validationFailed([{ pointer: '/expiresAt', code: 'IN_THE_PAST', message }]);
    }
    const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
    const created = await this.repository.create({ ...body, digest: digestOf(key) }, (_, made) => ({
      by: caller,
      action: 'api_key.created',
      resourceId: String(made.id),
      applicationId: null,
      changes: auditedChanges(null, {
        name: made.name,
        role: made.role,
        applications: made.applications,
        rateLimitPerSecond: made.rateLimitPerSecond,
        expiresAt: made.expiresAt,
      }),
    }));
    return { ...apiKeyAnswer(created), key };
  }

  @Get()
  @Operation({
    id: 'listApiKeys',
    summary: 'List API keys, the newest first',
    answers: { 200: { description: 'A page.', schema: pageSchema(apiKeyAnswerSchema) } },
  })
  async list(
    @Query({ schema: apiKeysQuery }) query: z.output<typeof apiKeysQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<ApiKeyAnswer>> {
    const keys = await this.repository.list(principal.applications, query.after, query.limit + 1);
    return pageOf(query, keys, (key) => key.id, apiKeyAnswer);
  }

  /** The key that asks: what a client can find out about itself, whatever its role. */
  @Get('current')
  @Roles('producer', 'manager', 'operator')
  @Operation({
    id: 'getCurrentApiKey',
    summary: 'Read the key that asks',
    answers: { 200: { description: 'The key.', schema: apiKeyAnswerSchema } },
  })
  async current(@CurrentPrincipal() principal: Principal): Promise<ApiKeyAnswer> {
    const id = parseTimeOrderedId(principal.id);
    const key = id === null ? null : await this.repository.find(id);
    if (key) return apiKeyAnswer(key);
    return { ...principal, rateLimitPerSecond: null, createdAt: null, expiresAt: null };
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    id: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'It is refused at once by the process that deleted it, and within 5 s by others.',
    answers: { 204: { description: 'Deleted.' } },
  })
  async delete(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    const digest = await this.repository.revoke(caller.applications, id, {
      by: caller,
      action: 'api_key.deleted',
      resourceId: String(id),
      applicationId: null,
      changes: {},
    });
    if (digest === null) throw new DomainError('NOT_FOUND', `There is no API key ${id}.`);
    this.authenticator.forget(digest);
  }
}

/** Nobody hands out more than they have. */
function refuseBeyond(principal: Principal, applications: readonly string[] | null): void {
  if (principal.applications === null) return;
  const beyond = applications?.find((application) => !coversApplication(principal, application));
  if (applications !== null && beyond === undefined) return;
  throw new DomainError(
    'APPLICATION_NOT_ALLOWED',
    beyond === undefined
      ? `This key covers only ${principal.applications.join(', ')}. Send applications with some of these.`
      : `This key does not cover the application "${beyond}". It covers ${principal.applications.join(', ')}.`,
  );
}
