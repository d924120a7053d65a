/** Clients that send slowly: a whole request has 10 s, and a slow body less. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { until } from '../support/until.js';
import { expectWithin } from '../support/within.js';
import { FakeWorld } from '../world/fake-world.js';
import { request, route, start, stopAll } from './support.js';

interface Ended {
  readonly afterMs: number;
  readonly text: string;
}

/** Sends the first bytes, then the pieces one by one, until the connection closes or the pieces end. */
async function send(port: number, first: string, pieces: Iterable<string>, everyMs: number): Promise<Ended> {
  const began = performance.now();
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(first);
  for (const piece of pieces) {
    await wait(everyMs);
    if (text !== '' || socket.destroyed) break;
    socket.write(piece);
  }
  const isAnswered = () => text !== '' || socket.destroyed;
  while (!isAnswered()) await Promise.race([closed, wait(5)]);
  const afterMs = performance.now() - began;
  socket.destroy();
  return { afterMs, text };
}

const trickle = (piece: string, count: number) => Array.from({ length: count }, () => piece);

describe('http: clients that send slowly', () => {
  afterEach(stopAll);

  const post = (port: number, length: number) =>
    request('POST /api/v1/things', port, ['Content-Type: application/json', `Content-Length: ${length}`]);

  it('a body of which less than a kilobyte comes between two looks ends with 408, others are waited for', async () => {
    const world = new FakeWorld();
    const at = await start(undefined, { world });
    // Without the limits of Node itself, which answer the same.
    Object.assign(at.http.server, { headersTimeout: 0, requestTimeout: 0 });
    const body = `{"a":"${'x'.repeat(8 * bounds.arrivalLeastBytes - 8)}"}`;
    /** Sends so many bytes of the body before each look. @returns the answer */
    async function answered(bytes: number, looks: number): Promise<string> {
      const connected = once(at.http.server, 'connection') as Promise<[net.Socket]>;
      const socket = net.connect(at.port, '127.0.0.1');
      let text = '';
      socket
        .on('error', () => {})
        .on('data', (chunk) => {
          text += chunk;
        });
      const [peer] = await connected;
      const head = post(at.port, body.length);
      socket.write(head);
      for (let look = 1; look <= looks; look++) {
        expect(text, `before look ${look}`).to.equal('');
        socket.write(body.slice((look - 1) * bytes, look * bytes));
        await until('it has come', () => peer.bytesRead === head.length + look * bytes);
        await world.advance(bounds.arrivalLookMs);
      }
      await until('it is answered', () => text);
      socket.destroy();
      return text;
    }
    // The first look has none before it.
    for (const bytes of [0, 5, bounds.arrivalLeastBytes - 1])
      expect(await answered(bytes, 2)).to.match(/^HTTP\/1\.1 408 .*did not arrive in time/s);
    expect(await answered(bounds.arrivalLeastBytes, 8)).to.match(/^HTTP\/1\.1 200 /);
  });

  it('a head, and a body that is as fast as it has to be, end with 408 after 10 s', async () => {
    const at = await start([route({ method: 'POST', path: '/api/v1/things' })]);
    const enough = ' '.repeat(bounds.arrivalLeastBytes);
    await expectWithin(11_500, async () => {
      const all = await Promise.all([
        send(at.port, 'GET /healthz HTTP/1.1\r\nHost', [], 1),
        send(at.port, 'GET /healthz HTTP/1.1\r\nHost: ', trickle('a', 100), 500),
        send(at.port, 'GET /healthz HTTP/1.1\r\n', trickle('X-Slow: 1\r\n', 100), 500),
        send(at.port, post(at.port, 900_000), trickle(enough, 100), bounds.arrivalLookMs / 4),
      ]);
      for (const { text, afterMs } of all) {
        expect(text).to.match(/^HTTP\/1\.1 408 /);
        expect(afterMs).to.be.above(bounds.headersMs - 500);
      }
      return Math.max(...all.map(({ afterMs }) => afterMs));
    });
  });
});
