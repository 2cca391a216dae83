import type { ErrorCode } from '#domain/errors.js';
import type { OperationDescription } from '#http/openapi/operation.js';
import { testAttemptSchema } from '../watching/attempt-answer.js';

/** Codes of every call that registers an endpoint or changes one. */
export const REGISTRATION_REFUSALS: readonly ErrorCode[] = [
  'ENDPOINT_EXISTS',
  'TOO_MANY_ENDPOINTS',
  'NO_TEST_EVENT',
  'VERIFICATION_FAILED',
];

export const VERIFICATION_MEMBERS = {
  VERIFICATION_FAILED: { attempt: testAttemptSchema },
} satisfies OperationDescription['refusalMembers'];
