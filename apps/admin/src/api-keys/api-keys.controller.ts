import { randomBytes } from 'node:crypto';
import { DomainError } from '#domain/errors.js';
import { coversApplication, type Principal, type Role } from '#domain/principal.js';
import { parseTimeOrderedId, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { ApiKeyAuthenticator, digestOf } from '#http/api-key-authenticator.js';
import { decimalId } from '#http/ids.js';
import { type Page, pageOf } from '#http/list-query.js';
import { validationFailed } from '#http/validation.js';
import { type ApiKey, ApiKeyRepository } from '#storage/api-key.repository.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import { apiKeysQuery, newApiKey } from './api-keys.schemas.js';

/** Bits of a key that nobody can guess; the prefix tells a scanner of leaked secrets whose it is. */
const KEY_BYTES = 32;
const KEY_PREFIX = 'entrega_';

interface ApiKeyAnswer {
  id: string;
  name: string;
  role: Role;
  applications: readonly string[] | null;
  createdAt: string | null;
  expiresAt: string | null;
}

/** Keys to the API. A key that is limited to applications sees, makes and deletes only keys within its limits. */
@Roles('admin')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(
    private readonly repository: ApiKeyRepository,
    private readonly authenticator: ApiKeyAuthenticator,
  ) {}

  @Post()
  async create(
    @Body({ schema: newApiKey }) body: z.output<typeof newApiKey>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ApiKeyAnswer & { key: string }> {
    refuseBeyond(principal, body.applications);
    if (body.expiresAt !== null && body.expiresAt.getTime() <= Date.now()) {
      const message = `${body.expiresAt.toISOString()} has passed. Send a time to come, or leave it out.`;
      throw validationFailed([{ pointer: '/expiresAt', code: 'IN_THE_PAST', message }]);
    }
    const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
    const created = await this.repository.create({ ...body, digest: digestOf(key) });
    return { ...answerOf(created), key };
  }

  @Get()
  async list(
    @Query({ schema: apiKeysQuery }) query: z.output<typeof apiKeysQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<ApiKeyAnswer>> {
    const keys = await this.repository.list(principal.applications, query.after, query.limit + 1);
    return pageOf(query, keys, (key) => key.id, answerOf);
  }

  /** The key that asks: what a client can find out about itself, whatever its role. */
  @Get('current')
  @Roles('producer', 'manager', 'operator')
  async current(@CurrentPrincipal() principal: Principal): Promise<ApiKeyAnswer> {
    const id = parseTimeOrderedId(principal.id);
    const key = id === null ? null : await this.repository.find(id);
    return key === null ? { ...principal, createdAt: null, expiresAt: null } : answerOf(key);
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    const digest = await this.repository.revoke(principal.applications, id);
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

function answerOf(key: ApiKey): ApiKeyAnswer {
  return {
    id: String(key.id),
    name: key.name,
    role: key.role,
    applications: key.applications,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt && key.expiresAt.toISOString(),
  };
}
