/**
 * Reads the JSON body of a request (docs/reference/requests.md#bodies, docs/reference/requests.md#json-input).
 *
 * koa-bodyparser enforces the size limit and returns the bytes: its own JSON parsing would replace invalid UTF-8
 * silently, and the guard has to compare the text with the result of JSON.parse.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { guardJson, guardShape, scanJson } from '../../core/json-text.js';
import { invalid, type Refusal, RefusedError, refuse } from '../../core/refusal.js';
import { callerName } from '../access/caller.js';
import { answerClientError, LateRequest } from './client-error.js';
import type { RequestContext } from './request-context.js';

const readBytes = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['application/json'] },
  textLimit: String(bounds.bodyBytes),
  // No decoding: the bytes stay outside of V8's heap. The declared types call this option `encode`, the code `encoding`.
  ...{ encoding: null },
});
const afterwards = async () => {};

const noBody: JsonObject = Object.freeze({});
const tooLarge = refuse('PAYLOAD_TOO_LARGE', `the body has more than ${bounds.bodyBytes} bytes`);
const utf8Names: readonly string[] = ['utf-8', 'utf8', '"utf-8"', '"utf8"'];
const encodings: readonly string[] = ['identity', 'gzip', 'x-gzip', 'deflate', 'br'];

/** The body, guarded; `{}` where there is none. */
export async function readBody(context: RequestContext): Promise<JsonObject | Refusal> {
  const { req } = context;
  const length = req.headers['content-length'];
  const chunked = req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || Number(length) === 0)) return noBody;
  if (length !== undefined && Number(length) > bounds.bodyBytes) return tooLarge;
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
  const wrongType = wrongMediaType(req.headers['content-type'], encoding);
  // A chunked body may turn out to be empty, and then its type does not matter.
  if (wrongType) return chunked && (await isEmpty(context)) ? noBody : wrongType;
  goOn(context);
  const bytes = await withinBounds(context, (hold) => bodyBytes(req, encoding, hold));
  if (!Buffer.isBuffer(bytes)) return bytes;
  return bytes.length === 0 ? noBody : parseJson(bytes);
}

function wrongMediaType(type: string | undefined, encoding: string): Refusal | undefined {
  if (type === undefined || !isUtf8Json(type)) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json in UTF-8');
  }
  if (encodings.includes(encoding)) return undefined;
  return refuse('UNSUPPORTED_MEDIA_TYPE', 'the Content-Encoding must be gzip, deflate or br');
}

/** Between semicolons outside of quotes. */
const typeParts = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g;

/** Ignores parameters other than a charset. */
function isUtf8Json(type: string): boolean {
  if (type.length > bounds.contentTypeLength) return false;
  const [media = '', ...parameters] = type.toLowerCase().match(typeParts) ?? [];
  const charsets = parameters.map((each) => each.split('=')).filter(([name = '']) => name.trim() === 'charset');
  return (
    media.trim() === 'application/json' &&
    charsets.length <= 1 &&
    charsets.every(([, ...value]) => utf8Names.includes(value.join('=').trim()))
  );
}

function goOn(context: RequestContext): void {
  if (!context.awaitsContinue) return;
  context.awaitsContinue = false;
  context.res.writeContinue();
}

async function isEmpty(context: RequestContext): Promise<boolean> {
  const { req } = context;
  if (context.awaitsContinue) return false;
  return new Promise((resolve) => {
    req.once('readable', () => resolve(req.read(1) === null));
    req.once('close', () => resolve(false));
  });
}

/** @param hold counts the pieces of an unpacked body, which stay in memory as those that arrive do */
async function bodyBytes(
  req: IncomingMessage,
  encoding: string,
  hold: (piece: Buffer) => void,
): Promise<Buffer | Refusal> {
  const unpacked = encoding === 'identity' ? undefined : unpack(req, encoding);
  // Not Koa's request, which would keep the bytes until the reply is sent.
  const request: { is(): boolean; body?: Buffer } = { is: () => true };
  try {
    const whole = readBytes({ req: unpacked ?? req, request } as unknown as Context, afterwards);
    unpacked?.on('data', hold);
    await whole;
    return request.body!;
  } catch (thrown) {
    return unreadable(thrown);
  } finally {
    unpacked?.destroy();
  }
}

/**
 * Decompressed here and not by koa-bodyparser, which leaves the stream without an error listener once the limit is
 * exceeded. A compressed body that is cut off must also end the read.
 */
function unpack(req: IncomingMessage, encoding: string): Readable {
  const unpacked: Transform = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  unpacked.on('error', () => {});
  req.once('close', () => {
    if (!req.complete) unpacked.destroy(new RefusedError(invalid('body', 'ended too early')));
  });
  req.pipe(unpacked);
  return Object.assign(unpacked, { headers: {} });
}

function unreadable(thrown: unknown): Refusal {
  if (thrown instanceof RefusedError) return thrown.refusal;
  const { type, code } = thrown as { type?: unknown; code?: unknown };
  if (type === 'entity.too.large') return tooLarge;
  if (type === 'request.size.invalid' || type === 'request.aborted') return invalid('body', 'ended too early');
  if (typeof code === 'string' && /^(Z_|ERR_|BROTLI)/.test(code)) {
    return invalid('body', 'does not unpack with the Content-Encoding that it names');
  }
  return invalid('body', 'could not be read');
}

function parseJson(bytes: Buffer): JsonObject | Refusal {
  if (!isUtf8(bytes)) return invalid('body', 'is not valid UTF-8');
  const text = bytes.toString('utf8');
  const scan = scanJson(text);
  const tooMuch = guardShape(scan);
  if (tooMuch) return tooMuch;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    // The error message quotes the text, which may contain a passphrase: report only the position.
    const [position] = /position \d+/.exec(String(thrown)) ?? [];
    return invalid('body', `is not valid JSON${position ? ` at ${position}` : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('body', 'must be a JSON object');
  }
  return guardJson(value, text, scan) ?? (value as JsonObject);
}

const tooMany = refuse('SERVICE_UNAVAILABLE', 'this node is receiving too many bodies at once', { retryAfter: 1 });

/** @param read reads the body; its result is returned unless a bound is exceeded first */
async function withinBounds<T>(
  context: RequestContext,
  read: (hold: (piece: Buffer) => void) => Promise<T>,
): Promise<T | Refusal> {
  const { req, server, caller } = context;
  const { connections } = server;
  const who = callerName(caller);
  let refuseNow: (refusal: Refusal) => void = () => {};
  const arrival = { held: 0, late: () => endLate(context) };
  let taken = 0;
  let isOver = false;
  const hold = ({ length }: Buffer) => {
    if (isOver) return;
    const bytes = length + bounds.arrivingPieceBytes;
    if (connections.arriving.exceeds(who, bytes)) refuseNow(tooMany);
    connections.arriving.take(who, bytes);
    taken += bytes;
  };
  const count = (piece: Buffer) => {
    hold(piece);
    arrival.held += piece.length;
    if (arrival.held > bounds.bodyBytes) refuseNow(tooLarge);
  };
  try {
    const outcome = new Promise<T | Refusal>((resolve, reject) => {
      refuseNow = resolve;
      read(hold).then(resolve, reject);
    });
    connections.arrivals.begin(arrival);
    // Attached after the reader, because listening before it would lose the first bytes.
    req.on('data', count);
    return await outcome;
  } finally {
    isOver = true;
    // Otherwise these listeners would continue to collect data.
    req.removeAllListeners('data');
    connections.arriving.give(who, taken);
    connections.arrivals.end(arrival);
  }
}

/** Ends a request as Node ends one that takes too long: with 408, closing the connection. */
function endLate({ server, req }: RequestContext): void {
  answerClientError(server, new LateRequest('the body arrives too slowly'), req.socket);
}
