import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND_MS } from '#domain/durations.js';
import { DomainError } from '#domain/errors.js';
import { PROBLEM_CONTENT_TYPE, problemOf } from './problem.js';

/** How long a client may take to read the answer while it still sends; an end at once would lose it on the way. */
const LINGER_MS = SECOND_MS;

/** Answers what is no HTTP request at all, or came too slowly: Node gives up on those before any route. */
export function answerClientErrors(
  requestId: () => string,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered(socket)) {
      socket.destroy();
      return;
    }
    const problem = problemOf(refusalOf(error), requestId());
    const body = JSON.stringify(problem);
    socket.end(
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nconnection: close\r\n` +
        `content-type: ${PROBLEM_CONTENT_TYPE}\r\nx-request-id: ${problem.instance}\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    // A request that is late may still come to its end: what is answered 408 must not be carried out after all.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroySoon();
    else setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Whether an answer is on its way already, into which another must not be written. */
function isAnswered(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return response?.headersSent === true;
}

function refusalOf(error: NodeJS.ErrnoException): DomainError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError(
        'REQUEST_TIMEOUT',
        'The request did not arrive in time. Send it again, faster or smaller.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError(
        'HEADERS_TOO_LARGE',
        'The headers of the request are too long. Send fewer or shorter ones.',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError('PAYLOAD_TOO_LARGE', 'The extensions of a chunk are too long. Send none.');
    default:
      return new DomainError('MALFORMED_REQUEST', 'What was sent is not an HTTP/1.1 request.');
  }
}
