export const ENDPOINT_STATES = ['active', 'paused', 'disabled', 'revoked'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];
