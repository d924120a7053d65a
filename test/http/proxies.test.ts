/**
 * Behind a real proxy no request counts as loopback: either its requests show that they are forwarded, or a setting of the
 * node says so (docs/reference/access.md#loopback).
 */
import { expect } from 'chai';
import { isInstalled, type ProxyKind, type RunningProxy, startProxy } from './proxy.js';
import { raw, type Started, sampleRoutes, start, stopAll } from './support.js';

interface Setup {
  readonly kind: ProxyKind;
  readonly says: string;
  readonly directives: readonly string[];
  /** It forwards the caller's own `Host` and adds nothing. */
  readonly looksLocal?: true;
}

const bare: readonly Setup[] = [
  { kind: 'nginx', says: 'as it comes', directives: [] },
  {
    kind: 'nginx',
    says: 'with HTTP/1.1',
    directives: ['proxy_http_version 1.1;', 'proxy_set_header Connection "";'],
    looksLocal: true,
  },
  {
    kind: 'nginx',
    says: 'with HTTP/1.1 and $host',
    directives: ['proxy_http_version 1.1;', 'proxy_set_header Host $host;'],
  },
  {
    kind: 'nginx',
    says: 'with HTTP/1.1 and the caller’s own Host',
    directives: ['proxy_http_version 1.1;', 'proxy_set_header Host $http_host;'],
    looksLocal: true,
  },
  { kind: 'haproxy', says: 'as it comes', directives: [], looksLocal: true },
];

const right: readonly Setup[] = [
  { kind: 'nginx', says: 'documented', directives: ['proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'] },
  { kind: 'haproxy', says: 'documented', directives: ['option forwardfor'] },
];

describe('http: behind a real proxy', () => {
  let at: Started;
  let proxy: RunningProxy | undefined;

  afterEach(async () => {
    await proxy?.stop();
    await stopAll();
  });

  const send = (port: number, line: string, host: string, lines: readonly string[] = []) =>
    raw(port, [`${line} HTTP/1.1`, `Host: ${host}`, 'Content-Length: 0', ...lines, '', ''].join('\r\n'));
  const callerAt = async (port: number, host: string, lines?: readonly string[]) => {
    const reply = await send(port, 'GET /api/v1/caller', host, lines);
    expect(reply.status, reply.body).to.equal(200);
    return JSON.parse(reply.body).caller;
  };

  for (const { kind, says, directives, looksLocal } of bare) {
    const test = isInstalled(kind) ? it : it.skip;
    const set = looksLocal ? ', with SVC_TRUSTED_PROXIES' : '';
    test(`nothing privileged passes ${kind} ${says}${set}${isInstalled(kind) ? '' : ' (skipped: not installed)'}`, async () => {
      at = await start(sampleRoutes, { variables: looksLocal ? { SVC_TRUSTED_PROXIES: '127.0.0.1' } : {} });
      proxy = await startProxy(kind, at.port, directives);
      for (const host of [`127.0.0.1:${at.port}`, `localhost:${at.port}`, `[::1]:${at.port}`, 'node.example.org']) {
        expect(await callerAt(proxy.port, host), host).to.deep.equal({ origin: '127.0.0.1', loopback: false });
        for (const line of ['GET /api/v1/things', 'POST /api/v1/things', 'GET /metrics']) {
          expect((await send(proxy.port, line, host)).status, `${line} for ${host}`).to.equal(401);
        }
      }
      // With a key, the request has the rights and limits of the key.
      const keyed = await send(proxy.port, 'GET /api/v1/things', `127.0.0.1:${at.port}`, ['X-Api-Key: read-key']);
      expect(keyed.headers).to.have.property('ratelimit');
      // A real loopback request still counts as loopback while the proxy runs, unless a setting says that there is one.
      const direct = looksLocal ? { loopback: false } : { loopback: true, scope: 'write' };
      expect(await callerAt(at.port, `127.0.0.1:${at.port}`)).to.include(direct);
    });
    if (!looksLocal) continue;
    test(`the API has no privilege behind ${kind} ${says} with SVC_LOOPBACK=off${isInstalled(kind) ? '' : ' (skipped: not installed)'}`, async () => {
      at = await start(sampleRoutes, { variables: { SVC_LOOPBACK: 'off' } });
      proxy = await startProxy(kind, at.port, directives);
      const host = `127.0.0.1:${at.port}`;
      expect(await callerAt(proxy.port, host)).to.deep.equal({ origin: '127.0.0.1', loopback: false });
      for (const line of ['GET /api/v1/things', 'POST /api/v1/things']) {
        expect((await send(proxy.port, line, host)).status, line).to.equal(401);
      }
    });
  }

  for (const { kind, says, directives } of right) {
    const test = isInstalled(kind) ? it : it.skip;
    test(`callers behind ${kind} as ${says} are distinguished${isInstalled(kind) ? '' : ' (skipped: not installed)'}`, async () => {
      at = await start(sampleRoutes, { variables: { SVC_TRUSTED_PROXIES: '127.0.0.1' } });
      proxy = await startProxy(kind, at.port, directives);
      const host = `127.0.0.1:${at.port}`;
      // The caller's own forwarding header is ignored.
      const lines = [`Host: ${host}`, 'X-Forwarded-For: 203.0.113.7', '', ''];
      const head = ['GET /api/v1/caller HTTP/1.1', ...lines].join('\r\n');
      const reply = await raw(proxy.port, head, { from: '127.0.0.9' });
      expect(JSON.parse(reply.body).caller).to.deep.equal({ origin: '127.0.0.9', loopback: false });
    });
  }
});
