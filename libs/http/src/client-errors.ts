import type { Socket } from 'node:net';
import { DomainError } from '#domain/errors.js';
import { PROBLEM_CONTENT_TYPE, problemOf } from './problem.js';

/** Answers what is no HTTP request at all, or came too slowly: Node gives up on those before any route. */
export function answerClientErrors(
  requestId: () => string,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = problemOf(new DomainError('MALFORMED_REQUEST', detailOf(error)), requestId());
    const body = JSON.stringify(problem);
    socket.end(
      `HTTP/1.1 ${problem.status} Bad Request\r\nconnection: close\r\ncontent-type: ${PROBLEM_CONTENT_TYPE}\r\n` +
        `x-request-id: ${problem.instance}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}

function detailOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'The request did not arrive in time. Send it again, faster or smaller.';
    case 'HPE_HEADER_OVERFLOW':
      return 'The headers of the request are too long. Send fewer or shorter ones.';
    default:
      return 'What was sent is not an HTTP/1.1 request.';
  }
}
