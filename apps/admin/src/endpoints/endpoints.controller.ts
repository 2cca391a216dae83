import type { Principal } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { decimalId } from '#http/ids.js';
import { EndpointRegistry } from '#registration/endpoint-registry.js';
import { EndpointSwitches } from '#registration/endpoint-switches.js';
import type { TestAttempt } from '#registration/verification.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { z } from 'zod';
import type { EndpointAnswer } from './endpoint-answer.js';
import { EndpointReader, type RegisteredEndpointAnswer } from './endpoint-reader.js';
import { credentialsRotation, disabling, endpointPatch } from './endpoints.schemas.js';

@Controller('v1/endpoints/:id')
@Roles('manager')
export class EndpointsController {
  constructor(
    private readonly registry: EndpointRegistry,
    private readonly switches: EndpointSwitches,
    private readonly reader: EndpointReader,
  ) {}

  @Get()
  @Roles('manager', 'operator')
  async one(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer> {
    return this.reader.answer(await this.registry.get(id, principal));
  }

  @Patch()
  async change(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Body({ schema: endpointPatch }) patch: z.output<typeof endpointPatch>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<RegisteredEndpointAnswer> {
    return this.reader.registered(await this.registry.change(id, patch, principal));
  }

  @Delete()
  @HttpCode(204)
  async revoke(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    await this.switches.revoke(id, principal);
  }

  @Post('enable')
  @HttpCode(200)
  @Roles('manager', 'operator')
  async enable(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer & { suppressedCount: number }> {
    const { endpoint, suppressed } = await this.switches.enable(id, principal);
    return { ...(await this.reader.answer(endpoint)), suppressedCount: suppressed };
  }

  @Post('disable')
  @HttpCode(200)
  @Roles('manager', 'operator')
  async disable(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Body({ schema: disabling }) { reason }: z.output<typeof disabling>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer> {
    return this.reader.answer(await this.switches.disable(id, reason ?? null, principal));
  }

  @Post('pause')
  @HttpCode(200)
  @Roles('manager', 'operator')
  async pause(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer> {
    return this.reader.answer(await this.switches.pause(id, principal));
  }

  @Post('resume')
  @HttpCode(200)
  @Roles('manager', 'operator')
  async resume(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer & { overdueCount: number }> {
    const { endpoint, overdue } = await this.switches.resume(id, principal);
    return { ...(await this.reader.answer(endpoint)), overdueCount: overdue };
  }

  @Post('cancel-pending')
  @HttpCode(200)
  @Roles('manager', 'operator')
  async cancelPending(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<{ canceledCount: number }> {
    return { canceledCount: await this.switches.cancelPending(id, principal) };
  }

  @Post('rotate-secret')
  @HttpCode(200)
  async rotateSecret(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Body({ schema: credentialsRotation }) { activateAt }: z.output<typeof credentialsRotation>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer & { issuedCredentials: Readonly<Record<string, string>> }> {
    const { endpoint, issuedCredentials } = await this.registry.rotateCredentials(id, activateAt, principal);
    return { ...(await this.reader.answer(endpoint)), issuedCredentials };
  }

  @Post('verify')
  @HttpCode(200)
  @Roles('manager', 'operator')
  verify(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<{ ok: boolean; attempt: TestAttempt }> {
    return this.registry.verifyEndpoint(id, principal);
  }
}
