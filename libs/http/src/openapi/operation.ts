import type { ErrorCode } from '#domain/errors.js';
import { SetMetadata } from '@nestjs/common';
import type { z } from 'zod';

/** What the documentation says of a route that its decorators and schemas do not say already. */
export interface OperationDescription {
  /** Names the call in clients that are generated: `createApplication`. */
  readonly id: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What a caller should know beside that (CommonMark). */
  readonly description?: string;
  /** By HTTP status, what is answered to a call that succeeds. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Codes that only routes like this one answer; those that follow from its kind are known. */
  readonly refusals?: readonly ErrorCode[];
  /** Members of a refusal's document beside those that all have; the same wherever the code is named. */
  readonly refusalMembers?: Readonly<Partial<Record<ErrorCode, z.ZodRawShape>>>;
  /** The schema of a body that the handler reads itself. */
  readonly body?: z.ZodType;
  /** Bodies as callers would send them, by what they show. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
}

export interface AnswerDescription {
  readonly description: string;
  /** Absent: no body. */
  readonly schema?: z.ZodType;
  /** Of the body; JSON where it is absent. */
  readonly contentType?: string;
  /** Whether `Location` says where the result is. */
  readonly location?: true;
}

export const OPERATION_METADATA = 'entrega:operation';
export const TOPIC_METADATA = 'entrega:topic';

/** Documents a route. Every route has it: the check of the documentation refuses one without. */
export const Operation = (description: OperationDescription) => SetMetadata(OPERATION_METADATA, description);

export interface Topic {
  readonly name: string;
  readonly description: string;
}

/** Under which heading the routes of a controller stand. */
export const Topic = (name: string, description: string) =>
  SetMetadata(TOPIC_METADATA, { name, description } satisfies Topic);
