/** Access: the loopback rule, keys, scopes, networks, proxies, CORS. */
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { keysOf, raw, rawProblem, request, route, type Started, sampleRoutes, start, stopAll } from './support.js';

describe('http: access', () => {
  let at: Started;
  const send = (line: string, lines: string[] = [], body = '') => raw(at.port, request(line, at.port, lines, body));
  const callerOf = async (lines: string[], host?: string) => {
    const head = request('GET /api/v1/caller', at.port, lines);
    const reply = await raw(at.port, host ? head.replace(/Host: .*/, `Host: ${host}`) : head);
    expect(reply.status, reply.body).to.equal(200);
    return JSON.parse(reply.body).caller;
  };
  const unauthorized = (instance?: string) => ({ code: 'UNAUTHORIZED' as const, url: at.url, instance });

  afterEach(stopAll);

  describe('the loopback rule on devnet', () => {
    beforeEach(async () => {
      at = await start();
    });

    it('gives write scope, never admin', async () => {
      expect(await callerOf([])).to.deep.equal({
        origin: '127.0.0.1',
        loopback: true,
        local: true,
        scope: 'write',
      });
      expect((await send('POST /api/v1/things')).status).to.equal(200);
      rawProblem(await send('POST /api/v1/admin/act'), {
        code: 'FORBIDDEN',
        url: at.url,
        instance: '/api/v1/admin/act',
      });
    });

    it('holds for any spelling of this machine with our port', async () => {
      for (const host of [`localhost:${at.port}`, `127.0.0.2:${at.port}`, `[::1]:${at.port}`, `LOCALHOST:${at.port}`]) {
        expect((await callerOf([], host)).loopback, host).to.equal(true);
      }
    });

    it('does not hold for another Host: DNS rebinding', async () => {
      for (const host of [
        'evil.example',
        `evil.example:${at.port}`,
        'localhost',
        'localhost:1',
        '127.0.0.1',
        `127.0.0.1.evil:${at.port}`,
        `localhost.evil:${at.port}`,
        `2130706433:${at.port}`,
        `0x7f000001:${at.port}`,
      ]) {
        expect((await callerOf([], host)).loopback, host).to.equal(false);
      }
    });

    it('refuses a Host that is no host and port', async () => {
      for (const host of [`a@localhost:${at.port}`, `a b:${at.port}`]) {
        const head = request('GET /api/v1/caller', at.port).replace(/Host: .*/, `Host: ${host}`);
        expect((await raw(at.port, head)).status, host).to.equal(400);
      }
    });

    it('does not hold for a foreign Origin', async () => {
      for (const origin of [
        'http://evil.example',
        'null',
        `https://127.0.0.1:${at.port}`,
        'http://localhost:1',
        'file://',
      ]) {
        expect((await callerOf([`Origin: ${origin}`])).loopback, origin).to.equal(false);
      }
      expect((await callerOf([`Origin: http://127.0.0.1:${at.port}`])).loopback).to.equal(true);
    });

    it('does not hold behind a proxy', async () => {
      for (const line of [
        'X-Forwarded-For: 127.0.0.1',
        'X-Forwarded-Proto: http',
        'X-Forwarded-Anything: 1',
        'Forwarded: for=127.0.0.1',
        'Via: 1.1 proxy',
        'X-Real-IP: 127.0.0.1',
        'CF-Connecting-IP: 1.2.3.4',
        'True-Client-IP: 1.2.3.4',
        'Proxy-Connection: keep-alive',
        'CDN-Loop: cloudflare',
        'Client-IP: 1.2.3.4',
        'X-Envoy-Internal: true',
      ]) {
        expect((await callerOf([line])).loopback, line).to.equal(false);
      }
    });

    it('does not hold for what a page of another site has a browser send', async () => {
      for (const site of ['cross-site', 'same-site', 'unheard-of']) {
        expect((await callerOf([`Sec-Fetch-Site: ${site}`])).loopback, site).to.equal(false);
      }
      for (const site of ['same-origin', 'none']) {
        expect((await callerOf([`Sec-Fetch-Site: ${site}`])).loopback, site).to.equal(true);
      }
    });

    it('does not hold for HTTP/1.0, which proxies speak', async () => {
      const reply = await raw(at.port, `GET /api/v1/caller HTTP/1.0\r\nHost: 127.0.0.1:${at.port}\r\n\r\n`);
      expect(JSON.parse(reply.body).caller).to.deep.equal({ origin: '127.0.0.1', loopback: false });
      expect(reply.headers).to.have.property('ratelimit');
    });

    it('leaves a caller without it the open routes and nothing else', async () => {
      const foreign = ['Via: 1.1 proxy'];
      for (const line of ['GET /api/v1/node', 'POST /api/v1/faucet', 'GET /healthz', 'GET /api/v1/caller']) {
        expect((await send(line, foreign)).status, line).to.equal(200);
      }
      for (const line of [
        'GET /api/v1/things',
        'POST /api/v1/things',
        'GET /api/v1/none',
        'PUT /api/v1/node',
        'GET /metrics',
      ]) {
        rawProblem(await send(line, foreign), unauthorized());
      }
      const asked = await send('GET /api/v1/things', foreign);
      expect(asked.headers['www-authenticate']).to.match(/^Bearer/);
    });

    it('does not hold for a peer from outside that says it is here', async function () {
      const outside = Object.values(networkInterfaces())
        .flat()
        .find((each) => each?.family === 'IPv4' && !each.internal);
      if (!outside) this.skip();
      at = await start(sampleRoutes, { variables: { SVC_HOST: '0.0.0.0' } });
      const reply = await raw(at.port, request('GET /api/v1/caller', at.port), { host: outside.address });
      expect(JSON.parse(reply.body).caller).to.deep.equal({ origin: outside.address, loopback: false });
      expect(reply.headers).to.have.property('ratelimit');
    });

    it('is off where the node is published elsewhere', async () => {
      at = await start(sampleRoutes, { variables: { SVC_PUBLIC_URL: 'https://node.example.org' } });
      expect((await callerOf([])).loopback).to.equal(false);
      at = await start(sampleRoutes, { variables: { SVC_PUBLIC_URL: 'http://localhost:9999' } });
      expect((await callerOf([])).loopback).to.equal(true);
    });

    it('is off where proxies are trusted, and with SVC_LOOPBACK=off', async () => {
      for (const variables of [{ SVC_TRUSTED_PROXIES: '10.0.0.1' }, { SVC_LOOPBACK: 'off' }]) {
        at = await start(sampleRoutes, { variables });
        expect(await callerOf([])).to.deep.equal({ origin: '127.0.0.1', loopback: false });
        rawProblem(await send('POST /api/v1/things'), unauthorized());
        // Nor does loopback extend a key's rights or lift its limits.
        const keyed = await send('GET /api/v1/caller', ['X-Api-Key: write-key']);
        expect(JSON.parse(keyed.body).caller).to.not.have.property('local');
        expect(keyed.headers).to.have.property('ratelimit');
      }
    });

    it('is off on testnet, unless switched on', async () => {
      at = await start(sampleRoutes, { variables: { SVC_NETWORK: 'testnet' } });
      expect(await callerOf([])).to.deep.equal({ origin: '127.0.0.1', loopback: false });
      at = await start(sampleRoutes, { variables: { SVC_NETWORK: 'testnet', SVC_LOOPBACK: 'on' } });
      expect(await callerOf([])).to.include({ loopback: true, scope: 'write' });
    });
  });

  describe('keys', () => {
    beforeEach(async () => {
      at = await start(sampleRoutes, {
        keys: keysOf({ bound: { id: 'key-b', scope: 'read', did: 'did:svc:z1', limits: null } }),
      });
    });

    it('are refused by what is wrong with how they came', async () => {
      for (const [headers, detail] of [
        [['Authorization: Basic eDp5'], 'Authorization must be Bearer <key>'],
        [['Authorization: read-key'], 'Authorization must be Bearer <key>'],
        [['Authorization: Token read-key'], 'Authorization must be Bearer <key>'],
        [['Authorization: Bearer'], 'Authorization must be Bearer <key>'],
        [['X-Api-Key:'], 'X-Api-Key is empty'],
        [['X-Api-Key: read-key', 'X-Api-Key: write-key'], 'two different API keys were sent'],
      ] as const) {
        const { status, body } = await send('GET /api/v1/caller', [...headers]);
        expect(JSON.parse(body), headers.join()).to.deep.include({ status: 401, detail });
        expect(status).to.equal(401);
      }
    });

    it('come as X-Api-Key or as Bearer, or as both when equal', async () => {
      for (const lines of [
        ['X-Api-Key: read-key'],
        ['Authorization: Bearer read-key'],
        ['authorization: bearer read-key'],
        ['X-Api-Key: read-key', 'Authorization: Bearer read-key'],
      ]) {
        expect(await callerOf(lines)).to.deep.equal({
          origin: '127.0.0.1',
          loopback: false,
          local: true,
          keyId: 'key-r',
          scope: 'read',
        });
      }
      expect((await callerOf(['X-Api-Key: bound'])).did).to.equal('did:svc:z1');
    });

    it('two that differ are 401', async () => {
      for (const lines of [
        ['X-Api-Key: read-key', 'Authorization: Bearer write-key'],
        ['X-Api-Key: read-key', 'X-Api-Key: write-key'],
        ['Authorization: Bearer read-key', 'Authorization: Bearer write-key'],
        ['X-Api-Key: read-key', 'Authorization: Basic eDp5'],
      ]) {
        rawProblem(await send('GET /api/v1/node', lines), unauthorized('/api/v1/node'));
      }
    });

    it('one that is wrong is 401 everywhere, on public pages and unknown routes too', async () => {
      for (const path of ['/healthz', '/api/v1/node', '/api/v1/things', '/api/v1/none', '/none', '/metrics']) {
        rawProblem(await send(`GET ${path}`, ['X-Api-Key: wrong']), unauthorized(path));
      }
      for (const line of [
        'Authorization: Basic eDp5',
        'Authorization: Bearer',
        'X-Api-Key: ',
        'X-Api-Key: __proto__',
      ]) {
        rawProblem(await send('GET /healthz', [line]), unauthorized('/healthz'));
      }
    });

    it('have a scope: admin includes write includes read', async () => {
      const status = async (line: string, key: string) => (await send(line, [`X-Api-Key: ${key}`])).status;
      expect(await status('GET /api/v1/things', 'read-key')).to.equal(200);
      expect(await status('POST /api/v1/things', 'read-key')).to.equal(403);
      expect(await status('POST /api/v1/things', 'write-key')).to.equal(200);
      expect(await status('POST /api/v1/admin/act', 'write-key')).to.equal(403);
      expect(await status('POST /api/v1/admin/act', 'admin-key')).to.equal(200);
      expect(await status('GET /metrics', 'read-key')).to.equal(200);
    });
  });

  describe('mainnet', () => {
    beforeEach(async () => {
      at = await start(sampleRoutes, { variables: { SVC_NETWORK: 'mainnet' } });
    });

    it('needs a key for everything under /api, from this machine too', async () => {
      for (const line of [
        'GET /api/v1/node',
        'GET /api/v1/things',
        'POST /api/v1/faucet',
        'GET /api/v1/none',
        'OPTIONS /api/v1/node',
        'GET /api',
      ]) {
        rawProblem(await send(line), unauthorized());
      }
      expect((await send('GET /api/v1/node', ['X-Api-Key: read-key'])).status).to.equal(200);
    });

    it('leaves the public pages open, and metrics to this machine', async () => {
      expect((await send('GET /healthz')).status).to.equal(200);
      expect((await send('GET /metrics')).status).to.equal(200);
      rawProblem(await send('GET /metrics', ['Via: 1.1 x']), unauthorized('/metrics'));
      rawProblem(await send('GET /none'), { code: 'NOT_FOUND', url: at.url });
    });
  });

  describe('trusted proxies', () => {
    const origin = async (lines: string[]) => (await callerOf(lines)).origin;

    it('are believed from the right, one hop at a time', async () => {
      at = await start(sampleRoutes, { variables: { SVC_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, 2001:db8::/32' } });
      expect(await origin(['X-Forwarded-For: 6.6.6.6, 203.0.113.7'])).to.equal('203.0.113.7');
      expect(await origin(['X-Forwarded-For: 6.6.6.6, 203.0.113.7, 10.1.2.3'])).to.equal('203.0.113.7');
      expect(await origin(['X-Forwarded-For: 203.0.113.7:4711'])).to.equal('203.0.113.7');
      expect(await origin(['X-Forwarded-For: [2a00:1:2:3:4::5]:443'])).to.equal('2a00:1:2:3::/64');
      expect(await origin(['X-Forwarded-For: ::ffff:203.0.113.9'])).to.equal('203.0.113.9');
      expect(await origin(['X-Forwarded-For: 1.2.3.4, unknown'])).to.equal('127.0.0.1');
      expect(await origin(['X-Forwarded-For: 1.2.3.4', 'X-Forwarded-For: 5.6.7.8'])).to.equal('5.6.7.8');
      expect(await origin(['Forwarded: for=1.2.3.4'])).to.equal('127.0.0.1');
      expect((await callerOf(['X-Forwarded-For: 127.0.0.1'])).loopback).to.equal(false);
    });

    it('are none by default', async () => {
      at = await start();
      expect(await origin(['X-Forwarded-For: 203.0.113.7'])).to.equal('127.0.0.1');
    });
  });

  describe('CORS', () => {
    const page = 'https://app.example.org';

    it('is off by default', async () => {
      at = await start();
      const reply = await send('OPTIONS /api/v1/things', [`Origin: ${page}`, 'Access-Control-Request-Method: POST']);
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
      expect(reply.status).to.equal(401);
    });

    it('answers preflights of its origins without a key, and lends them no privilege', async () => {
      at = await start(sampleRoutes, { variables: { SVC_CORS_ORIGINS: page, SVC_NETWORK: 'mainnet' } });
      const preflight = (origin: string, path = '/api/v1/things') =>
        send(`OPTIONS ${path}`, [`Origin: ${origin}`, 'Access-Control-Request-Method: POST']);
      const { status, headers } = await preflight(page);
      expect(status).to.equal(204);
      expect(headers['access-control-allow-origin']).to.equal(page);
      expect(headers['access-control-allow-methods']).to.contain('POST');
      expect(headers['access-control-allow-headers']).to.contain('X-Api-Key');
      expect(headers).to.not.have.property('access-control-allow-credentials');
      expect((await preflight('https://evil.example')).headers).to.not.have.property('access-control-allow-origin');
      const refused = await send('GET /api/v1/things', [`Origin: ${page}`]);
      rawProblem(refused, unauthorized('/api/v1/things'));
      expect(refused.headers['access-control-allow-origin']).to.equal(page);
      expect(refused.headers.vary).to.equal('Origin');
      const allowed = await send('GET /api/v1/things', [`Origin: ${page}`, 'X-Api-Key: read-key']);
      expect(allowed.headers['access-control-expose-headers']).to.contain('Retry-After');
    });
  });

  it('refuses in the documented order', async () => {
    at = await start([...sampleRoutes, route({ method: 'POST', path: '/api/v1/ordered', scope: 'admin' })], {
      gate: () => undefined,
    });
    const big = ['Content-Length: 2000000', 'Content-Type: text/plain'];
    const first = async (line: string, lines: string[], body = '') =>
      JSON.parse((await send(line, lines, body)).body).code;
    expect(await first('GET /%zz', ['X-Api-Key: wrong'])).to.equal('INVALID_REQUEST');
    expect(await first('GET /api/v1/none', ['X-Api-Key: wrong'])).to.equal('UNAUTHORIZED');
    expect(await first('PUT /api/v1/ordered', ['X-Api-Key: read-key', ...big])).to.equal('METHOD_NOT_ALLOWED');
    expect(await first('POST /api/v1/ordered', ['X-Api-Key: read-key', ...big])).to.equal('FORBIDDEN');
    expect(await first('POST /api/v1/ordered', ['X-Api-Key: admin-key', ...big])).to.equal('PAYLOAD_TOO_LARGE');
  });
});
