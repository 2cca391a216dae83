import { type TraceContext, traceIdOf } from '#domain/trace-context.js';
import type { Logger } from '#observability/logger.js';
import type { OutboundResult } from '#outbound/outbound-result.js';
import type { AttemptInput } from '#storage/sql/attempt-inputs.js';
import type { RecordedResult } from '#storage/sql/attempt-results.js';

/**
 * The one canonical line of an attempt, written once its result is durable: every id that joins to the API, how
 * it ended, how long it took, what comes next. Neither headers nor bodies are in it.
 */
export function logAttempt(
  logger: Logger,
  attempt: { readonly input: AttemptInput; readonly publicId: string },
  trace: TraceContext | null,
  outcome: Exclude<OutboundResult, { kind: 'fault' }>,
  recorded: RecordedResult,
  tookMs: number,
): void {
  const { input } = attempt;
  logger.info(
    {
      application: input.applicationId,
      contract: input.contract,
      endpoint: String(input.endpointId),
      event: attempt.publicId,
      type: input.type,
      delivery: String(input.deliveryId),
      attempt: recorded.attemptNumber,
      cycle: input.cycle,
      trigger: input.trigger,
      outcome: outcome.outcome,
      httpStatus: outcome.httpStatus,
      errorCode: outcome.error?.code ?? null,
      durationMs: Math.round(tookMs),
      lagMs: input.lagMs === null ? null : Math.round(input.lagMs),
      connection: outcome.connection,
      state: recorded.state ?? 'superseded',
      nextAttemptAt: recorded.nextAttemptAt,
      ...(recorded.endpointDisabled ? { endpointDisabled: true } : {}),
      ...(trace !== null && { traceId: traceIdOf(trace) }),
    },
    'delivery.attempted',
  );
}
