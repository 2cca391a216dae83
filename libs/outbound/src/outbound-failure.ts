import { isIP } from 'node:net';
import { errors } from 'undici';
import type { AttemptOutcome } from '#domain/attempt-outcome.js';
import { MAX_HEAD_BYTES, MAX_HEAD_LINES } from './response-intake.js';

/** Where an attempt goes, as messages name it. */
export interface Target {
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly tls: boolean;
}

export type FailedOutcome = Exclude<AttemptOutcome, 'success' | `http_${string}`>;

/**
 * Why no response came. `fault` is ours (no descriptors, no network, shut-down): it uses up no attempt. The
 * message says what happened, where, and what to do; it never holds a header value.
 */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';

  constructor(
    readonly outcome: FailedOutcome | 'fault',
    readonly code: string,
    message: string,
    readonly details: {
      readonly cause?: unknown;
      readonly remoteAddress?: string;
      /** What came instead of a response. */
      readonly received?: string;
    } = {},
  ) {
    super(message, { cause: details.cause });
  }
}

/** `receiver.example:443 (203.0.113.5)`, or `[2001:db8::1]:443`. */
export function describeTarget(target: Target, address?: string | null): string {
  const host = isIP(target.hostname) === 6 ? `[${target.hostname}]` : target.hostname;
  const resolved =
    address === undefined || address === null || address === target.hostname ? '' : ` (${address})`;
  return `${host}:${target.port}${resolved}`;
}

/** Faults of this machine, whatever the receiver is. */
const LOCAL_FAULTS: Readonly<Record<string, readonly [code: string, cure: string]>> = {
  EMFILE: ['NO_DESCRIPTORS', 'Raise the limit of open files of this process.'],
  ENFILE: ['NO_DESCRIPTORS', 'Raise the limit of open files of this machine.'],
  ENOBUFS: ['NO_BUFFERS', 'This machine has no network buffers left.'],
  ENOMEM: ['NO_MEMORY', 'This machine has no memory left.'],
  EADDRNOTAVAIL: ['NO_LOCAL_ADDRESS', 'This machine has no free local port or no address of that family.'],
  EADDRINUSE: ['NO_LOCAL_ADDRESS', 'This machine has no free local port.'],
  ENETUNREACH: ['NETWORK_UNREACHABLE', 'This machine has no route there. Check its network.'],
  ENETDOWN: ['NETWORK_UNREACHABLE', 'The network of this machine is down.'],
  EACCES: ['CONNECT_NOT_PERMITTED', 'A local firewall rule forbids it.'],
  EPERM: ['CONNECT_NOT_PERMITTED', 'A local firewall rule forbids it.'],
};

const CONNECT_FAILURES: Readonly<
  Record<string, readonly [outcome: FailedOutcome, code: string, what: string, cure: string]>
> = {
  ECONNREFUSED: [
    'connect',
    'CONNECTION_REFUSED',
    'refused the connection',
    'Check that the receiver is running and listens on this port.',
  ],
  EHOSTUNREACH: [
    'connect',
    'HOST_UNREACHABLE',
    'cannot be reached',
    'Check the address and the firewall in front of the receiver.',
  ],
  EHOSTDOWN: ['connect', 'HOST_UNREACHABLE', 'cannot be reached', 'Check that the receiver is running.'],
  ECONNRESET: [
    'connect',
    'CONNECTION_RESET',
    'reset the connection while it was made',
    'Check the firewall or load balancer in front of the receiver.',
  ],
  ETIMEDOUT: [
    'timeout',
    'CONNECT_TIMEOUT',
    'did not accept the connection in time',
    'Check that the receiver is running and that no firewall drops the packets.',
  ],
};

export interface AddressError {
  readonly address: string;
  readonly error: NodeJS.ErrnoException;
}

/** Every address failed. One failure that is the receiver's outweighs those that are ours. */
export function connectFailure(target: Target, tried: readonly AddressError[]): OutboundFailure {
  const told = tried.find(({ error }) => LOCAL_FAULTS[error.code ?? ''] === undefined) ?? tried[0];
  const osCode = told?.error.code ?? '';
  const where = describeTarget(target, told?.address);
  const details = { cause: told?.error, ...(told !== undefined && { remoteAddress: told.address }) };
  const fault = LOCAL_FAULTS[osCode];
  if (fault !== undefined) {
    const [code, cure] = fault;
    return new OutboundFailure(
      'fault',
      code,
      `No connection to ${where} could be made (${osCode}). ${cure}`,
      details,
    );
  }
  const [outcome, code, what, cure] = CONNECT_FAILURES[osCode] ?? [
    'connect' as const,
    'CONNECT_FAILED',
    `cannot be connected to (${osCode || 'unknown error'})`,
    'Check the address.',
  ];
  return new OutboundFailure(outcome, code, `${where} ${what}. ${cure}`, details);
}

const CERTIFICATE_FAILURES: Readonly<Record<string, readonly [code: string, what: string]>> = {
  CERT_HAS_EXPIRED: ['CERTIFICATE_EXPIRED', 'has expired'],
  CERT_NOT_YET_VALID: ['CERTIFICATE_NOT_YET_VALID', 'is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['CERTIFICATE_NAME_MISMATCH', 'is made out to another name'],
  CERT_REVOKED: ['CERTIFICATE_REVOKED', 'is revoked'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['CERTIFICATE_UNTRUSTED', 'is signed by itself'],
  SELF_SIGNED_CERT_IN_CHAIN: ['CERTIFICATE_UNTRUSTED', 'comes from an authority that is not trusted'],
  UNABLE_TO_GET_ISSUER_CERT: ['CERTIFICATE_UNTRUSTED', 'comes from an authority that is not trusted'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['CERTIFICATE_UNTRUSTED', 'comes from an authority that is not trusted'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['CERTIFICATE_UNTRUSTED', 'comes without its intermediate certificates'],
};

/** The connection stood and the TLS handshake failed. */
export function tlsFailure(target: Target, address: string, error: NodeJS.ErrnoException): OutboundFailure {
  const where = describeTarget(target, address);
  const details = { cause: error, remoteAddress: address };
  const osCode = error.code ?? '';
  const certificate = CERTIFICATE_FAILURES[osCode];
  if (certificate !== undefined) {
    const [code, what] = certificate;
    const message = `The certificate of ${where} ${what} (${osCode}). The receiver must install a valid one.`;
    return new OutboundFailure('tls', code, message, details);
  }
  return new OutboundFailure(
    'tls',
    'TLS_HANDSHAKE_FAILED',
    `The TLS handshake with ${where} failed (${osCode || 'unknown error'}). Check that it speaks TLS 1.2 or newer there.`,
    details,
  );
}

/** The connection stood, the request was on its way, and no usable response header came. */
export function exchangeFailure(target: Target, address: string | null, error: Error): OutboundFailure {
  const where = describeTarget(target, address);
  const details = { cause: error, ...(address !== null && { remoteAddress: address }) };
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (NOT_SENT.some((type) => error instanceof type)) {
    // undici names the header or option it refuses, never its value.
    const message = `The request to ${where} could not be sent (${error.message}). This is a fault of the sender.`;
    return new OutboundFailure('fault', 'REQUEST_NOT_SENT', message, details);
  }
  const fault = LOCAL_FAULTS[code];
  if (fault !== undefined) {
    const message = `The connection to ${where} broke (${code}). ${fault[1]}`;
    return new OutboundFailure('fault', fault[0], message, details);
  }
  if (isConnectionLoss(error)) {
    const closed = error instanceof errors.SocketError;
    return new OutboundFailure(
      'reset',
      closed ? 'CONNECTION_CLOSED' : 'CONNECTION_RESET',
      `${where} ${closed ? 'closed' : 'broke'} the connection without a response. Check the log of the receiver or its proxy.`,
      details,
    );
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    const message = `The TLS connection to ${where} failed (${code}). Check its TLS settings; client certificates are not supported.`;
    return new OutboundFailure('tls', 'TLS_FAILED', message, details);
  }
  if (error instanceof errors.HeadersOverflowError) {
    const message = `The response of ${where} has more than ${MAX_HEAD_BYTES / 1024} KiB or ${MAX_HEAD_LINES} lines before its body. The receiver must send less.`;
    return new OutboundFailure('protocol', 'RESPONSE_HEADERS_TOO_LARGE', message, details);
  }
  const received = error instanceof errors.HTTPParserError ? (error as { data?: string }).data : undefined;
  return new OutboundFailure(
    'protocol',
    'RESPONSE_NOT_HTTP',
    `What ${where} answered is not an HTTP/1.1 response to a POST (${error.message}). Check that the port serves HTTP.`,
    { ...details, ...(received !== undefined && { received }) },
  );
}

/** undici refused the request, or was closed under it, before a byte of it was sent. */
const NOT_SENT = [
  errors.InvalidArgumentError,
  errors.NotSupportedError,
  errors.ClientClosedError,
  errors.ClientDestroyedError,
] as const;

const CONNECTION_LOSSES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTCONN',
  'ENETRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/** The peer went away. Not so undici's `bad response` and `bad upgrade`, which are sockets that it dropped itself. */
export function isConnectionLoss(error: Error): boolean {
  if (error instanceof errors.SocketError) return !error.message.startsWith('bad ');
  return CONNECTION_LOSSES.has((error as NodeJS.ErrnoException).code ?? '');
}
