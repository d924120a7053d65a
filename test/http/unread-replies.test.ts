/**
 * Replies that a client requests and does not read cost the node little: few active requests, few bytes in memory, for a short
 * time.
 */
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { bounds } from '../../src/core/bounds.js';
import { realEnvironment } from '../../src/core/environment.js';
import { Metrics } from '../../src/http/server/metrics.js';
import type { Reply } from '../../src/http/server/route.js';
import { hastened } from '../support/hastened.js';
import { statusesOf } from '../support/statuses.js';
import { until } from '../support/until.js';
import { keysOf, request, route, start, stopAll } from './support.js';

const mebibyte = 'x'.repeat(1024 * 1024);
const large = route({ method: 'GET', path: '/api/v1/large', handle: () => ({ status: 200, text: `"${mebibyte}"` }) });

/** Reserves memory for one mebibyte and never finishes. */
const stuck = route({
  method: 'GET',
  path: '/api/v1/stuck',
  handle: () => ({ status: 200, stream: { type: 'text/plain', window: mebibyte.length, chunks: never() } }),
});
async function* never(): AsyncGenerator<string> {
  yield 'first';
  await new Promise(() => {});
}

/** A client with its own address that sends requests, and reads only when the test asks it to. */
async function client(port: number, requests: string, localAddress = '127.0.0.1'): Promise<net.Socket> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  socket.pause();
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(requests);
  return socket;
}

async function readAll(socket: net.Socket, isDone: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (isDone(text)) break;
  }
  return text;
}

/** Reads until the text has arrived. The socket stays open. */
async function readSome(socket: net.Socket, word: string): Promise<string> {
  let text = '';
  const heard = (chunk: Buffer) => {
    text += chunk;
  };
  socket.on('data', heard).resume();
  await until(`"${word}" is heard`, () => text.includes(word));
  socket.off('data', heard);
  return text;
}

const unsentIn = async (metrics: Metrics): Promise<number> =>
  Number(/^svc_http_unsent_bytes (\d+)/m.exec(await metrics.text())?.[1]);

const connectionsIn = async (metrics: Metrics): Promise<number> =>
  Number(/^svc_http_connections (\d+)/m.exec(await metrics.text())?.[1]);

describe('http: replies that are not read', () => {
  afterEach(stopAll);

  it('at most 8 requests of a connection are in work, and all that it has sent are answered in order', async () => {
    let [inWork, most] = [0, 0];
    const slow = route({
      method: 'POST',
      path: '/api/v1/slow/:id',
      async handle({ params, body }): Promise<Reply> {
        most = Math.max(most, ++inWork);
        await wait(3);
        inWork -= 1;
        return { status: 200, body: { id: params.id, text: body.text } };
      },
    });
    const at = await start([slow]);
    const bodies = Array.from({ length: 60 }, (_, id) => JSON.stringify({ text: `\r\n\r\n${'é'.repeat(id * 40)}` }));
    const sent = bodies.map((body, id) => {
      const lines = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
      return request(`POST /api/v1/slow/${id}`, at.port, lines, body);
    });
    const socket = await client(at.port, sent.join(''));
    const text = await readAll(socket, (sofar) => statusesOf(sofar).length === 60 && sofar.endsWith('"}'));
    expect(statusesOf(text)).to.deep.equal(bodies.map(() => 200));
    const ids = [...text.matchAll(/"id":"(\d+)"/g)].map(([, id]) => Number(id));
    expect(ids).to.deep.equal(bodies.map((_, id) => id));
    expect(most).to.be.within(2, bounds.requestsPerConnection);
    socket.destroy();
  });

  it('bytes that wait behind requests in work are bounded in all: who sends the most is cut, others are answered', async () => {
    const waits = route({ method: 'GET', path: '/api/v1/waits', handle: () => new Promise<Reply>(() => {}) });
    const at = await start([waits, route({ method: 'GET', path: '/api/v1/small' })]);
    const closed = sinon.spy();
    const requests = request('GET /api/v1/waits', at.port).repeat(1_500);
    const reads = Math.ceil(bounds.unparsedBytes / (64 * 1_024));
    const sockets = await Promise.all(Array.from({ length: reads + 100 }, () => client(at.port, requests)));
    for (const socket of sockets) socket.once('close', closed).resume();
    // A busy machine needs time to read from so many.
    await until('one is cut', () => closed.callCount > 0);
    await wait(300);
    expect(closed.callCount).to.be.within(1, 150);
    const one = await client(at.port, request('GET /api/v1/small', at.port).repeat(20));
    const text = await readAll(one, (sofar) => statusesOf(sofar).length === 20);
    expect(statusesOf(text)).to.deep.equal(Array.from({ length: 20 }, () => 200));
    for (const socket of [...sockets, one]) socket.destroy();
  });

  it('chunked bodies among them, and requests that come a byte at a time, are understood', async () => {
    const at = await start();
    const chunked = request(
      'POST /api/v1/things',
      at.port,
      ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
      `9\r\n{"a":"b",\r\n7\r\n"c":1}\n\r\n0\r\n\r\n`,
    );
    const all = `${chunked}${request('GET /healthz', at.port)}`.repeat(12);
    for (const pieces of [[all], [...all]]) {
      const socket = await client(at.port, '');
      for (const piece of pieces) socket.write(piece);
      const text = await readAll(socket, (sofar) => sofar.split('"ok"}').length === 13);
      expect(statusesOf(text)).to.deep.equal(Array.from({ length: 24 }, () => 200));
      socket.destroy();
    }
  });

  it('a client that pipelines and does not read is worked for a few times, and is cut after 10 s; others notice nothing', async () => {
    const counted = route({ ...large, handle: () => large.handle(undefined as never), path: '/api/v1/large' });
    const metrics = new Metrics();
    const handle = sinon.spy(() => ({ status: 200, text: `"${mebibyte}"` }));
    const at = await start([{ ...counted, handle }, route({ method: 'GET', path: '/api/v1/small' })], {
      world: hastened(5),
      metrics,
    });
    const socket = await client(at.port, request('GET /api/v1/large', at.port).repeat(500));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await until('replies wait', async () => (await unsentIn(metrics)) > 0);
    expect((await fetch(`${at.url}/api/v1/small`)).status).to.equal(200);
    expect(handle.callCount).to.be.below(60);
    expect(await unsentIn(metrics)).to.be.at.most(bounds.unsentConnectionBytes);
    // The connection of `fetch` may be open, too. Unsent bytes say less: there are none while the system takes a reply.
    await until('it is cut', async () => (await connectionsIn(metrics)) < 2);
    // A paused socket does not notice that it was closed.
    socket.resume();
    await closed;
    expect(handle.callCount).to.be.below(60);
  });

  it('one caller has its own share of memory: beyond it 503, while another one is served', async () => {
    const metrics = new Metrics();
    const at = await start([large], { metrics, variables: { SVC_RATE_LIMIT_LOOPBACK: 'on' } });
    const many = request('GET /api/v1/large', at.port, ['X-Api-Key: read-key']).repeat(40);
    const sockets = await Promise.all(Array.from({ length: 8 }, () => client(at.port, many)));
    const share = bounds.unsentCallerBytes - mebibyte.length;
    await until('the share is taken', async () => (await unsentIn(metrics)) > share);
    expect(await unsentIn(metrics)).to.be.at.most(bounds.unsentCallerBytes + mebibyte.length);
    const refused = await fetch(`${at.url}/api/v1/large`, { headers: { 'X-Api-Key': 'read-key' } });
    expect(refused.status).to.equal(503);
    expect(Number(refused.headers.get('retry-after'))).to.be.at.least(1);
    expect((await refused.json()).code).to.equal('SERVICE_UNAVAILABLE');
    const other = await fetch(`${at.url}/api/v1/large`, { headers: { 'X-Api-Key': 'write-key' } });
    expect([other.status, (await other.text()).length]).to.deep.equal([200, mebibyte.length + 2]);
    for (const socket of sockets) socket.destroy();
  });

  it('when all memory for replies is taken, the slowest readers go first, and who reads is served', async () => {
    const names = ['first', 'second', 'third'];
    const keys = keysOf(Object.fromEntries(names.map((id) => [id, { id, scope: 'read', limits: null } as const])));
    const metrics = new Metrics();
    let passed = 0;
    const world = { ...realEnvironment, monotonic: () => realEnvironment.monotonic() + passed };
    const at = await start([large, stuck], { keys, metrics, world });
    const cut: string[] = [];
    const room = Math.floor(bounds.unsentBytes / mebibyte.length) - 1;
    /** One request after the other, each when the server has started to read the one before. */
    async function taking(name: string, count: number): Promise<net.Socket[]> {
      const sockets: net.Socket[] = [];
      for (let index = 0; index < count; index++) {
        const socket = await client(at.port, request('GET /api/v1/stuck', at.port, [`X-Api-Key: ${name}`]));
        sockets.push(socket.once('close', () => cut.push(`${name} ${index}`)));
        const heard = await readSome(socket, 'first');
        expect(heard).to.include('HTTP/1.1 200');
        await fetch(`${at.url}/healthz`);
      }
      return sockets;
    }
    const sockets = [...(await taking('first', room - 2)), ...(await taking('second', 1))];
    passed = 2 * bounds.slowReaderMs;
    sockets.push(...(await taking('third', 1)));
    const nearlyAll = bounds.unsentBytes - mebibyte.length;
    expect(await unsentIn(metrics), 'nearly all is taken').to.equal(nearlyAll);
    expect(cut, 'before there is need').to.deep.equal([]);
    const served = await Promise.all(
      names.map(async () => {
        const reply = await fetch(`${at.url}/api/v1/large`);
        return [reply.status, (await reply.text()).length];
      }),
    );
    expect(served).to.deep.equal(names.map(() => [200, mebibyte.length + 2]));
    await until('one is cut', () => cut.length > 0);
    expect(cut, 'the slowest').to.deep.equal(Array.from(cut, (_, index) => `first ${index}`));
    expect(cut).to.have.lengthOf.at.most(names.length + 1);
    for (const socket of sockets) socket.destroy();
  });
});
