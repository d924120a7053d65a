import { randomBytes } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import type { LineWriter } from '../../../src/peers/transport/transport.js';
import { until } from '../../support/until.js';
import { type Handle, type Pair, pairOf } from './pair.js';

/** Text that compression hardly makes shorter. */
const noise = (characters: number): string => randomBytes(characters).toString('base64').slice(0, characters);

const kindOf = (pending: Promise<unknown>): Promise<unknown> => pending.catch((error) => error.kind);

describe('Streams of lines between peers', () => {
  let pair: Pair;
  const open = async (handle: Handle, options?: Parameters<typeof pairOf>[1]): Promise<Pair> => {
    pair = await pairOf(handle, options);
    return pair;
  };
  /** The writer of the only stream that was opened. */
  const writing = async (options?: Parameters<typeof pairOf>[1]) => {
    let writer: LineWriter | undefined;
    const { connection } = await open(({ signal }, reply) => {
      writer = reply.open();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    }, options);
    const stream = await connection.open('/feed');
    return { stream, writer: writer! };
  };
  afterEach(() => pair.close());

  it('give each line, and end', async () => {
    const { connection } = await open(async (_request, reply) => {
      const lines = reply.open();
      await lines.write(['one', 'zwölf']);
      await lines.write([]);
      await lines.write(['{"three":3}']);
      lines.end();
    });
    const seen: string[] = [];
    for await (const line of await connection.open('/feed?after=0')) seen.push(line);
    expect(seen).to.deep.equal(['one', 'zwölf', '{"three":3}']);
  });

  it('give what has arrived at once, within bounds', async () => {
    const { stream, writer } = await writing();
    await writer.write(['a', 'b', 'cc', 'd']);
    expect(await stream.take({ lines: 2 })).to.deep.equal(['a', 'b']);
    expect(await stream.take({ bytes: 1 })).to.deep.equal(['cc']);
    expect(await stream.take()).to.deep.equal(['d']);
    const next = stream.take();
    await writer.write(['e']);
    expect(await next).to.deep.equal(['e']);
    writer.end();
    expect(await stream.take()).to.equal(undefined);
    expect(await stream.take()).to.equal(undefined);
  });

  it('arrive whole, however they were cut on the way', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `${n} ${'€ü'.repeat((n * 7919) % 500)}`);
    const { connection } = await open(async (_request, reply) => {
      const writer = reply.open();
      for (let n = 0; n < lines.length; n += 7) expect(await writer.write(lines.slice(n, n + 7))).to.equal(true);
      writer.end();
    });
    const seen: string[] = [];
    for await (const line of await connection.open('/')) seen.push(line);
    expect(seen).to.deep.equal(lines);
    expect(pair.faults).to.deep.equal([]);
  });

  it('are refused with the status of the answer', async () => {
    const { connection } = await open((_request, reply) => reply.send(503).then(() => {}));
    const failure = await connection.open('/feed').catch((error) => error);
    expect(failure).to.include({ name: 'PeerError', kind: 'status', status: 503 });
  });

  it('fail at a line that is too long, an empty one, and bytes that are no UTF-8; earlier lines count', async () => {
    for (const [lines, kind] of [
      [['good', 'x'.repeat(1_001)], 'too-large'],
      [['good', ''], 'malformed'],
    ] as const) {
      const { stream, writer } = await writing({ bounds: { lineBytes: 1_000 } });
      void writer.write(lines);
      expect(await stream.take()).to.deep.equal(['good']);
      expect(await kindOf(stream.take())).to.equal(kind);
      await pair.close();
    }
    const { stream, writer } = await writing({ bounds: { lineBytes: 1_000 } });
    void writer.write(['x'.repeat(1_000)]);
    expect(await stream.take()).to.deep.equal(['x'.repeat(1_000)]);
  });

  it('fail when the peer dies, and when it says nothing for too long', async () => {
    const first = await writing();
    await first.writer.write(['a']);
    expect(await first.stream.take()).to.deep.equal(['a']);
    await pair.listener.close();
    expect(await kindOf(first.stream.take())).to.equal('unreachable');
    await pair.close();
    const second = await writing({ bounds: { idleMs: 50 } });
    expect(await kindOf(second.stream.take())).to.equal('silent');
  });

  it('end at both sides when one closes', async () => {
    const { stream, writer } = await writing();
    stream.close();
    expect(await kindOf(stream.take())).to.equal('closed');
    await until('the writer hears of it', async () => !(await writer.write(['x'])));
    await until('the connection has ended', () => pair.listener.connections().length === 0);
  });

  it('end with the signal of their caller, and with the connection', async () => {
    const { connection } = await open(({ signal }, reply) => {
      reply.open();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    const given = new AbortController();
    const [one, two] = [await connection.open('/', { signal: given.signal }), await connection.open('/')];
    given.abort();
    expect(await kindOf(one.take())).to.equal('closed');
    connection.close();
    expect(await kindOf(two.take())).to.equal('closed');
  });

  it('are read no further ahead than the bound, and the writer waits', async () => {
    let written = 0;
    let isWaiting = false;
    const { connection } = await open(
      async ({ signal }, reply) => {
        const writer = reply.open();
        while (!signal.aborted) {
          isWaiting = true;
          if (!(await writer.write([`${written} ${noise(10_000)}`]))) return;
          isWaiting = false;
          written++;
        }
      },
      { bounds: { aheadBytes: 100_000, unsentBytes: 50_000 } },
    );
    const stream = await connection.open('/');
    let before = -1;
    await until('the writer waits', () => {
      const isStill = isWaiting && written === before;
      before = written;
      return isStill;
    });
    // The buffers of both systems and both TLS layers, and the bounds.
    expect(written * 10_000).to.be.below(20_000_000);
    const held = written;
    let taken = 0;
    while (taken < held + 100) {
      const lines = await stream.take({ lines: 10 });
      expect(lines?.[0]?.split(' ')[0]).to.equal(String(taken));
      taken += lines!.length;
    }
    expect(written).to.be.above(held);
  });

  it('are cut when their reader reads nothing for too long', async () => {
    let result: boolean | undefined;
    const { connection, listener } = await open(
      async (_request, reply) => {
        const writer = reply.open();
        do result = await writer.write([noise(100_000)]);
        while (result);
      },
      { bounds: { lineBytes: 200_000, aheadBytes: 100_000, unsentBytes: 50_000, stallMs: 200 } },
    );
    const stream = await connection.open('/');
    await until('the writer hears of it', () => result === false);
    expect(listener.counts().slow).to.equal(1);
    stream.close();
  });

  it('are not silent when this side was too busy to read them', async () => {
    const { stream, writer } = await writing({ bounds: { idleMs: 100 } });
    await writer.write(['one']);
    expect(await stream.take()).to.deep.equal(['one']);
    const next = stream.take();
    void writer.write(['two']);
    for (const end = performance.now() + 300; performance.now() < end; );
    expect(await next).to.deep.equal(['two']);
    expect(await kindOf(stream.take())).to.equal('silent');
  });

  it('are opened again on a new connection after the network has lost one, not on an unused old one', async () => {
    const { bob, address } = await open(
      async ({ path }, reply) => {
        if (path === '/feed') await reply.open().write(['one']);
        else await reply.send(204);
        if (path === '/feed') await new Promise(() => {});
      },
      { bounds: { idleMs: 300 } },
    );
    const sockets: Socket[] = [];
    const proxy = createServer((from) => {
      const to = connect(address.port, '127.0.0.1').on('error', () => {});
      sockets.push(
        from.on('error', () => {}),
        to,
      );
      from.pipe(to).pipe(from);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const connection = bob.dial({ ...address, port: (proxy.address() as { port: number }).port });
    const stream = await connection.open('/feed');
    expect(await stream.take()).to.deep.equal(['one']);
    await connection.request('POST', '/news');
    // Nothing gets through any more on these connections, and neither end is notified.
    for (const socket of sockets) socket.unpipe().pause();
    expect(await kindOf(stream.take())).to.equal('silent');
    const again = await Promise.race([connection.open('/feed'), pause(realEnvironment, 30_000)]);
    expect(again, 'a stream').to.be.an('object');
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
});
