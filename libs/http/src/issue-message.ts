import type { z } from 'zod';

/**
 * Values under these names may be secret, and so may a body that is nothing but a value: a message never repeats
 * them, for answers end up in logs.
 */
const SECRET_NAME = /credential|secret|token|key|password/i;
const SHOWN_CHARACTERS = 60;

/**
 * What is wrong with a value, which value it is and what to send instead, for schemas that do not say it in
 * their own words.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const path = issue.path ?? [];
  const isNameless = path.length === 0 && typeof issue.input !== 'object';
  const mayBeSecret = isNameless || path.some((part) => SECRET_NAME.test(String(part)));
  const sent = mayBeSecret ? 'The value' : shown(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `This is required. Send ${typeName(issue.expected)}.`;
      // Null, a list and an object are named by their kind already.
      if (issue.input === null || typeof issue.input === 'object')
        return `${sent} is not taken here. Send ${typeName(issue.expected)}.`;
      return `${sent} is ${typeOf(issue.input)}. Send ${typeName(issue.expected)}.`;
    case 'invalid_value':
      if (issue.input === undefined) return `This is required. Send ${oneOf(issue.values)}.`;
      return `${sent} is not allowed here. Send ${oneOf(issue.values)}.`;
    case 'too_small':
    case 'too_big':
      return `${sent} is out of bounds. Send ${bounds(issue)}.`;
    case 'invalid_format':
      return `${sent} does not have the form of ${formatName(issue)}.`;
    case 'not_multiple_of':
      return `${sent} is not a multiple of ${issue.divisor}.`;
    case 'invalid_union':
      if (issue.input === undefined) return 'This is required.';
      return `${sent} is none of the forms that are taken here.`;
    default:
      return undefined;
  }
}

/** The value as the caller wrote it, cut short; objects and arrays by their kind. */
export function shown(value: unknown): string {
  if (value !== null && typeof value === 'object') return Array.isArray(value) ? 'The list' : 'The object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a time',
};

function typeName(expected: string): string {
  return TYPE_NAMES[expected] ?? expected;
}

function typeOf(value: unknown): string {
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'boolean') return 'a boolean';
  return typeName(typeof value);
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map((value) => JSON.stringify(value));
  return names.length === 1 ? names[0]! : `one of ${names.join(', ')}`;
}

function bounds(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>): string {
  const limit = String(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  const direction = issue.exact ? 'exactly' : issue.code === 'too_small' ? 'at least' : 'at most';
  const plural = limit === '1' ? '' : 's';
  if (issue.origin === 'string') return `${direction} ${limit} character${plural}`;
  if (issue.origin === 'array' || issue.origin === 'set') return `${direction} ${limit} item${plural}`;
  if (issue.inclusive === false) return `a number ${issue.code === 'too_small' ? 'above' : 'below'} ${limit}`;
  return `a number of ${direction} ${limit}`;
}

function formatName(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  switch (issue.format) {
    case 'datetime':
      return 'an ISO-8601 time such as "2025-01-31T12:00:00Z"';
    case 'url':
      return 'a URL';
    case 'regex':
      return `${issue.pattern ?? 'what is taken here'}`;
    default:
      return issue.format;
  }
}
