import type { Caller, Principal } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { CurrentCaller, CurrentPrincipal, Roles } from '#http/access.js';
import { decimalId } from '#http/ids.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { EndpointRegistry } from '#registration/endpoint-registry.js';
import { EndpointSwitches } from '#registration/endpoint-switches.js';
import type { TestAttempt } from '#registration/verification.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { z } from 'zod';
import { testAttemptSchema } from '../watching/attempt-answer.js';
import {
  type EnabledEndpointAnswer,
  enabledEndpointAnswerSchema,
  type EndpointAnswer,
  endpointAnswerSchema,
  type RegisteredEndpointAnswer,
  registeredEndpointAnswerSchema,
  type ResumedEndpointAnswer,
  resumedEndpointAnswerSchema,
  type RotatedEndpointAnswer,
  rotatedEndpointAnswerSchema,
} from './endpoint-answer.js';
import { EndpointReader } from './endpoint-reader.js';
import { credentialsRotation, disabling, endpointPatch } from './endpoints.schemas.js';
import { REGISTRATION_REFUSALS, VERIFICATION_MEMBERS } from './registration-refusals.js';

@Topic('Endpoints', 'Where they are sent.')
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
  @Operation({
    id: 'getEndpoint',
    summary: 'Read an endpoint',
    answers: {
      200: { description: 'The endpoint; revoked ones are found too.', schema: endpointAnswerSchema },
    },
  })
  async one(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer> {
    return this.reader.answer(await this.registry.get(id, principal));
  }

  @Patch()
  @Operation({
    id: 'patchEndpoint',
    summary: 'Change an endpoint',
    description:
      'A JSON Merge Patch: what is absent stays, a null credential is removed. Another URL neither enables the endpoint ' +
      'nor forgets its failures.',
    answers: { 200: { description: 'Changed.', schema: registeredEndpointAnswerSchema } },
    refusals: ['ENDPOINT_REVOKED', ...REGISTRATION_REFUSALS],
    refusalMembers: VERIFICATION_MEMBERS,
    bodyExamples: {
      url: { url: 'https://example.com/new' },
      token: { credentials: { token: 'another-token-012345' } },
    },
  })
  async change(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Body({ schema: endpointPatch }) patch: z.output<typeof endpointPatch>,
    @CurrentCaller() caller: Caller,
  ): Promise<RegisteredEndpointAnswer> {
    return this.reader.registered(await this.registry.change(id, patch, caller));
  }

  @Delete()
  @HttpCode(204)
  @Operation({
    id: 'deleteEndpoint',
    summary: 'Revoke an endpoint',
    description: 'What waits for it is canceled. It is listed only with `state=revoked`.',
    answers: { 204: { description: 'Revoked.' } },
  })
  async revoke(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.switches.revoke(id, caller);
  }

  @Post('enable')
  @HttpCode(200)
  @Roles('manager', 'operator')
  @Operation({
    id: 'enableEndpoint',
    summary: 'Enable an endpoint',
    description:
      'Its failures are forgotten. What it missed is counted and can be replayed; nothing is sent by itself.',
    answers: { 200: { description: 'Enabled.', schema: enabledEndpointAnswerSchema } },
    refusals: ['ENDPOINT_REVOKED'],
  })
  async enable(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<EnabledEndpointAnswer> {
    const { endpoint, suppressed } = await this.switches.enable(id, caller);
    return { ...(await this.reader.answer(endpoint)), suppressedCount: suppressed };
  }

  @Post('disable')
  @HttpCode(200)
  @Roles('manager', 'operator')
  @Operation({
    id: 'disableEndpoint',
    summary: 'Disable an endpoint',
    description: 'New events become `suppressed`; what is queued goes on.',
    answers: { 200: { description: 'Disabled.', schema: endpointAnswerSchema } },
    refusals: ['ENDPOINT_REVOKED', 'ENDPOINT_PAUSED'],
    bodyExamples: { withReason: { reason: 'Their maintenance until Monday' } },
  })
  async disable(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Body({ schema: disabling }) { reason }: z.output<typeof disabling>,
    @CurrentCaller() caller: Caller,
  ): Promise<EndpointAnswer> {
    return this.reader.answer(await this.switches.disable(id, reason ?? null, caller));
  }

  @Post('pause')
  @HttpCode(200)
  @Roles('manager', 'operator')
  @Operation({
    id: 'pauseEndpoint',
    summary: 'Pause an endpoint',
    description: 'What waits and what comes is kept pending, and no attempt is spent, until it is resumed.',
    answers: { 200: { description: 'Paused.', schema: endpointAnswerSchema } },
    refusals: ['ENDPOINT_REVOKED', 'ENDPOINT_DISABLED'],
  })
  async pause(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<EndpointAnswer> {
    return this.reader.answer(await this.switches.pause(id, caller));
  }

  @Post('resume')
  @HttpCode(200)
  @Roles('manager', 'operator')
  @Operation({
    id: 'resumeEndpoint',
    summary: 'Resume an endpoint',
    description: 'What fell due meanwhile is owed now, the longest overdue first.',
    answers: { 200: { description: 'Resumed.', schema: resumedEndpointAnswerSchema } },
    refusals: ['ENDPOINT_REVOKED', 'ENDPOINT_DISABLED'],
  })
  async resume(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<ResumedEndpointAnswer> {
    const { endpoint, overdue } = await this.switches.resume(id, caller);
    return { ...(await this.reader.answer(endpoint)), overdueCount: overdue };
  }

  @Post('cancel-pending')
  @HttpCode(200)
  @Roles('manager', 'operator')
  @Operation({
    id: 'cancelPending',
    summary: 'Cancel everything that waits for an endpoint',
    answers: { 200: { description: 'Canceled.', schema: z.object({ canceledCount: z.int() }) } },
  })
  async cancelPending(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<{ canceledCount: number }> {
    return { canceledCount: await this.switches.cancelPending(id, caller) };
  }

  @Post('rotate-secret')
  @HttpCode(200)
  @Operation({
    id: 'rotateEndpointSecret',
    summary: 'Issue other credentials of an endpoint',
    description:
      'Where the contract generates them. They are sent from the next attempt on, or from `activateAt` on.',
    answers: { 200: { description: 'Issued.', schema: rotatedEndpointAnswerSchema } },
    refusals: ['ENDPOINT_REVOKED', 'NO_GENERATED_CREDENTIALS'],
    bodyExamples: { atOnce: {}, atASetTime: { activateAt: '2030-01-31T12:00:00Z' } },
  })
  async rotateSecret(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Body({ schema: credentialsRotation }) { activateAt }: z.output<typeof credentialsRotation>,
    @CurrentCaller() caller: Caller,
  ): Promise<RotatedEndpointAnswer> {
    const { endpoint, issuedCredentials } = await this.registry.rotateCredentials(id, activateAt, caller);
    return { ...(await this.reader.answer(endpoint)), issuedCredentials };
  }

  @Post('verify')
  @HttpCode(200)
  @Roles('manager', 'operator')
  @Operation({
    id: 'verifyEndpoint',
    summary: 'Send a test delivery to an endpoint',
    description: 'It changes nothing.',
    answers: {
      200: {
        description: 'Sent; `ok` where it was acknowledged.',
        schema: z.object({ ok: z.boolean(), attempt: testAttemptSchema }),
      },
    },
    refusals: ['ENDPOINT_REVOKED', 'NO_TEST_EVENT'],
  })
  verify(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<{ ok: boolean; attempt: TestAttempt }> {
    return this.registry.verifyEndpoint(id, principal);
  }
}
