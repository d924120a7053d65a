/**
 * Errors that Node finds before a request exists (a head that is malformed, too large or never complete). They get
 * problem documents like all other errors, written to the socket directly.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { invalid, type Refusal, refuse } from '../../core/refusal.js';
import { problemHeaders, problemOf } from './problem.js';
import type { ServerContext } from './request-context.js';

/** How long the connection stays open after the error, so that the sender can read it. */
const lingerMs = 1_000;

interface ParseError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** A request that arrives too slowly, in the form of Node's own error. */
export class LateRequest extends Error {
  override name = 'LateRequest';
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

const implemented = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'];

/** A request line with a valid but unknown method. */
const requestLine = /^[A-Z][A-Z-]* \S+ HTTP\/1\.[01]\r?\n/;

function refusalOfError({ code, rawPacket }: ParseError): { refusal: Refusal; status?: number } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { refusal: invalid('headers', 'are too large, target included'), status: 431 };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { refusal: refuse('PAYLOAD_TOO_LARGE', 'the chunk extensions are too large') };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { refusal: invalid('request', 'did not arrive in time'), status: 408 };
    case 'HPE_INVALID_METHOD':
      if (!rawPacket || !requestLine.test(rawPacket.toString('latin1'))) break;
      return { refusal: refuse('METHOD_NOT_ALLOWED', 'no path has this method', { allow: implemented }) };
    case 'HPE_INVALID_VERSION':
      return { refusal: invalid('request', 'must begin with a method, a target and HTTP/1.1 or HTTP/1.0') };
    case 'HPE_INVALID_URL':
      return { refusal: invalid('target', 'cannot be parsed') };
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
    case 'HPE_INVALID_CONTENT_LENGTH':
      return { refusal: invalid('Content-Length', 'is not one number, or contradicts Transfer-Encoding') };
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return { refusal: invalid('Transfer-Encoding', 'is invalid, or contradicts Content-Length') };
  }
  return { refusal: invalid('request', 'is not valid HTTP') };
}

/** Listener for errors of a socket whose sender may have gone. */
const ignore = () => {};

export function answerClientError(serverContext: ServerContext, error: ParseError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = () => {
    // A reply that has begun cannot be followed by another one.
    const { _httpMessage: current } = socket as { _httpMessage?: { headersSent?: boolean } };
    if (!socket.writable || current?.headersSent) {
      socket.destroy(error);
      return;
    }
    const { refusal, status } = refusalOfError(error);
    writeProblem(serverContext, socket, refusal, status);
  };
  refuseBehindReplies(serverContext, socket, answer);
}

/** Handles CONNECT, which has no path, so Node passes a bare socket. */
export function answerConnect(serverContext: ServerContext, socket: Duplex): void {
  // Node has removed its own listener: without one, a reset would end the process.
  socket.on('error', ignore);
  const refusal = refuse('METHOD_NOT_ALLOWED', 'this node is not a proxy', { allow: implemented });
  refuseBehindReplies(serverContext, socket, () => writeProblem(serverContext, socket, refusal));
}

function refuseBehindReplies({ connections }: ServerContext, socket: Duplex, answer: () => void): void {
  const connection = connections.of({ socket: socket as Socket });
  if (connection) connection.refuseBehindReplies(answer);
  else answer();
}

function writeProblem(serverContext: ServerContext, socket: Duplex, refusal: Refusal, status?: number): void {
  const problem = problemOf(refusal, {
    errorBaseUrl: serverContext.urls.errorBaseUrl,
    requestId: serverContext.requestId(undefined),
    sanitise: true,
    ...(status === undefined ? {} : { status }),
  });
  serverContext.unknownRoute.observe(problem.status, 0);
  const body = JSON.stringify(problem);
  const extra = problemHeaders(refusal);
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Date: ${new Date(serverContext.world.now()).toUTCString()}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
  ];
  for (let i = 0; i < extra.length; i += 2) lines.push(`${extra[i]}: ${extra[i + 1]}`);
  socket.on('error', ignore);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.resume();
  serverContext.world.after(lingerMs, () => socket.destroy());
}
