/**
 * Raw sockets against a node: malformed requests, requests cut off at every byte, slow senders and clients that never read.
 * Meanwhile the event loop and memory are monitored, and an ordinary client writes.
 */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { Random } from '../hostile/support/random.js';
import { Target } from '../hostile/support/target.js';
import { expectStatus } from '../node/support/answers.js';
import { isLong } from '../support/long.js';
import { tidy } from '../support/scratch.js';
import { statusesOf } from '../support/statuses.js';

const seed = Number(process.env.SVC_TEST_SEED ?? 20_261_123);
const host = '127.0.0.1';

interface Heard {
  readonly text: string;
  /** Whether the node closed the connection; otherwise the test stopped waiting. */
  readonly closed: boolean;
}

/** `once` of node:events rejects on a reset, which counts as an end here. */
const closedBy = (socket: net.Socket): Promise<true> =>
  new Promise((resolve) => socket.on('close', () => resolve(true)));

/** Sends the bytes and reads until the node closes the connection, or has answered and is silent. */
async function exchange(port: number, bytes: string | Buffer): Promise<Heard> {
  const socket = net.connect(port, host);
  let text = '';
  const answered = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      resolve();
    });
  });
  socket.on('error', () => {});
  socket.write(bytes);
  const closed = await Promise.race([closedBy(socket), answered.then(() => wait(800, false)), wait(60_000, false)]);
  socket.destroy();
  return { text, closed };
}

/** Each must be refused, with a single response if any, and the connection closed. */
const malformed: { readonly [name: string]: string } = {
  'no request line': '\r\n\r\n\r\nnonsense\r\n\r\n',
  'HTTP/0.9': 'GET /healthz\r\n\r\n',
  'HTTP/2.0 in the request line': 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n',
  'a version of letters': 'GET /healthz HTTP/x.y\r\nHost: x\r\n\r\n',
  'no version': 'GET /healthz \r\nHost: x\r\n\r\n',
  'a method of control characters': '\x01\x02\x03 / HTTP/1.1\r\nHost: x\r\n\r\n',
  'a bare line feed before a header': 'GET /healthz HTTP/1.1\nHost: x\n\n',
  'a header without a name': 'GET /healthz HTTP/1.1\r\n: x\r\nHost: x\r\n\r\n',
  'a header that is folded': 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n',
  'a NUL in a header': 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n',
  'two lengths': 'POST /api/v1/faucet HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'a negative length': 'POST /api/v1/faucet HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}',
  'a length and chunks':
    'POST /api/v1/faucet HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'an odd transfer encoding': 'POST /api/v1/faucet HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'a chunk size that is none':
    'POST /api/v1/faucet HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
  'a chunk size that overflows':
    'POST /api/v1/faucet HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n\r\n',
  'a target that is no path': 'GET http:// HTTP/1.1\r\nHost: x\r\n\r\n',
  'a Host with a blank': 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n',
  'a Host with a user': 'GET /healthz HTTP/1.1\r\nHost: user@127.0.0.1\r\n\r\n',
  'no Host': 'GET /healthz HTTP/1.1\r\n\r\n',
  'two Hosts': 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'headers of a megabyte': `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(1_000_000)}\r\n\r\n`,
  'a target of a megabyte': `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  CONNECT: 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
};

describe(`Raw sockets, seed ${seed}`, () => {
  let target: Target;

  before(async () => {
    target = await Target.start();
    target.watch();
  });
  after(tidy);

  async function serverErrors(): Promise<number> {
    const { text } = await target.client.get('/metrics');
    const lines = text.split('\n').filter((line) => /^svc_http_requests_total\{.*status="5\d\d"/.test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  for (const [name, text] of Object.entries(malformed)) {
    it(`refuses ${name}, once`, async () => {
      const heard = await exchange(target.port, Buffer.from(text, 'latin1'));
      const statuses = statusesOf(heard.text);
      expect(heard.closed || statuses.length === 1, 'closed or answered').to.equal(true);
      expect(statuses.length, heard.text.slice(0, 300)).to.be.at.most(1);
      for (const status of statuses) expect(status, heard.text.slice(0, 300)).to.be.within(400, 505).and.not.equal(500);
    });
  }

  it('a request that breaks off at any byte is a hang-up, no failure, and is carried out at most once', async () => {
    const [ada, ben] = [await target.person(), await target.person()];
    const random = new Random(seed);
    const requestOf = (amount: number): string => {
      const body = JSON.stringify({ ...ada.signed, to: ben.did, amount });
      const head = `POST /api/v1/transfers HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nContent-Type: application/json\r\n`;
      return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    };
    const walletOf = async () => expectStatus(await target.client.get(`/api/v1/wallets/${ada.did}`));
    /** @returns the number of bytes handed to the operating system when the client disconnects */
    async function breaksOff(text: string): Promise<number> {
      const socket = net.connect(target.port, host);
      socket.on('error', () => {});
      await once(socket, 'connect');
      await new Promise<void>((sent) => socket.write(text, () => sent()));
      const { bytesWritten } = socket;
      if (random.chance(0.5)) socket.resetAndDestroy();
      else socket.end();
      if (!socket.closed) await Promise.race([closedBy(socket), wait(50)]);
      socket.destroy();
      cases++;
      return bytesWritten;
    }
    const step = isLong ? 1 : 3;
    let cases = 0;
    for (let round = 1; round <= (isLong ? 20 : 1); round++) {
      const text = requestOf(1);
      for (let length = 0; length < text.length - 1; length += step) await breaksOff(text.slice(0, length));
      expect(await breaksOff(text.slice(0, -1)), 'bytes of a part').to.equal(text.length - 1);
      expect((await walletOf()).nextNonce, 'no part was carried out').to.equal(round);
      // The answer to the first request is not read. The second one is sent by a client that does not know the result of the
      // first.
      expect(await breaksOff(text), 'bytes of the whole request').to.equal(text.length);
      const [status] = statusesOf((await exchange(target.port, text)).text);
      expect(status, 'the same again').to.be.oneOf([200, 409]);
      const { nextNonce, balance } = await walletOf();
      const once = { nextNonce: round + 1, moved: round };
      expect({ nextNonce, moved: 100 - balance }, 'carried out once').to.deep.equal(once);
      ada.nonce = nextNonce;
    }
    process.stdout.write(`      ${cases} requests broken off\n`);
    expect(await serverErrors(), 'counted as 5xx').to.equal(0);
  });

  it('clients that dribble are cut, while honest callers are served', async () => {
    const count = isLong ? 500 : 100;
    const dribblers = Array.from({ length: count }, (_, index) => {
      const socket = net.connect({ port: target.port, host, localAddress: `127.2.0.${1 + (index % 40)}` });
      socket.on('error', () => {});
      socket.write(
        index % 2
          ? 'GET /healthz HT'
          : 'POST /api/v1/faucet HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{"did":"',
      );
      const timer = setInterval(() => socket.writable && socket.write('x'), 500);
      const from = performance.now();
      return closedBy(socket).then(() => {
        clearInterval(timer);
        return performance.now() - from;
      });
    });
    let isOver = false;
    const honest: { readonly status: number }[] = [];
    const asking = (async () => {
      for (; !isOver; await wait(250)) honest.push(await target.client.get('/api/v1/node'));
    })();
    const heldMs = await Promise.all(dribblers);
    isOver = true;
    await asking;
    expect(honest.length, 'requests of honest callers meanwhile').to.be.above(4);
    expect(
      honest.map(({ status }) => status),
      'their answers',
    ).to.deep.equal(Array(honest.length).fill(200));
    // Connections that were cut immediately would prove nothing about the time-out.
    expect(Math.min(...heldMs), 'ms until the first was cut').to.be.above(2_000);
    // 10 s, and the interval at which the node checks.
    expect(Math.max(...heldMs), 'ms until the last was cut').to.be.below(15_000);
  });

  it('has left the node as it was', async () => {
    const seen = await target.report({
      name: 'raw sockets',
      cases: Object.keys(malformed).length,
      serverErrors: await serverErrors(),
    });
    expect(seen.peakMb - seen.startMb, 'MB more than at the start').to.be.below(256);
    expect(seen.p99Ms, 'p99 of /healthz, ms').to.be.below(isLong ? 250 : 500);
    await target.stop();
  });
});
