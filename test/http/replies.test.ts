/** Replies of routes: bodies, entity tags, refusals with their members, faults, text streams. */
import { expect } from 'chai';
import sinon from 'sinon';
import { createLog } from '../../src/core/log.js';
import { type Refusal, RefusedError, refuse } from '../../src/core/refusal.js';
import { Metrics } from '../../src/http/server/metrics.js';
import type { Reply, Route } from '../../src/http/server/route.js';
import { problemIn, raw, request, route, type Started, start, stopAll } from './support.js';

const get = (path: string, handle: Route['handle'], more: Partial<Route> = {}) =>
  route({ method: 'GET', path: `/api/v1/${path}`, handle, ...more });

const fails = (path: string, refusal: Refusal) => get(path, () => refusal);

const tagged: Reply = { status: 200, body: { a: 1 }, headers: { ETag: '"abc"', Location: '/api/v1/x' } };

describe('http: replies', () => {
  let at: Started;
  let lines: string[];
  const metrics = () => new Metrics();
  const begin = async (routes: Route[], variables: Record<string, string> = {}) => {
    lines = [];
    const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
    at = await start(routes, { log, metrics: metrics(), variables });
  };

  afterEach(stopAll);

  it('are JSON with their length', async () => {
    await begin([get('x', async () => ({ status: 200, body: { text: 'é', none: undefined } }))]);
    const reply = await raw(at.port, request('GET /api/v1/x', at.port));
    expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(reply.headers['content-length']).to.equal(String(Buffer.byteLength(reply.body)));
    expect(reply.headers).to.not.have.property('transfer-encoding');
    expect(reply.body).to.equal('{"text":"é"}');
  });

  it('201 carries Location, 204 nothing', async () => {
    await begin([
      route({
        method: 'POST',
        path: '/api/v1/x',
        handle: () => ({ status: 201, body: {}, headers: { Location: '/api/v1/x/1' } }),
      }),
      route({ method: 'DELETE', path: '/api/v1/x', handle: () => ({ status: 204 }) }),
    ]);
    const made = await fetch(`${at.url}/api/v1/x`, { method: 'POST' });
    expect([made.status, made.headers.get('location')]).to.deep.equal([201, '/api/v1/x/1']);
    const gone = await raw(at.port, request('DELETE /api/v1/x', at.port));
    expect([gone.status, gone.body]).to.deep.equal([204, '']);
    expect(gone.headers).to.not.have.any.keys('content-type', 'content-length', 'transfer-encoding');
  });

  it('with an entity tag answer If-None-Match with 304, compared weakly', async () => {
    await begin([
      get('x', () => tagged),
      get('bare', () => ({ ...tagged, headers: { etag: 'abc' } })),
      get('untagged', () => ({ status: 200, body: {} })),
    ]);
    for (const asked of ['"abc"', 'W/"abc"', '"x", "abc"', '*', 'abc']) {
      const reply = await raw(at.port, request('GET /api/v1/x', at.port, [`If-None-Match: ${asked}`]));
      expect([reply.status, reply.body], asked).to.deep.equal([304, '']);
      expect(reply.headers.etag).to.equal('"abc"');
      expect(reply.headers).to.not.have.any.keys('content-type', 'content-length');
    }
    expect((await raw(at.port, request('HEAD /api/v1/x', at.port, ['If-None-Match: "abc"']))).status).to.equal(304);
    for (const [path, asked] of [
      ['x', '"abd"'],
      ['untagged', '*'],
    ]) {
      const reply = await raw(at.port, request(`GET /api/v1/${path}`, at.port, [`If-None-Match: ${asked}`]));
      expect(reply.status).to.equal(200);
    }
    const bare = await fetch(`${at.url}/api/v1/bare`);
    expect(bare.headers.get('etag')).to.equal('"abc"');
  });

  it('a refusal brings its members and headers', async () => {
    await begin([
      fails('nonce', refuse('CONFLICT', 'nonce 3 is used', { nextNonce: 4 })),
      fails('reverted', refuse('INTERNAL_ERROR', 'reverted', { eventHash: 'ab', nonce: 4, committed: true })),
      fails('busy', refuse('SERVICE_UNAVAILABLE', 'later', { retryAfter: 2.5 })),
      fails('away', refuse('SERVICE_UNAVAILABLE', 'later')),
      fails('limited', refuse('RATE_LIMITED', 'enough', { retryAfter: 7 })),
      fails('poor', refuse('INSUFFICIENT_BALANCE', 'has 1 of 2 Tokens')),
    ]);
    const problem = async (path: string, code: Parameters<typeof refuse>[0]) => {
      const response = await fetch(`${at.url}/api/v1/${path}`);
      return [await problemIn(response, { code, url: at.url, instance: `/api/v1/${path}` }), response.headers] as const;
    };
    expect((await problem('nonce', 'CONFLICT'))[0].nextNonce).to.equal(4);
    expect((await problem('reverted', 'INTERNAL_ERROR'))[0]).to.include({ eventHash: 'ab', nonce: 4, committed: true });
    const [busy, headers] = await problem('busy', 'SERVICE_UNAVAILABLE');
    expect(headers.get('retry-after')).to.equal('3');
    expect(busy).to.not.have.property('retryAfter');
    expect((await problem('away', 'SERVICE_UNAVAILABLE'))[1].get('retry-after')).to.equal('5');
    expect((await problem('limited', 'RATE_LIMITED'))[1].get('retry-after')).to.equal('7');
    expect((await problem('poor', 'INSUFFICIENT_BALANCE'))[0].type).to.match(/validation-error$/);
  });

  const faulty = [
    get('throws', () => {
      throw new TypeError('secret detail of the inside');
    }),
    get('rejects', async () => Promise.reject(new TypeError('secret detail of the inside'))),
    get('rejects-nothing', async () => Promise.reject(undefined)),
    get('refused', async () => Promise.reject(new RefusedError(refuse('CONFLICT', 'thrown as a refusal')))),
    get('unjsonable', () => ({ status: 200, body: { big: 1n } })),
    get('no-reply', () => undefined as unknown as Reply),
  ];

  it('what is thrown is 500, logged with its stack', async () => {
    await begin(faulty);
    for (const path of ['throws', 'rejects', 'unjsonable', 'no-reply']) {
      lines.length = 0;
      const response = await fetch(`${at.url}/api/v1/${path}`);
      const problem = await problemIn(response, { code: 'INTERNAL_ERROR', url: at.url, instance: `/api/v1/${path}` });
      const logged = lines.map((line) => JSON.parse(line)).find((line) => line.err);
      expect(logged?.requestId, path).to.equal(problem.requestId);
      expect(logged.err.stack).to.contain('at ');
    }
    await problemIn(await fetch(`${at.url}/api/v1/rejects-nothing`), { code: 'INTERNAL_ERROR', url: at.url });
    await problemIn(await fetch(`${at.url}/api/v1/refused`), { code: 'CONFLICT', url: at.url, detail: /thrown as/ });
  });

  it('on mainnet a 500 reveals nothing internal', async () => {
    at = await start(
      faulty.map((each) => ({ ...each, path: each.path.replace('/api/v1', '/public'), open: true })),
      { variables: { SVC_NETWORK: 'mainnet' } },
    );
    const response = await fetch(`${at.url}/public/throws`);
    const problem = await problemIn(response, { code: 'INTERNAL_ERROR', url: at.url });
    expect(JSON.stringify(problem)).to.not.contain('secret');
  });

  it('the gate closes the API, not the public pages, and only after the request was understood', async () => {
    const gate = sinon.spy((scope: string) =>
      scope === 'read' ? undefined : refuse('SERVICE_UNAVAILABLE', 'the store is away'),
    );
    at = await start(
      [
        get('x', () => tagged),
        route({ method: 'POST', path: '/api/v1/x' }),
        route({ method: 'GET', path: '/healthz', open: true }),
      ],
      { gate },
    );
    expect((await fetch(`${at.url}/api/v1/x`)).status).to.equal(200);
    expect((await fetch(`${at.url}/healthz`)).status).to.equal(200);
    const post = (body: string) =>
      fetch(`${at.url}/api/v1/x`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await problemIn(await post('{'), { code: 'INVALID_REQUEST', url: at.url });
    await problemIn(await post('{}'), { code: 'SERVICE_UNAVAILABLE', url: at.url });
    expect(gate.args).to.deep.equal([['read'], ['write']]);
  });

  it('pages go out whole, with their headers', async () => {
    const page: Reply = {
      status: 200,
      headers: { 'Content-Security-Policy': "default-src 'self'", 'Cache-Control': 'max-age=60', ETag: '"p"' },
      stream: { type: 'text/html; charset=utf-8', chunks: '<p>é</p>' },
    };
    await begin([get('page', () => page)]);
    const reply = await raw(at.port, request('GET /api/v1/page', at.port));
    expect(reply.body).to.equal('<p>é</p>');
    expect(reply.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '9',
      'content-security-policy': "default-src 'self'",
      'cache-control': 'max-age=60',
    });
    expect((await raw(at.port, request('GET /api/v1/page', at.port, ['If-None-Match: "p"']))).status).to.equal(304);
  });

  it('static paths win over parameters, in whatever order they come', async () => {
    const named = (name: string) => () => ({ status: 200, body: { name } });
    await begin([
      get('things/:id', named('param')),
      get('things/self', named('self')),
      get('things/:id/:part', named('two')),
      get('things/self/:part', named('one')),
      route({ method: 'GET', path: '/files/a/:name', open: true, handle: named('third') }),
    ]);
    const name = async (path: string) => (await (await fetch(`${at.url}${path}`)).json()).name;
    expect(await name('/api/v1/things/self')).to.equal('self');
    expect(await name('/api/v1/things/other')).to.equal('param');
    expect(await name('/api/v1/things/self/x')).to.equal('one');
    expect(await name('/api/v1/things/other/x')).to.equal('two');
    expect(await name('/files/a/b.js')).to.equal('third');
  });

  it('are counted by route, method and status, never by path', async () => {
    const counted = new Metrics();
    at = await start([get('things/:id', () => tagged)], { metrics: counted });
    await fetch(`${at.url}/api/v1/things/1`);
    await fetch(`${at.url}/api/v1/things/2`, { method: 'HEAD' });
    await fetch(`${at.url}/api/v1/none/3`);
    await raw(at.port, 'junk\r\n\r\n');
    const text = await counted.text();
    expect(text).to.contain('svc_http_requests_total{route="/api/v1/things/:id",method="GET",status="200"} 1');
    expect(text).to.contain('svc_http_requests_total{route="/api/v1/things/:id",method="HEAD",status="200"} 1');
    expect(text).to.contain('svc_http_requests_total{route="(none)",method="*",status="404"} 1');
    expect(text).to.contain('svc_http_requests_total{route="(none)",method="*",status="400"} 1');
    expect(text).to.contain('svc_http_requests_in_flight 0');
    expect(text).to.not.contain('none/3');
  });
});
