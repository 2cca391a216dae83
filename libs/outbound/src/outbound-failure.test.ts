import { describe, expect, it } from '@jest/globals';
import { errors } from 'undici';
import { connectFailure, describeTarget, exchangeFailure, tlsFailure } from './outbound-failure.js';

const target = { hostname: 'receiver.example', port: 8443, tls: true };
const systemError = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
const tried = (...codes: string[]) =>
  codes.map((code, index) => ({ address: `203.0.113.${index + 1}`, error: systemError(code) }));

describe('a connection that could not be made', () => {
  it.each([
    ['ECONNREFUSED', 'connect', 'CONNECTION_REFUSED'],
    ['EHOSTUNREACH', 'connect', 'HOST_UNREACHABLE'],
    ['EHOSTDOWN', 'connect', 'HOST_UNREACHABLE'],
    ['ECONNRESET', 'connect', 'CONNECTION_RESET'],
    ['ETIMEDOUT', 'timeout', 'CONNECT_TIMEOUT'],
    ['EINVAL', 'connect', 'CONNECT_FAILED'],
  ])('is the receiver’s with %s: outcome %s, code %s', (osCode, outcome, code) => {
    const failure = connectFailure(target, tried(osCode));
    expect(failure).toMatchObject({ outcome, code });
    expect(failure.message).toContain('receiver.example:8443 (203.0.113.1)');
  });

  it.each([
    ['EMFILE', 'NO_DESCRIPTORS'],
    ['ENFILE', 'NO_DESCRIPTORS'],
    ['ENOBUFS', 'NO_BUFFERS'],
    ['ENOMEM', 'NO_MEMORY'],
    ['EADDRNOTAVAIL', 'NO_LOCAL_ADDRESS'],
    ['ENETUNREACH', 'NETWORK_UNREACHABLE'],
    ['ENETDOWN', 'NETWORK_UNREACHABLE'],
    ['EACCES', 'CONNECT_NOT_PERMITTED'],
  ])('is a fault of ours with %s: %s (design: Flow)', (osCode, code) => {
    expect(connectFailure(target, tried(osCode, osCode))).toMatchObject({ outcome: 'fault', code });
  });

  it('is the receiver’s when one of its addresses could be asked', () => {
    expect(connectFailure(target, tried('ENETUNREACH', 'ECONNREFUSED'))).toMatchObject({
      outcome: 'connect',
      details: { remoteAddress: '203.0.113.2' },
    });
  });
});

describe('a handshake or an exchange that broke', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'CERTIFICATE_EXPIRED'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'CERTIFICATE_NAME_MISMATCH'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERTIFICATE_UNTRUSTED'],
    ['ECONNRESET', 'TLS_HANDSHAKE_FAILED'],
  ])('is outcome tls with %s: %s', (osCode, code) => {
    expect(tlsFailure(target, '203.0.113.1', systemError(osCode))).toMatchObject({ outcome: 'tls', code });
  });

  it.each<[Error, string, string]>([
    [systemError('ECONNRESET'), 'reset', 'CONNECTION_RESET'],
    [systemError('EPIPE'), 'reset', 'CONNECTION_RESET'],
    [systemError('EHOSTUNREACH'), 'reset', 'CONNECTION_RESET'],
    [new errors.SocketError('other side closed'), 'reset', 'CONNECTION_CLOSED'],
    [systemError('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'tls', 'TLS_FAILED'],
    [new errors.SocketError('bad response'), 'protocol', 'RESPONSE_NOT_HTTP'],
    [new errors.ResponseContentLengthMismatchError(), 'protocol', 'RESPONSE_NOT_HTTP'],
    [new errors.HeadersOverflowError(), 'protocol', 'RESPONSE_HEADERS_TOO_LARGE'],
    [systemError('ENETDOWN'), 'fault', 'NETWORK_UNREACHABLE'],
    [new errors.InvalidArgumentError('invalid token header'), 'fault', 'REQUEST_NOT_SENT'],
    [new errors.ClientDestroyedError(), 'fault', 'REQUEST_NOT_SENT'],
  ])('takes %s as %s: %s', (error, outcome, code) => {
    const failure = exchangeFailure(target, '203.0.113.1', error);
    expect(failure).toMatchObject({ outcome, code });
    expect(failure.message).toContain('receiver.example:8443 (203.0.113.1)');
  });
});

describe('the place that a message names', () => {
  it.each([
    [{ hostname: 'a.example', port: 443, tls: true }, '203.0.113.1', 'a.example:443 (203.0.113.1)'],
    [{ hostname: '203.0.113.1', port: 80, tls: false }, '203.0.113.1', '203.0.113.1:80'],
    [{ hostname: '2001:db8::1', port: 80, tls: false }, null, '[2001:db8::1]:80'],
  ])('is %j at %s: %s', (where, address, text) => {
    expect(describeTarget(where, address)).toBe(text);
  });
});
