import { DELIVERY_STATES } from '#domain/delivery-state.js';
import { ERROR_CATALOGUE, type ErrorCode } from '#domain/errors.js';
import { decimalId, publicId } from '#http/ids.js';
import { commaList, idPosition, listQuery, timeAndIdPosition, timeRange } from '#http/list-query.js';
import { REJECTION_WAYS } from '#storage/sql/rejections.js';
import { z } from 'zod';

const applications = commaList(publicId).optional();
const types = commaList(z.string().max(128)).optional();

export const eventsQuery = listQuery(
  'events',
  { application: applications, type: types, id: commaList(publicId).optional(), ...timeRange },
  idPosition,
);

const places = {
  application: applications,
  endpoint: commaList(decimalId).optional(),
  event: commaList(publicId).optional(),
  type: types,
  ...timeRange,
};

export const deliveriesQuery = listQuery(
  'deliveries',
  { state: commaList(z.enum(DELIVERY_STATES)).optional(), ...places },
  idPosition,
);

export const deadLettersQuery = listQuery(
  'dead-letters',
  { state: commaList(z.enum(['dead', 'closed'])).optional(), ...places },
  timeAndIdPosition,
);

export const attemptsQuery = listQuery('attempts', {}, idPosition);

const errorCode = z.enum(Object.keys(ERROR_CATALOGUE) as ErrorCode[]);

export const rejectionsQuery = listQuery(
  'rejections',
  {
    application: applications,
    type: types,
    event: commaList(publicId).optional(),
    code: commaList(errorCode).optional(),
    via: commaList(z.enum(REJECTION_WAYS)).optional(),
    ...timeRange,
  },
  idPosition,
);

/** Numbers count from 1; what is none names no attempt. */
export const attemptNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);

export const statsQuery = z.strictObject({ application: applications });
