import { SetMetadata } from '@nestjs/common';

/** What a body may be long where the route does not say otherwise. */
export const DEFAULT_BODY_LIMIT_BYTES = 1024 * 1024;

export const BODY_LIMIT_METADATA = 'entrega:body-limit-bytes';
export const RAW_JSON_METADATA = 'entrega:raw-json';

/** Lets the route's body be longer than the default, in bytes. */
export const BodyLimit = (bytes: number) => SetMetadata(BODY_LIMIT_METADATA, bytes);

/**
 * The handler reads the body's exact text (`request.rawJson`) itself and refuses what is not JSON; nothing is
 * parsed before it.
 */
export const RawJson = () => SetMetadata(RAW_JSON_METADATA, true);
