/** Clients that disconnect and requests that are not HTTP/1 are counted separately, and raise no alert. */
import { once } from 'node:events';
import type http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { realEnvironment } from '../../src/core/environment.js';
import { createLog } from '../../src/core/log.js';
import { listenerOf } from '../../src/http/server/listener.js';
import { Metrics } from '../../src/http/server/metrics.js';
import { RequestContext, ServerContext } from '../../src/http/server/request-context.js';
import type { Call } from '../../src/http/server/route.js';
import { until } from '../support/until.js';
import { configOf, raw, request, route, start, stopAll } from './support.js';

describe('http: clients that hang up', () => {
  afterEach(stopAll);

  it('are counted with status 499 and logged at level debug, whenever they leave', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
    const metrics = new Metrics();
    const left = async ({ signal }: Call) => {
      if (!signal.aborted) await once(signal, 'abort');
    };
    const slow = route({
      method: 'GET',
      path: '/api/v1/slow',
      handle: (call) => left(call).then(() => ({ status: 200, body: {} })),
    });
    const failing = route({
      method: 'GET',
      path: '/api/v1/failing',
      handle: (call) => left(call).then(() => Promise.reject(new TypeError('write EPIPE'))),
    });
    const at = await start([slow, failing, route({ method: 'POST', path: '/api/v1/things' })], { log, metrics });
    const body = ['Content-Type: application/json', 'Content-Length: 50'];
    for (const sent of [
      request('GET /api/v1/slow', at.port),
      request('GET /api/v1/failing', at.port),
      request('POST /api/v1/things', at.port, body, '{"a":'),
      request('POST /api/v1/things', at.port, [body[0]!, 'Transfer-Encoding: chunked'], '5\r\n{"a":\r\nzz\r\n'),
    ]) {
      const connected = once(at.http.server, 'connection') as Promise<[net.Socket]>;
      const socket = net.connect(at.port, '127.0.0.1');
      socket.on('error', () => {});
      const [peer] = await connected;
      socket.write(sent);
      await until('it has come', () => peer.bytesRead === sent.length);
      socket.resetAndDestroy();
    }
    const isCounted = async () => {
      const text = await metrics.text();
      const ofThree = ['slow', 'failing', 'things'].every((path) => text.includes(`route="/api/v1/${path}",method`));
      return ofThree && text.includes('svc_http_requests_in_flight 0');
    };
    await until('all are counted', isCounted);
    const counted = await metrics.text();
    for (const path of ['slow', 'failing'])
      expect(counted).to.match(new RegExp(`svc_http_requests_total\\{[^}]*${path}[^}]*status="499"\\} 1`));
    expect(counted).not.to.match(/status="5\d\d"/);
    const loud = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
    expect(loud).to.deep.equal([]);
    expect(lines.join('')).not.to.include('circular');
  });

  it('are noticed although bytes that are not HTTP came before the end', async () => {
    const left: string[] = [];
    const slow = route({
      method: 'GET',
      path: '/api/v1/slow/:id',
      handle: async ({ signal, params }) => {
        if (params.id === 'brief') await wait(150);
        else await once(signal, 'abort').then(() => left.push(params.id!));
        return { status: 200, body: {} };
      },
    });
    const at = await start([slow]);
    const others = Array.from({ length: bounds.requestsPerConnection - 1 }, (_, id) => String(id));
    // The last list has as many requests as a connection may, so the bytes and the end after them wait unparsed.
    for (const { ids, later } of [{ ids: ['0'] }, { ids: ['0'], later: 'more' }, { ids: ['brief', ...others] }]) {
      left.splice(0);
      const socket = net.connect(at.port, '127.0.0.1');
      socket.write(ids.map((id) => request(`GET /api/v1/slow/${id}`, at.port)).join(''));
      socket.write('GET  / HTTP/1.1\r\n\r\n');
      if (later !== undefined) await wait(100);
      socket.end(later ?? '');
      const expected = ids.filter((id) => id !== 'brief');
      await until('they are noticed', () => left.length === expected.length);
      expect(left.sort()).to.deep.equal(expected);
      socket.destroy();
    }
  });

  it('reset the connection while a CONNECT waits for a reply, and the process continues', async () => {
    const context = new ServerContext(configOf(), realEnvironment, createLog(), new Metrics());
    const server = listenerOf(context, (req, res) => void new RequestContext(context, req, res));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connected = once(server, 'connect') as Promise<[http.IncomingMessage, net.Socket]>;
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${request('GET /healthz', port)}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
    const [, peer] = await connected;
    const closed = new Promise((resolve) => peer.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
    server.close();
  });

  for (const version of ['', ' HTTP/0.9', ' HTTP/2.0', ' HTTP/1.2']) {
    it(`a request line that ends with "${version}" is 400`, async () => {
      const at = await start();
      const reply = await raw(at.port, `GET /healthz${version}\r\nHost: 127.0.0.1:${at.port}\r\n\r\n`);
      expect(reply.text).to.match(/ 400 /);
    });
  }

  for (const host of ['a b', 'user@127.0.0.1', 'a/b', 'a:b:c', '[::1', 'a,b']) {
    it(`Host: ${host} is 400`, async () => {
      const at = await start();
      const reply = await raw(at.port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect([reply.status, reply.body]).to.satisfy(([status]: [number]) => status === 400);
    });
  }

  for (const { what, headers, part } of [
    { what: 'bodies on their way', headers: [], part: Buffer.alloc(1_048_000, ' ') },
    // All but its last bytes, so that the node waits for them with the unpacked body in memory.
    {
      what: 'packed bodies, with the bytes that come out of them,',
      headers: ['Content-Encoding: gzip'],
      part: gzipSync(Buffer.alloc(1_048_000, ' ')).subarray(0, -4),
    },
  ]) {
    it(`${what} have a budget for each caller: beyond it 503`, async () => {
      const at = await start();
      const lines = ['Content-Type: application/json', 'Content-Length: 1048576', ...headers];
      const sockets = await Promise.all(
        Array.from({ length: 24 }, async () => {
          const socket = net.connect(at.port, '127.0.0.1');
          const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
          socket.on('error', () => {});
          socket.write(request('POST /api/v1/things', at.port, lines));
          socket.write(part);
          return { socket, answer };
        }),
      );
      const most = bounds.arrivingCallerBytes / 1_048_000 + 1;
      const refused: string[] = [];
      for (const { answer } of sockets)
        void answer.then((text) => text.startsWith('HTTP/1.1 503 ') && refused.push(text));
      await until('the rest is refused', () => sockets.length - refused.length <= most);
      expect(refused).not.to.deep.equal([]);
      for (const { socket } of sockets) socket.destroy();
      const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
      await until('there is room again', async () => (await fetch(`${at.url}/api/v1/things`, post)).status === 200);
    });
  }

  it('a body in small pieces counts for the memory that they take', async () => {
    const at = await start();
    const socket = net.connect(at.port, '127.0.0.1');
    socket.on('error', () => {});
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.write(
      request('POST /api/v1/things', at.port, ['Content-Type: application/json', 'Transfer-Encoding: chunked']),
    );
    const most = bounds.arrivingCallerBytes / bounds.arrivingPieceBytes;
    for (let sent = 0; sent < most; sent += 1_024) socket.write('1\r\n \r\n'.repeat(1_024));
    expect(await answer).to.match(/^HTTP\/1\.1 503 /);
    socket.destroy();
  });

  it('packed bytes of a body are bounded, although nothing comes out of them', async () => {
    const at = await start();
    const member = Buffer.from('1f8b0800000000000003030000000000000000000000', 'hex').subarray(0, 20);
    const chunk = Buffer.concat(Array.from({ length: 3_200 }, () => member));
    const socket = net.connect(at.port, '127.0.0.1');
    socket.on('error', () => {});
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    const lines = ['Content-Type: application/json', 'Content-Encoding: gzip', 'Transfer-Encoding: chunked'];
    socket.write(request('POST /api/v1/things', at.port, lines));
    for (let sent = 0; sent < 24; sent++)
      socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
    expect(await answer).to.match(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});
