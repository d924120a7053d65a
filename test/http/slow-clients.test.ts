/** Clients that send slowly: a whole request has 10 s, and a slow body less. */
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { hastened } from '../support/hastened.js';
import { request, route, start, stopAll } from './support.js';

/** Time runs twenty times as fast. */
const times = 20;

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
    const at = await start(undefined, { world: hastened(times) });
    const look = bounds.arrivalLookMs / times;
    const body = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    const steady = body(8 * bounds.arrivalLeastBytes);
    const pieces = steady.match(new RegExp(`.{1,${bounds.arrivalLeastBytes}}`, 'gs'))!;
    const [slow, silent, whole] = await Promise.all([
      send(at.port, post(at.port, 60_000), trickle(' ', 1_000), look / 5),
      send(at.port, post(at.port, 60_000), [], 1),
      send(at.port, post(at.port, steady.length), pieces, look / 4),
    ]);
    for (const { text, afterMs } of [slow, silent]) {
      expect(text).to.match(/^HTTP\/1\.1 408 .*did not arrive in time/s);
      expect(afterMs).to.be.greaterThan(look * 0.9);
    }
    expect(whole.text).to.match(/^HTTP\/1\.1 200 /);
  });

  it('a head, and a body that is as fast as it has to be, end with 408 after 10 s', async () => {
    const at = await start([route({ method: 'POST', path: '/api/v1/things' })]);
    const enough = ' '.repeat(bounds.arrivalLeastBytes);
    const all = await Promise.all([
      send(at.port, 'GET /healthz HTTP/1.1\r\nHost', [], 1),
      send(at.port, 'GET /healthz HTTP/1.1\r\nHost: ', trickle('a', 100), 500),
      send(at.port, 'GET /healthz HTTP/1.1\r\n', trickle('X-Slow: 1\r\n', 100), 500),
      send(at.port, post(at.port, 900_000), trickle(enough, 100), bounds.arrivalLookMs / 4),
    ]);
    for (const { text, afterMs } of all) {
      expect(text).to.match(/^HTTP\/1\.1 408 /);
      expect(afterMs).to.be.within(bounds.headersMs - 500, 11_500);
    }
  });
});
