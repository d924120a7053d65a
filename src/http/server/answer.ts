/**
 * Writes every response of the server: replies, problem documents, pages, streams.
 * It writes to Node's response directly, with one flat header list; Koa's body setters would look up and normalise each
 * header again, which costs more than the rest of the response.
 */
import type { IncomingMessage } from 'node:http';
import { bounds } from '../../core/bounds.js';
import { sha256Hex } from '../../core/canonical.js';
import { Refusal, refuse } from '../../core/refusal.js';
import { callerName } from '../access/caller.js';
import type { ItemContext } from './batch-item.js';
import { overloaded } from './connections/connections.js';
import { type Problem, problemHeaders, problemOf, problemType, refusalOf } from './problem.js';
import { callerGone, type RequestContext, type ServerContext } from './request-context.js';
import type { Reply } from './route.js';
import { pump } from './sse.js';

const jsonType = 'application/json; charset=utf-8';
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers of every reply; a content security policy and Cache-Control are added unless the reply sets them (fieldsOf).
 */
const commonHeaders = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/** The status that nginx logs when the client has closed the connection before the reply. */
const clientClosedRequest = 499;

type Answered = RequestContext | ItemContext;

/** @param isTagged the reply to a read has an entity tag */
export function conclude(context: RequestContext, outcome: Reply | Refusal, isTagged = false): void {
  if (outcome instanceof Refusal) answerRefusal(context, outcome);
  else if (isTagged && outcome.body) conclude(context, tagged(outcome));
  else if (outcome.headers !== undefined && isNotModified(context, outcome.headers)) {
    send(context, 304, undefined, '', headersOf(outcome.headers));
  } else if (outcome.stream) answerStream(context, outcome, outcome.stream);
  else if (outcome.text !== undefined) {
    send(context, outcome.status, jsonType, outcome.text, headersOf(outcome.headers));
  } else if (outcome.body === undefined) send(context, outcome.status, undefined, '', headersOf(outcome.headers));
  else {
    send(context, outcome.status, jsonType, JSON.stringify(bodyOf(context, outcome)), headersOf(outcome.headers));
  }
}

/** Reports which members of the request's body were ignored. */
const bodyOf = ({ ignored }: Pick<RequestContext, 'ignored'>, { body = {} }: Reply): object =>
  ignored ? { ...body, ignored } : body;

/** The JSON of the answer to an item of a batch. */
export function answerItem(context: ItemContext, outcome: Reply | Refusal): string {
  const { status } = outcome;
  if (outcome instanceof Refusal) warnOf(context, outcome);
  const fields = outcome instanceof Refusal ? problemHeaders(outcome) : headersOf(outcome.headers);
  const headers = Object.fromEntries(fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]!]] : [])));
  const body = outcome instanceof Refusal ? problemTo(context, outcome) : bodyOf(context, outcome);
  note(context, status);
  return JSON.stringify({ status, ...(fields.length > 0 && { headers }), body });
}

function warnOf({ server, requestId }: Answered, { status, code, detail }: Refusal): void {
  if (status >= 500) server.log.warn({ requestId, code }, detail);
}

/** The tag is of the bytes, because one version of a resource has several views: of its statistics, and for its readers. */
function tagged({ status, headers, body }: Reply): Reply {
  const text = JSON.stringify(body);
  const tag = { ETag: `"${sha256Hex(text).slice(0, 32)}"`, Vary: 'Authorization, X-Api-Key, Svc-Reader' };
  return { status, text, headers: { ...headers, ...tag } };
}

/** @param status in place of that of the code */
export function answerRefusal(context: RequestContext, refusal: Refusal, status: number = refusal.status): void {
  const { server, req } = context;
  const problem = problemTo(context, refusal, status);
  if (refusal !== callerGone && refusal !== overloaded && !hasHungUp(context)) warnOf(context, refusal);
  const headers = problemHeaders(refusal);
  // Closes the connection of a caller that is over its limit.
  if (refusal.code === 'RATE_LIMITED' && !server.stopping) headers.push('Connection', 'close');
  send(context, problem.status, problemType(req.headers.accept), JSON.stringify(problem), headers);
}

function problemTo(context: Answered, refusal: Refusal, status: number = refusal.status): Problem {
  const { server, requestId, path } = context;
  context.refusedAs = refusal.code;
  const { errorBaseUrl } = server.urls;
  const sanitise = server.config.network === 'mainnet';
  return problemOf(refusal, { errorBaseUrl, requestId, instance: path, sanitise, status });
}

/** Handles a thrown value: the caller gets a problem document, the log gets the error. */
export function answerFault(context: RequestContext, thrown: unknown): void {
  const { refusal, fault } = refusalOf(thrown);
  if (hasHungUp(context) || (context.answered && isLostWrite(thrown))) {
    const { requestId, path } = context;
    // Only the message: a parser's error references the connection.
    context.server.log.debug({ requestId, path, reason: refusal.detail }, 'the client hung up');
  } else if (fault) {
    context.server.log.error({ err: thrown, requestId: context.requestId, path: context.path }, 'a request failed');
  }
  if (context.answered) context.res.destroy();
  else answerRefusal(context, refusal);
}

/** Whether the client closed the connection during the write and Node has not reported that yet. */
const isLostWrite = (thrown: unknown): boolean => {
  const { code, syscall } = (thrown ?? {}) as { readonly code?: unknown; readonly syscall?: unknown };
  return syscall === 'write' && (code === 'EPIPE' || code === 'ECONNRESET');
};

const hasHungUp = ({ req, res }: RequestContext): boolean => req.socket.destroyed || res.destroyed;

/** 204 with `Allow`: OPTIONS. */
export function answerOptions(context: RequestContext, allow: readonly string[]): void {
  send(context, 204, undefined, '', ['Allow', allow.join(', ')]);
}

function answerStream(context: RequestContext, reply: Reply, stream: NonNullable<Reply['stream']>): void {
  const { res, req } = context;
  const { chunks, window, shared } = stream;
  if (typeof chunks === 'string' || chunks instanceof Uint8Array) {
    const inMemory = shared ? Math.min(chunks.length, bounds.replyPieceBytes) : undefined;
    send(context, reply.status, stream.type, chunks, headersOf(reply.headers), inMemory);
    return;
  }
  const full = roomForStream(context, window);
  if (full) answerRefusal(context, full);
  else if (begin(context, reply.status)) {
    const fields = fieldsOf(context, headersOf(reply.headers));
    fields.push('Content-Type', stream.type, 'X-Accel-Buffering', 'no');
    res.writeHead(reply.status, fields);
    if (req.method === 'HEAD') res.end();
    else flow(context, chunks, window === undefined);
  }
}

/** A finite stream is limited by its bytes, an endless one by the number of streams and by each event as it is sent. */
function roomForStream(context: RequestContext, window: number | undefined): Refusal | undefined {
  const { server } = context;
  if (window !== undefined) return server.connections.hold(context, window);
  if (server.streams >= bounds.streams) {
    return refuse('SERVICE_UNAVAILABLE', `${bounds.streams} streams are open already`);
  }
  return hasAllStreams(context)
    ? refuse('RATE_LIMITED', `you have ${bounds.streamsPerCaller} open streams already`)
    : undefined;
}

/** Callers on this machine are exempt, as from the rate limits. */
const hasAllStreams = ({ server, caller }: RequestContext): boolean =>
  !(caller.local && !server.config.rateLimitLoopback) &&
  (server.streamsOf.get(callerName(caller)) ?? 0) >= bounds.streamsPerCaller;

function countStream(server: ServerContext, who: string, by: number): void {
  const { streamsOf } = server;
  server.streams += by;
  const count = (streamsOf.get(who) ?? 0) + by;
  if (count > 0) streamsOf.set(who, count);
  else streamsOf.delete(who);
}

/** @param isLive an endless stream, whose number is limited */
function flow(context: RequestContext, chunks: AsyncIterable<string | Uint8Array>, isLive: boolean): void {
  const { caller, res, server, requestId } = context;
  const who = callerName(caller);
  context.isEndless = isLive;
  res.flushHeaders();
  if (isLive) {
    countStream(server, who, 1);
    server.connections.uncount(context);
  }
  const next = isLive ? undefined : () => new Promise<void>((resolve) => server.connections.pace.take(resolve));
  void pump(chunks, { res, room: isLive ? roomOf(context) : undefined, next, readMore: () => noteRead(context) })
    .catch((error: unknown) => {
      if (!hasHungUp(context) && !isLostWrite(error)) server.log.error({ err: error, requestId }, 'a stream failed');
      res.destroy();
    })
    .finally(() => {
      if (isLive) countStream(server, who, -1);
    });
}

const roomOf = (context: RequestContext) => ({
  take: (bytes: number) => context.server.connections.hold(context, bytes) === undefined,
  give: (bytes: number) => context.server.connections.release(context, bytes),
});

function noteRead({ server, connection }: RequestContext): void {
  if (connection && connection.unsent > 0) server.connections.readMore(connection);
}

/** @param inMemory bytes of memory to count, if the reply shares its bytes with others */
function send(
  context: RequestContext,
  status: number,
  type: string | undefined,
  body: string | Uint8Array,
  headers: readonly string[],
  inMemory?: number,
): void {
  const { req, res, server } = context;
  const bytes = Buffer.byteLength(body);
  if (bytes > 0 && req.method !== 'HEAD' && !context.answered) {
    const full = server.connections.hold(context, inMemory ?? bytes);
    // A write's reply is sent even without memory for it, unless it is long: the caller can then repeat the request
    // with its Idempotency-Key. For a batch there was room when its last item began.
    const always = req.method === 'GET' ? bounds.shortReplyBytes : bounds.replyPieceBytes;
    if (full && status < 400 && bytes > always && !context.answers) {
      answerRefusal(context, full);
      return;
    }
  }
  if (!begin(context, status)) return;
  const fields = fieldsOf(context, headers);
  if (type !== undefined) fields.push('Content-Type', type, 'Content-Length', String(bytes));
  res.writeHead(status, fields);
  const isEmpty = type === undefined || req.method === 'HEAD';
  const isArriving = !req.complete && announcesBody(req);
  if (!isEmpty && bytes > bounds.replyPieceBytes) {
    sendPieces(context, typeof body === 'string' ? Buffer.from(body) : body);
    if (isArriving) discardRest(context);
  } else if (isArriving) {
    if (isEmpty) res.flushHeaders();
    else res.write(body);
    // Node closes the connection at the end of a last reply, even while a request is arriving.
    discardRest(context, () => res.end());
  } else res.end(isEmpty ? undefined : body);
}

/**
 * Writes piece by piece, as fast as the client reads: Node would buffer the whole reply for a socket that does not
 * drain.
 */
function sendPieces(context: RequestContext, bytes: Uint8Array): void {
  const { res, server } = context;
  const { pace } = server.connections;
  let at = 0;
  const sendOn = () => {
    if (res.destroyed) return;
    noteRead(context);
    const isSent = res.write(bytes.subarray(at, at + bounds.replyPieceBytes));
    at += bounds.replyPieceBytes;
    if (at >= bytes.length) res.end();
    else if (isSent) pace.take(sendOn);
    else res.once('drain', () => pace.take(sendOn));
  };
  sendOn();
}

/** Whether a body is announced. A read without one is often answered before Node has parsed the end of the request. */
const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** False if a reply was sent already or the client is gone. */
function begin(context: RequestContext, status: number): boolean {
  if (context.answered) return false;
  context.answered = true;
  const { server, res } = context;
  server.metrics.inFlight -= 1;
  note(context, status, hasHungUp(context) ? clientClosedRequest : status);
  return !res.headersSent && !res.destroyed;
}

/** Counts and logs an answer. @param counted the status that the metrics count */
function note(context: Answered, status: number, counted = status): void {
  const { server, startedAt, meter, requestId, req, path, caller, refusedAs: code } = context;
  const seconds = (server.world.monotonic() - startedAt) / 1000;
  meter.observe(counted, seconds);
  const answer = { method: req.method!, status: counted, ms: Math.round(seconds * 1000), caller: callerName(caller) };
  server.requests.add({ requestId, answeredAt: server.world.now(), route: meter.route, code, ...answer });
  if (server.log.isLevelEnabled('debug')) server.log.debug({ requestId, method: req.method, path, status, seconds });
}

function fieldsOf(context: RequestContext, headers: readonly string[]): string[] {
  const fields = commonHeaders.slice();
  fields.push('X-Request-Id', context.requestId);
  let policy = true;
  let cache = true;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    if (name === 'Content-Security-Policy') policy = false;
    else if (name === 'Cache-Control') cache = false;
    fields.push(name, headers[i + 1]!);
  }
  if (policy) fields.push('Content-Security-Policy', apiPolicy);
  if (cache) fields.push('Cache-Control', 'no-store');
  if (context.server.scheme === 'https') fields.push('Strict-Transport-Security', 'max-age=31536000');
  if (context.extraHeaders) fields.push(...context.extraHeaders);
  if (context.server.stopping || context.connection?.brief) fields.push('Connection', 'close');
  return fields;
}

const noHeaders: readonly string[] = [];

function headersOf(headers: Reply['headers']): readonly string[] {
  if (headers === undefined) return noHeaders;
  const fields: string[] = [];
  for (const name in headers) fields.push(spelling[name.toLowerCase()] ?? name, value(name, headers[name]!));
  return fields;
}

/** Headers that are looked up later, with their canonical spelling. */
const spelling: { readonly [name: string]: string | undefined } = {
  etag: 'ETag',
  'cache-control': 'Cache-Control',
  'content-security-policy': 'Content-Security-Policy',
};

const value = (name: string, text: string): string =>
  name.length === 4 && name.toLowerCase() === 'etag' && !text.endsWith('"') ? `"${text}"` : text;

/** Weak comparison of `If-None-Match` with the reply's entity tag (RFC 9110, 13.1.2); GET and HEAD only. */
function isNotModified({ req }: RequestContext, headers: NonNullable<Reply['headers']>): boolean {
  const asked = req.headers['if-none-match'];
  if (asked === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
  const tag = headers.ETag ?? headers.etag;
  if (tag === undefined) return false;
  if (asked.trim() === '*') return true;
  const bare = opaque(tag);
  return asked.split(',').some((each) => opaque(each) === bare);
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '');

/**
 * Drains a body that was refused while it was still arriving. Closing at once would reset the connection before the
 * sender has read the reply; so the rest is read and discarded, within bounds.
 */
function discardRest({ req, server }: RequestContext, atEnd: () => void = () => {}): void {
  if (req.destroyed) return;
  let left = bounds.lingerBytes;
  const timer = server.world.after(bounds.lingerMs, () => {
    if (!req.complete) req.socket.destroy();
  });
  req.unpipe();
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.socket.destroy();
  });
  req.once('end', atEnd);
  req.once('close', () => timer.cancel());
  req.resume();
}
