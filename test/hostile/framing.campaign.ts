/**
 * The node follows the requests of a connection ahead of Node's parser, to refuse lines that the parser accepts. Where
 * the two disagreed, a request could be lost or smuggled in; so both get the same bytes, right and wrong, however cut.
 */
import http, { type RequestListener } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { realEnvironment } from '../../src/core/environment.js';
import { createLog } from '../../src/core/log.js';
import { listenerOf } from '../../src/http/server/listener.js';
import { Metrics } from '../../src/http/server/metrics.js';
import { RequestContext, ServerContext } from '../../src/http/server/request-context.js';
import { configOf } from '../http/support.js';
import { isLong } from '../support/long.js';
import { OddHttp, pieces } from './support/odd-http.js';
import { Random } from './support/random.js';

const seed = Number(process.env.SVC_TEST_SEED ?? 20_261_126);
const streams = isLong ? 50_000 : 1_500;
const strictLine = /^[^ ]+ [^ ]+ HTTP\/1\.[01]\r?\n$/;

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly version: string;
  body: string;
  isComplete: boolean;
}

/** A client's connection: its bytes reach the server in the pieces that the test gives. */
class FedSocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  readonly requests: Seen[] = [];
  isRefused = false;
  inWork = 0;

  constructor(readonly remotePort: number) {
    super({ read: () => {}, write: (_bytes, _encoding, done) => done() });
    this.on('error', () => {});
  }

  setTimeout(): this {
    return this;
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }
}

const record: RequestListener = (req, res) => {
  const socket = req.socket as unknown as FedSocket;
  const seen = { method: req.method!, url: req.url!, version: req.httpVersion, body: '', isComplete: false };
  socket.requests.push(seen);
  socket.inWork += 1;
  res.once('close', () => {
    socket.inWork -= 1;
  });
  req.setEncoding('latin1').on('error', () => {});
  req.on('data', (text: string) => {
    seen.body += text;
  });
  req.on('end', () => {
    seen.isComplete = true;
    res.end('ok');
  });
};

function guardedServer(): http.Server {
  const context = new ServerContext(configOf(), realEnvironment, createLog(), new Metrics());
  return listenerOf(context, (req, res) => {
    new RequestContext(context, req, res);
    if (!req.socket.destroyed) record(req, res);
  }) as http.Server;
}

function plainServer(): http.Server {
  const server = http.createServer({ maxHeaderSize: bounds.headerBytes, requireHostHeader: false }, record);
  server.maxHeadersCount = 0;
  server.on('clientError', () => {}).on('connect', () => {});
  return server.on('checkContinue', record).on('checkExpectation', record);
}

const refused = (_: unknown, socket: Duplex) => {
  (socket as FedSocket).isRefused = true;
};

let lastPort = 0;

async function feed(server: http.Server, bytes: readonly Buffer[], turns: number): Promise<FedSocket> {
  const socket = new FedSocket(++lastPort);
  server.emit('connection', socket);
  // A stream begins to flow in a later turn.
  await nextTurn();
  for (const each of bytes) {
    if (socket.destroyed || socket.isRefused) break;
    socket.push(each);
    if (socket.inWork > 0) await nextTurn();
  }
  for (let quiet = 0; quiet < turns; quiet++) await (turns > 3 ? wait(1) : nextTurn());
  socket.destroy();
  return socket;
}

/** Whether the request line is strict, by the bytes that were sent. */
function isStrict(text: string, { method, url }: Seen): boolean {
  const lines = text.split(/(?<=\n)|\r(?!\n)/).filter((line) => line.includes(url));
  return lines.some((line) => strictLine.test(line.slice(line.indexOf(method))));
}

describe(`Requests as Node's parser sees them, seed ${seed}`, () => {
  const [guarded, plain] = [guardedServer(), plainServer()];
  for (const server of [guarded, plain]) {
    server.prependListener('clientError', refused);
    server.prependListener('connect', ({ socket }: http.IncomingMessage) => refused(undefined, socket));
  }

  async function compare(text: string, bytes: readonly Buffer[], turns: number) {
    const [mine, other] = await Promise.all([feed(guarded, bytes, turns), feed(plain, bytes, turns)]);
    const strict = other.requests.findIndex((request) => !isStrict(text, request));
    const isOdd = strict >= 0;
    const expected = isOdd ? other.requests.slice(0, strict) : other.requests;
    return { isOdd, found: mine.requests, expected, isRefused: mine.isRefused, mustRefuse: isOdd || other.isRefused };
  }

  it(`the same requests, up to a line that is not strict, in ${streams} connections`, async () => {
    const counted = { messages: 0, requests: 0, refused: 0, odd: 0 };
    for (let index = 0; index < streams; index++) {
      const random = new Random(seed + index);
      const odd = new OddHttp(random, [0.1, 0.3, 1][index % 3]!);
      const messages = Array.from({ length: 1 + random.below(5) }, () => odd.message());
      const text = messages.join('');
      // Node itself drops bytes that arrive in one piece with an Upgrade header that it ignores.
      if (/upgrade/i.test(text)) continue;
      const bytes = pieces(text, random);
      const same = ({ found, expected, isRefused, mustRefuse }: Awaited<ReturnType<typeof compare>>) =>
        JSON.stringify(found) === JSON.stringify(expected) && isRefused === mustRefuse;
      let outcome = await compare(text, bytes, 3);
      // On a busy machine a connection waits for its turn.
      if (!same(outcome)) outcome = await compare(text, bytes, 200);
      const { isOdd, found, expected, isRefused, mustRefuse } = outcome;
      const what = `seed ${seed + index}: ${JSON.stringify(text.slice(0, 3_000))}`;
      expect(found, what).to.deep.equal(expected);
      // An unfinished head with a line that is not strict is refused before the parser has found anything.
      if (!isRefused) expect(mustRefuse, what).to.equal(false);
      counted.messages += messages.length;
      counted.requests += found.length;
      counted.refused += isRefused ? 1 : 0;
      counted.odd += isOdd ? 1 : 0;
    }
    process.stdout.write(`      ${JSON.stringify(counted)}\n`);
    expect(counted.requests).to.be.above(streams);
    expect(counted.odd).to.be.above(streams / 100);
  });
});
