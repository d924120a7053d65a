/**
 * Every answer of the server leaves through here: replies, problem documents, pages, streams.
 *
 * It writes to node's response directly, with one flat header list; Koa's body setters would look up and
 * normalise each header again, which costs more than all the rest of an answer.
 */
import type { IncomingMessage } from 'node:http';
import { bounds } from '../config.js';
import { Refusal, refuse } from '../machines/kernel/refusal.js';
import type { Exchange } from './exchange.js';
import { problemHeaders, problemOf, problemType, refusalOf } from './middleware/problem.js';
import type { Reply } from './route.js';
import { callerGone } from './site.js';
import { pump } from './sse.js';

const jsonType = 'application/json; charset=utf-8';
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** On every answer; a policy and what caches may do are added where the reply does not say so itself (fieldsOf). */
const standing = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

export function conclude(exchange: Exchange, outcome: Reply | Refusal): void {
  if (outcome instanceof Refusal) answerRefusal(exchange, outcome);
  else if (outcome.headers !== undefined && isNotModified(exchange, outcome.headers)) {
    send(exchange, 304, undefined, '', headersOf(outcome.headers));
  } else if (outcome.stream) answerStream(exchange, outcome, outcome.stream);
  else if (outcome.text !== undefined) {
    send(exchange, outcome.status, jsonType, outcome.text, headersOf(outcome.headers));
  } else if (outcome.body === undefined) send(exchange, outcome.status, undefined, '', headersOf(outcome.headers));
  else send(exchange, outcome.status, jsonType, JSON.stringify(outcome.body), headersOf(outcome.headers));
}

export function answerRefusal(exchange: Exchange, refusal: Refusal): void {
  const { site, req } = exchange;
  const problem = problemOf(refusal, {
    errorBaseUrl: site.urls.errorBaseUrl,
    requestId: exchange.requestId,
    instance: exchange.path,
    sanitise: site.config.network === 'mainnet',
  });
  if (problem.status >= 500 && refusal !== callerGone)
    site.log.warn({ requestId: exchange.requestId, code: refusal.code }, refusal.detail);
  send(exchange, problem.status, problemType(req.headers.accept), JSON.stringify(problem), problemHeaders(refusal));
}

/** Whatever was thrown: the caller gets a problem document, the log what happened. */
export function answerFault(exchange: Exchange, thrown: unknown): void {
  const { refusal, fault } = refusalOf(thrown);
  if (fault) {
    exchange.site.log.error({ err: thrown, requestId: exchange.requestId, path: exchange.path }, 'a request failed');
  }
  if (exchange.answered) exchange.res.destroy();
  else answerRefusal(exchange, refusal);
}

/** 204 with `Allow`: OPTIONS. */
export function answerOptions(exchange: Exchange, allow: readonly string[]): void {
  send(exchange, 204, undefined, '', ['Allow', allow.join(', ')]);
}

function answerStream(exchange: Exchange, reply: Reply, stream: NonNullable<Reply['stream']>): void {
  const { site } = exchange;
  if (typeof stream.chunks === 'string' || stream.chunks instanceof Uint8Array) {
    send(exchange, reply.status, stream.type, stream.chunks, headersOf(reply.headers));
  } else if (site.streams >= bounds.streams) {
    answerRefusal(exchange, refuse('SERVICE_UNAVAILABLE', `${bounds.streams} streams are open already`));
  } else if (begin(exchange, reply.status)) {
    const fields = fieldsOf(exchange, headersOf(reply.headers));
    fields.push('Content-Type', stream.type, 'X-Accel-Buffering', 'no');
    exchange.res.writeHead(reply.status, fields);
    if (exchange.req.method === 'HEAD') exchange.res.end();
    else flow(exchange, stream.chunks);
  }
}

function flow({ res, site, requestId }: Exchange, chunks: AsyncIterable<string>): void {
  res.flushHeaders();
  site.streams += 1;
  void pump(chunks, res, site.world)
    .catch((error: unknown) => {
      site.log.error({ err: error, requestId }, 'a stream failed');
      res.destroy();
    })
    .finally(() => {
      site.streams -= 1;
    });
}

function send(
  exchange: Exchange,
  status: number,
  type: string | undefined,
  body: string | Uint8Array,
  headers: readonly string[],
): void {
  if (!begin(exchange, status)) return;
  const { req, res } = exchange;
  const fields = fieldsOf(exchange, headers);
  if (type !== undefined) fields.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)));
  res.writeHead(status, fields);
  if (type === undefined || req.method === 'HEAD') res.end();
  else res.end(body);
  if (!req.complete && announcesBody(req)) discardRest(exchange);
}

/** A read is often answered before node has seen its end, although nothing comes behind its head. */
const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** False where somebody has answered already or nobody listens any more. */
function begin(exchange: Exchange, status: number): boolean {
  if (exchange.answered) return false;
  exchange.answered = true;
  const { site, res, req } = exchange;
  const seconds = (site.world.monotonic() - exchange.startedAt) / 1000;
  site.metrics.inFlight -= 1;
  exchange.meter.observe(status, seconds);
  if (site.log.isLevelEnabled('debug')) {
    site.log.debug({ requestId: exchange.requestId, method: req.method, path: exchange.path, status, seconds });
  }
  return !res.headersSent && !res.destroyed;
}

function fieldsOf(exchange: Exchange, headers: readonly string[]): string[] {
  const fields = standing.slice();
  fields.push('X-Request-Id', exchange.requestId);
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
  if (exchange.extraHeaders) fields.push(...exchange.extraHeaders);
  if (exchange.site.stopping) fields.push('Connection', 'close');
  return fields;
}

const noHeaders: readonly string[] = [];

function headersOf(headers: Reply['headers']): readonly string[] {
  if (headers === undefined) return noHeaders;
  const fields: string[] = [];
  for (const name in headers) fields.push(spelling[name.toLowerCase()] ?? name, value(name, headers[name]!));
  return fields;
}

/** Names that are looked for later, in one spelling. */
const spelling: { readonly [name: string]: string | undefined } = {
  etag: 'ETag',
  'cache-control': 'Cache-Control',
  'content-security-policy': 'Content-Security-Policy',
};

const value = (name: string, text: string): string =>
  name.length === 4 && name.toLowerCase() === 'etag' && !text.endsWith('"') ? `"${text}"` : text;

/** Weak comparison of `If-None-Match` with the reply's entity tag (RFC 9110, 13.1.2); GET and HEAD only. */
function isNotModified({ req }: Exchange, headers: NonNullable<Reply['headers']>): boolean {
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
 * The request goes on after its answer (a body that was refused). Closing at once would reset the connection and
 * the sender, still writing, would never read why; so read on and throw away, but not for ever.
 */
function discardRest({ req, site }: Exchange): void {
  if (req.destroyed) return;
  let left = bounds.lingerBytes;
  const timer = site.world.after(bounds.lingerMs, () => {
    if (!req.complete) req.socket.destroy();
  });
  req.unpipe();
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.socket.destroy();
  });
  req.once('close', () => timer.cancel());
  req.resume();
}
