/** Compressed lines: what a peer gets, and what a hostile one may send. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { LineCompression } from '../../../src/peers/transport/compression.js';
import type { LineStream } from '../../../src/peers/transport/transport.js';
import { pairOf, signerNamed, transportOf } from './pair.js';
import { closing, credentialsOf, rawTls } from './raw-client.js';

const kindOf = (pending: Promise<unknown>): Promise<unknown> => pending.catch((error) => error.kind);
const compressedHead = { 'content-encoding': 'gzip' };
const mebibyte = 2 ** 20;

describe('Compressed lines between peers', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** The stream of a peer that sends whatever it likes. */
  async function from(answer: (response: ServerResponse) => void, options = {}): Promise<LineStream> {
    const ada = signerNamed('ada');
    const server = createServer({ ...credentialsOf(ada), minVersion: 'TLSv1.3' }, (_: IncomingMessage, response) =>
      answer(response.on('error', () => {})),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [bob, known] = [transportOf('bob'), transportOf('ada')];
    ends.push(
      () => bob.close(),
      () => known.close(),
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const { port } = server.address() as AddressInfo;
    return bob.dial({ family: 'ip4', host: '127.0.0.1', port, peerId: known.peerId }).open('/feed', options);
  }

  it('count as silence while none ends, whatever bytes arrive', async () => {
    const beginning = '{"seq":';
    const stream = await from(
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(beginning), 5);
        response.once('close', () => clearInterval(timer));
      },
      { idleMs: 200 },
    );
    expect(await kindOf(stream.take())).to.equal('silent');
  });

  it('are sent to a client that accepts them, each batch readable by itself; others get plain lines', async () => {
    const lines = Array.from({ length: 200 }, (_, n) => `{"seq":${n},"kind":"transfer.sent"}`);
    const long = Array.from({ length: 20_000 }, (_, n) => `{"seq":${n},"kind":"escrow.created"}`);
    const { address, close } = await pairOf(async (_request, reply) => {
      const writer = reply.open();
      await writer.write(lines);
      await writer.write(long);
      await writer.write(['the last']);
      writer.end();
    });
    ends.push(close);
    const sent = async (header: string) => {
      const socket = rawTls(address, credentialsOf(signerNamed('bob')));
      socket.write(`GET /feed HTTP/1.0\r\nhost: x\r\n${header}\r\n`);
      const said = await closing(socket);
      return Buffer.from(said.slice(said.indexOf('\r\n\r\n') + 4), 'latin1');
    };
    const text = `${[...lines, ...long, 'the last'].join('\n')}\n`;
    expect((await sent('')).toString()).to.equal(text);
    const compressed = await sent('accept-encoding: gzip\r\n');
    expect(compressed.length).to.be.below(text.length / 4);
    expect(gunzipSync(compressed).toString()).to.equal(text);
  });

  it('are compressed by another thread if they are many, so that this one answers meanwhile', async () => {
    const compression = new LineCompression();
    const isDoneHere = async (text: string): Promise<boolean> => {
      let isDone = false;
      const compressed = compression.compressed(text);
      void compressed.then(() => {
        isDone = true;
      });
      for (let left = 5; left > 0; left--) await undefined;
      const hereAlready = isDone;
      expect(gunzipSync(await compressed).toString()).to.equal(text);
      return hereAlready;
    };
    expect(await isDoneHere('short\n'.repeat(1_000))).to.equal(true);
    expect(await isDoneHere('long\n'.repeat(200_000))).to.equal(false);
  });

  it('that stand for gigabytes end the stream at the bound of a line, and cost next to no memory', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * mebibyte, 'x'));
    const before = process.memoryUsage();
    const stream = await from((response) => {
      response.writeHead(200, compressedHead);
      response.write(gzipSync('good\n'));
      for (let members = 0; members < 16; members++) response.write(bomb);
    });
    expect(await stream.take()).to.deep.equal(['good']);
    expect(await kindOf(stream.take())).to.equal('too-large');
    const after = process.memoryUsage();
    expect(after.rss - before.rss).to.be.below(32 * mebibyte);
  });

  it('that are not taken are decompressed no further ahead than the bound', async () => {
    const short = gzipSync('x\n'.repeat(8 * mebibyte));
    const stream = await from((response) => {
      response.writeHead(200, compressedHead);
      for (let members = 0; members < 32; members++) response.write(short);
    });
    await stream.take({ lines: 1 });
    const before = process.memoryUsage().rss;
    await pause(realEnvironment, 300);
    expect(process.memoryUsage().rss - before).to.be.below(64 * mebibyte);
    for (let taken = 0; taken < 200_000; ) {
      const lines = await stream.take();
      expect(lines?.[0]).to.equal('x');
      taken += lines!.length;
    }
    stream.close();
  });

  it('that are cut, or that no compressor has made, are malformed; earlier lines count', async () => {
    const whole = gzipSync('good\n');
    const long = gzipSync('the next is cut\n');
    const random = Buffer.from('0123456789abcdef'.repeat(20), 'hex');
    for (const bytes of [
      long.subarray(0, -4),
      long.subarray(0, 12),
      random,
      long.map((byte, at) => (at === 14 ? ~byte : byte)),
    ]) {
      const stream = await from((response) => {
        response.writeHead(200, compressedHead);
        response.write(whole);
        response.end(bytes);
      });
      expect(await stream.take()).to.deep.equal(['good']);
      expect(await kindOf(stream.take())).to.equal('malformed');
    }
  });

  it('fail as others do when their connection breaks', async () => {
    let breaks = () => {};
    const stream = await from((response) => {
      response.writeHead(200, compressedHead);
      response.write(gzipSync('good\n'));
      breaks = () => response.socket!.destroy();
    });
    expect(await stream.take()).to.deep.equal(['good']);
    breaks();
    expect(await kindOf(stream.take())).to.equal('unreachable');
  });
});
