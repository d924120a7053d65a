/** Start and stop, slow clients, and clients that disconnect. */
import { once } from 'node:events';
import net from 'node:net';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import type { Route } from '../../src/http/server/route.js';
import { until } from '../support/until.js';
import { FakeWorld } from '../world/fake-world.js';
import { parseReply, problemIn, rawProblem, request, route, sampleRoutes, start, stopAll } from './support.js';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A route that answers when the test says so. */
function held(path = '/api/v1/held') {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = () => {};
  const entered = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const signals: AbortSignal[] = [];
  const made: Route = route({
    method: 'GET',
    path,
    async handle(call) {
      signals.push(call.signal);
      begun();
      await gate;
      return { status: 200, body: { done: true } };
    },
  });
  return { route: made, release, entered, signals };
}

describe('http: lifecycle', () => {
  afterEach(stopAll);

  it('says which port it got, and builds its URLs from it', async () => {
    const { port, url, http } = await start();
    expect(url).to.equal(`http://127.0.0.1:${port}`);
    expect(http.urls()).to.deep.equal({ publicUrl: url, errorBaseUrl: `${url}/errors` });
  });

  it('a port that is taken rejects', async () => {
    const { port } = await start();
    const second = start(sampleRoutes, { variables: { SVC_PORT: String(port) } });
    const outcome = await second.then(
      () => 'listens',
      (error: { code: string }) => error.code,
    );
    expect(outcome).to.equal('EADDRINUSE');
  });

  it('stopping finishes requests in flight and takes nothing new', async () => {
    const slow = held();
    const at = await start([...sampleRoutes, slow.route]);
    const answer = fetch(`${at.url}/api/v1/held`);
    await slow.entered;
    const closed = at.http.close(5_000);
    const isRefused = () =>
      fetch(`${at.url}/healthz`).then(
        () => false,
        () => true,
      );
    await until('nothing new is taken', isRefused);
    slow.release();
    const response = await answer;
    expect(await response.json()).to.deep.equal({ done: true });
    expect(response.headers.get('connection')).to.equal('close');
    await closed;
  });

  it('a request that arrives while stopping gets 503', async () => {
    const at = await start();
    const connected = once(at.http.server, 'connection') as Promise<[net.Socket]>;
    const socket = net.connect(at.port, '127.0.0.1');
    const [peer] = await connected;
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    const [head, rest] = [
      request('GET /api/v1/things', at.port).slice(0, 20),
      request('GET /api/v1/things', at.port).slice(20),
    ];
    socket.write(head);
    await until('the beginning has come', () => peer.bytesRead === head.length);
    const closed = at.http.close(5_000);
    await wait(30);
    socket.write(rest);
    await Promise.all([ended, closed]);
    const reply = parseReply(Buffer.concat(chunks))!;
    rawProblem(reply, { code: 'SERVICE_UNAVAILABLE', url: at.url, instance: '/api/v1/things' });
    expect(reply.headers).to.include({ connection: 'close', 'retry-after': '5' });
  });

  it('stopping cuts what does not finish in time', async () => {
    const stuck = held();
    const at = await start([stuck.route]);
    const answer = fetch(`${at.url}/api/v1/held`).then(
      () => 'answered',
      () => 'cut',
    );
    await stuck.entered;
    await at.http.close(100);
    expect(await answer).to.equal('cut');
  });

  it('stopping ends idle connections at once and aborts signals', async () => {
    const slow = held();
    const at = await start([...sampleRoutes, slow.route]);
    const idle = net.connect(at.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    idle.write(request('GET /healthz', at.port));
    await new Promise((resolve) => idle.once('data', resolve));
    const answer = fetch(`${at.url}/api/v1/held`);
    await slow.entered;
    const ended = new Promise((resolve) => idle.once('close', resolve));
    const closed = at.http.close(5_000);
    await ended;
    expect(slow.signals[0]?.aborted).to.equal(true);
    slow.release();
    await answer;
    await closed;
  });

  it('the signal aborts when the client goes away', async () => {
    const slow = held();
    const at = await start([slow.route]);
    const abort = new AbortController();
    const answer = fetch(`${at.url}/api/v1/held`, { signal: abort.signal }).catch(() => 'gone');
    await slow.entered;
    expect(slow.signals[0]?.aborted).to.equal(false);
    abort.abort();
    await answer;
    await until('the signal aborts', () => slow.signals[0]!.aborted);
    slow.release();
    await wait(20);
  });

  it('bounds slow and greedy clients', async () => {
    const { server } = (await start()).http;
    expect(server.headersTimeout).to.equal(bounds.headersMs);
    expect(server.requestTimeout).to.equal(bounds.requestMs);
    expect(server.keepAliveTimeout).to.equal(bounds.keepAliveMs);
    expect(server.maxConnections).to.be.within(bounds.connections, bounds.connections * 1.1);
  });

  it('a head that does not come in time is 408', async () => {
    const at = await start();
    at.http.server.headersTimeout = 100;
    const chunks: Buffer[] = [];
    const socket = net.connect(at.port, '127.0.0.1');
    socket.write('GET /healthz HTTP/1.1\r\nHost');
    socket.on('data', (chunk) => chunks.push(chunk));
    await new Promise((resolve) => socket.once('close', resolve));
    rawProblem(parseReply(Buffer.concat(chunks))!, { code: 'INVALID_REQUEST', url: at.url, status: 408 });
  });

  it('a refused body that never ends is cut off', async () => {
    const world = new FakeWorld();
    const at = await start(sampleRoutes, { world });
    const socket = net.connect(at.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(request('POST /api/v1/none', at.port, ['Content-Length: 900000'], 'x'));
    await new Promise((resolve) => socket.once('data', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await world.advance(bounds.lingerMs + 1);
    await ended;
  });

  it('a refused body that is endless is cut off too', async () => {
    const at = await start();
    const socket = net.connect(at.port, '127.0.0.1');
    socket.on('error', () => {});
    let answered = '';
    socket.on('data', (chunk) => {
      answered += chunk;
    });
    socket.write(
      request('POST /api/v1/things', at.port, ['Content-Type: application/json', 'Content-Length: 9999999999']),
    );
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
    for (let sent = 0; sent < 64 && !socket.destroyed; sent++) {
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    await closed;
    expect(answered).to.match(/^HTTP\/1\.1 413 /);
  });

  it('many clients at once all get their own answer', async () => {
    const at = await start();
    const replies = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => (await fetch(`${at.url}/api/v1/things/${i}`)).json()),
    );
    expect(replies.map(({ params }) => Number(params.id))).to.deep.equal(Array.from({ length: 100 }, (_, i) => i));
    await problemIn(await fetch(`${at.url}/x`), { code: 'NOT_FOUND', url: at.url });
  });
});
