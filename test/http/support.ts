/** A server on a free port with the test's own routes, and raw sockets for requests that fetch can't send. */
import net from 'node:net';
import { expect } from 'chai';
import { realEnvironment } from '../../src/core/environment.js';
import { createLog } from '../../src/core/log.js';
import { AssertionError, assert, codes } from '../../src/core/refusal.js';
import { freeObject, integer, object, optional, text } from '../../src/core/schema/scalar.js';
import type { ApiKeyLookup, ValidKey } from '../../src/http/access/access.js';
import { Metrics } from '../../src/http/server/metrics.js';
import type { Problem } from '../../src/http/server/problem.js';
import type { Route } from '../../src/http/server/route.js';
import { createServer, type HttpServer, type ServerParts } from '../../src/http/server/server.js';
import { type Config, loadConfig } from '../../src/node/config/config.js';

type Variables = { [name: string]: string };

export function configOf(variables: Variables = {}): Config {
  const config = loadConfig({}, { SVC_PORT: '0', SVC_DATA_DIR: '/tmp/svc-none', ...variables });
  assert(!Array.isArray(config), `the test's configuration is right: ${config}`);
  return config as Config;
}

/** Keys `read-key`, `write-key`, `admin-key`, and others by name. */
export function keysOf(more: { [key: string]: ValidKey } = {}): ApiKeyLookup & { lookups: string[] } {
  const valid: { [key: string]: ValidKey } = {
    'read-key': { id: 'key-r', scope: 'read', limits: null },
    'write-key': { id: 'key-w', scope: 'write', limits: null },
    'admin-key': { id: 'key-a', scope: 'admin', limits: null },
    ...more,
  };
  const lookups: string[] = [];
  return {
    lookups,
    known: () => undefined,
    lookup: async (key) => {
      lookups.push(key);
      return Object.hasOwn(valid, key) ? valid[key] : undefined;
    },
  };
}

const success = { status: 200, description: 'ok' } as const;

export const route = (more: Partial<Route> & Pick<Route, 'method' | 'path'>): Route => ({
  name: `${more.method}${more.path}`.replace(/\W+/g, '_'),
  tag: 'test',
  summary: 'a route of a test',
  scope: more.method === 'GET' ? 'read' : 'write',
  success,
  handle: (call) => ({ status: 200, body: { params: call.params, query: call.query, body: call.body } }),
  ...more,
});

/** One route of each sort. */
export const sampleRoutes: readonly Route[] = [
  route({ method: 'GET', path: '/healthz', open: true, handle: () => ({ status: 200, body: { status: 'ok' } }) }),
  route({ method: 'GET', path: '/metrics', handle: () => ({ status: 200, body: {} }) }),
  route({ method: 'GET', path: '/api/v1/node', open: true, handle: () => ({ status: 200, body: { version: '1' } }) }),
  route({ method: 'GET', path: '/api/v1/things/:id' }),
  route({
    method: 'GET',
    path: '/api/v1/things',
    query: object({ limit: optional(integer(1, 100)), name: optional(text(20)) }),
  }),
  route({ method: 'POST', path: '/api/v1/things' }),
  route({ method: 'GET', path: '/api/v1/things/self', handle: () => ({ status: 200, body: { self: true } }) }),
  route({
    method: 'POST',
    path: '/api/v1/checked',
    body: object({ amount: integer(1), terms: optional(freeObject) }),
  }),
  route({ method: 'POST', path: '/api/v1/faucet', open: true }),
  route({ method: 'POST', path: '/api/v1/admin/act', scope: 'admin' }),
  route({
    method: 'GET',
    path: '/api/v1/caller',
    open: true,
    handle: ({ caller }) => ({ status: 200, body: { caller } }),
  }),
];

export interface Started {
  readonly http: HttpServer;
  readonly port: number;
  readonly url: string;
}

const running = new Set<HttpServer>();

export async function start(
  routes: readonly Route[] = sampleRoutes,
  more: Partial<ServerParts> & { variables?: Variables } = {},
): Promise<Started> {
  const { variables, ...parts } = more;
  const http = createServer({
    config: configOf(variables),
    world: realEnvironment,
    keys: keysOf(),
    log: createLog(),
    metrics: new Metrics(),
    gate: () => undefined,
    home: () => undefined,
    writesInFlight: () => 0,
    routes,
    ...parts,
  });
  running.add(http);
  const { port, url } = await http.listen();
  return { http, port, url };
}

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((each) => each.close(50)));
  running.clear();
}

export interface RawReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  readonly text: string;
}

/** Sends bytes, reads until the other side ends or is silent, and parses the first response. */
export function raw(
  port: number,
  bytes: string | Buffer | (string | Buffer)[],
  { quietMs = 400, host = '127.0.0.1', from }: { quietMs?: number; host?: string; from?: string } = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect({ port, host, localAddress: from }, () => {
      for (const each of [bytes].flat()) socket.write(typeof each === 'string' ? Buffer.from(each, 'latin1') : each);
    });
    const done = () => {
      socket.destroy();
      const reply = parseReply(Buffer.concat(chunks));
      if (reply) resolve(reply);
      else reject(new AssertionError(`no answer in: ${Buffer.concat(chunks)}`));
    };
    let quiet: NodeJS.Timeout | undefined;
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      quiet = setTimeout(done, isWhole(Buffer.concat(chunks)) ? 15 : quietMs);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(quiet);
      done();
    });
  });
}

export function parseReply(bytes: Buffer): RawReply | undefined {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [head = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(head.split(' ')[1]), headers, body: bytes.subarray(end + 4).toString('utf8'), text };
}

function isWhole(bytes: Buffer): boolean {
  const reply = parseReply(bytes);
  if (!reply) return false;
  if (reply.status === 100) return false;
  const length = reply.headers['content-length'];
  if (length === undefined) return reply.status === 204 || reply.status === 304;
  return Buffer.byteLength(reply.body) >= Number(length);
}

/** A request with the usual headers and these lines. */
export const request = (line: string, port: number, lines: string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...lines, '', body].join('\r\n');

type Code = keyof typeof codes;

interface Expected {
  readonly code: Code;
  readonly url: string;
  readonly instance?: string | undefined;
  readonly status?: number;
  readonly detail?: RegExp;
}

/** Expects a complete problem document. */
export function expectProblem(problem: Problem, { code, url, instance, status, detail }: Expected): Problem {
  const [usual, suffix] = codes[code];
  expect(problem, JSON.stringify(problem)).to.include.keys(
    'type',
    'title',
    'status',
    'detail',
    'code',
    'requestId',
    ...(instance === undefined ? [] : ['instance']),
  );
  expect(problem.code).to.equal(code);
  expect(problem.type).to.equal(`${url}/errors/${suffix}`);
  expect(problem.status).to.equal(status ?? usual);
  expect(problem.title).to.be.a('string').and.not.equal('');
  expect(problem.detail).to.be.a('string').and.not.equal('');
  expect(problem.requestId).to.match(/^[A-Za-z0-9._:/+=-]{1,128}$/);
  if (instance !== undefined) expect(problem.instance).to.equal(instance);
  if (detail) expect(problem.detail).to.match(detail);
  if (code === 'INVALID_REQUEST') expect(problem.errors).to.be.an('array').that.is.not.empty;
  return problem;
}

export async function problemIn(response: Response, expected: Expected): Promise<Problem> {
  expect(response.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
  expect(response.status).to.equal(expected.status ?? codes[expected.code][0]);
  expect(response.headers.get('x-request-id')).to.be.a('string');
  return expectProblem((await response.json()) as Problem, expected);
}

export function rawProblem(reply: RawReply, expected: Expected): Problem {
  expect(reply.headers['content-type']).to.equal('application/problem+json; charset=utf-8');
  expect(reply.status).to.equal(expected.status ?? codes[expected.code][0]);
  expect(Number(reply.headers['content-length'])).to.equal(Buffer.byteLength(reply.body));
  return expectProblem(JSON.parse(reply.body) as Problem, expected);
}
