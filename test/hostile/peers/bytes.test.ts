/** What a lying home may send: each is stopped at once with its beginning as evidence, and the home is not dialled again. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bounds, feedBounds, peerBounds } from '../../../src/core/bounds.js';
import { parseMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { FeedBatches } from '../../../src/peers/feed/feed-batch.js';
import { lineOfEntry, parseFeedLine } from '../../../src/peers/feed/line.js';
import { TlsTransport } from '../../../src/peers/transport/tls-transport.js';
import type { PeerAddress } from '../../../src/peers/transport/transport.js';
import { noHash } from '../../../src/store/entry.js';
import { discard, Home } from '../../peers/nodes/network.js';
import { credentialsOf, rawTls } from '../../peers/transport/raw-client.js';
import { until } from '../../support/until.js';
import { signer } from '../../world/people.js';
import { endlessly, Liar, packed } from './liar.js';

const objects = (count: number): string => '{},'.repeat(count);
const tooLong = new RegExp(`^it has more than ${peerBounds.lineBytes} bytes$`);

const lies: { readonly [name: string]: { readonly piece: () => Uint8Array; readonly what: RegExp } } = {
  'a line of 8 MiB of objects, compressed': { piece: () => gzipSync(`{"a":[${objects(2.7e6)}{}]}\n`), what: tooLong },
  'an endless line': { piece: () => gzipSync(objects(300_000)), what: tooLong },
  'lines of many objects': { piece: () => packed(`{"a":[${objects(21_000)}{}]}`), what: /more than 20000 objects/ },
  'deep lines': { piece: () => packed('['.repeat(30_000) + ']'.repeat(30_000)), what: /more than 20000|nested deeper/ },
  'names that a database reads': {
    piece: () => packed('{"seq":1,"entryHash":{"$ne":""},"a.b":{"$where":"1"},"\\u0000":[{"$set":{}}],"n":1e308}'),
    what: /^it has what no body may have/,
  },
  'empty lines': { piece: () => packed('', ''), what: /^it is empty$/ },
  'bytes that are not compressed': { piece: () => Buffer.from('{}\n'), what: /^it cannot be decompressed$/ },
  'bytes that are not UTF-8': { piece: () => gzipSync(Buffer.from([0xff, 0x0a])), what: /^it is not UTF-8$/ },
};

describe('A lying home', () => {
  const liars: Liar[] = [];
  let node: Home;
  before(async () => {
    node = await Home.start();
  });
  afterEach(async () => {
    for (const liar of liars.splice(0)) await liar.close();
  });
  after(() => discard([node]));

  const stopped = async (name: string, feed: (response: ServerResponse) => unknown): Promise<Liar> => {
    const liar = await new Liar(name, feed).listen();
    liars.push(liar);
    await node.operator('peers.add', { address: liar.address });
    await until('it is stopped', () => node.peer(liar), { is: ({ status }) => status === 'stopped' });
    return liar;
  };

  for (const [name, { piece, what }] of Object.entries(lies)) {
    it(`that sends ${name} is named, and dialled once`, async () => {
      const liar = await stopped(name, (response) => endlessly(response, piece()));
      expect(liar.asked).to.equal(1);
      expect((await node.peer(liar)).violation?.what).to.match(what);
      const evidence = await node.operator('peers.evidence', { did: liar.did });
      expect(evidence).to.include({ cause: 'bad-line', seq: 1 });
      expect(Buffer.byteLength(evidence.line)).to.be.at.most(peerBounds.lineBytes);
    });
  }

  it('that sends empty compressed pieces without end is named, and dialled once', async () => {
    const empty = Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('')));
    const liar: Liar = await stopped('nothing', (response) => {
      response.write(packed(liars.at(-1)!.heartbeat()));
      return endlessly(response, empty);
    });
    expect(liar.asked).to.equal(1);
    expect((await node.peer(liar)).violation?.what).to.equal(
      `it does not come within ${peerBounds.surplusBytes} bytes`,
    );
  });

  it('that sends heartbeats without end is named, and dialled once', async () => {
    const liar = await stopped('heart', (response) =>
      endlessly(response, packed(...Array.from({ length: 1_000 }, () => liars.at(-1)!.heartbeat()))),
    );
    expect(liar.asked).to.equal(1);
    expect((await node.peer(liar)).violation?.what).to.equal('it is one of too many checkpoints without entries');
  });

  it('gets no more than a few streams at once, and one a second', async () => {
    const liar = await stopped('asker', (response) => response.end(packed('')));
    const transport = new TlsTransport({ world: realEnvironment, signer: liar.signer });
    const connection = transport.dial(parseMultiaddr(await node.address()) as PeerAddress);
    const begun = performance.now();
    const statuses: unknown[] = [];
    while (statuses.length < 20) {
      const opened = await connection.open('/feed?after=0').catch((error) => error);
      statuses.push(opened.status ?? 200);
      opened.close?.();
    }
    const seconds = (performance.now() - begun) / 1_000;
    expect(statuses).to.include(429);
    const { streamBurst, streamsPerSecond } = feedBounds;
    expect(statuses.filter((status) => status === 200).length).to.be.within(
      1,
      streamBurst + seconds * streamsPerSecond,
    );
    await transport.close();
  });

  it('gets the body of its news refused before it is read, beyond a rate', async () => {
    const member = signer('sender');
    const liar = await stopped('sender', (response) => response.end(packed('')));
    expect(liar.did).to.equal(member.did);
    const target = parseMultiaddr(await node.address()) as PeerAddress;
    const transport = new TlsTransport({ world: realEnvironment, signer: member });
    const connection = transport.dial(target);
    // A body that stays within its bytes is refused by its shape, before it is parsed.
    const body = `[${objects(150_000)}{}]`;
    expect(await connection.request('POST', '/news', { body })).to.include({ status: 400 });
    const answers: string[] = [];
    const half = `POST /news HTTP/1.1\r\nhost: x\r\ncontent-length: ${peerBounds.requestBytes}\r\n\r\n${objects(1_000)}`;
    const most = peerBounds.bodyBytesBurst / peerBounds.requestBytes;
    const sockets = Array.from({ length: most + 2 }, () => {
      const socket = rawTls(target, credentialsOf(member));
      socket.on('data', (bytes) => answers.push(bytes.toString().slice(9, 12))).write(half);
      return socket;
    });
    await until('one is refused', () => answers.includes('429'));
    for (const socket of sockets) socket.destroy();
    await transport.close();
  });
});

describe('Lines of a feed', () => {
  const entry = (seq: number, padding = 0): string =>
    lineOfEntry({ seq, entryHash: 'a'.repeat(64) }).replace('{', `{${' '.repeat(padding)}`);

  it('are taken only to a number of bytes that no checkpoint covers', () => {
    const batches = new FeedBatches({ seq: 0, chainHash: noHash });
    const each = entry(1, 60_000).length;
    const most = Math.floor(feedBounds.uncoveredBytes / each);
    expect(most).to.be.below(feedBounds.batchEntries);
    for (let seq = 1; seq <= most; seq++) expect(batches.take(entry(seq, 60_000)), `${seq}`).to.equal(undefined);
    expect(batches.take(entry(most + 1, 60_000))).to.have.property('flaw');
  });

  it('are refused by their shape before they are parsed', () => {
    const { jsonDepth, jsonKeys, jsonContainers } = bounds;
    const keys = Array.from({ length: jsonKeys + 1 }, (_, n) => `"k${n}":0`).join();
    for (const [line, what] of [
      ['['.repeat(jsonDepth + 1), `is nested deeper than ${jsonDepth}`],
      [`{${keys}`, `has an object with more than ${jsonKeys} keys`],
      [`[${objects(jsonContainers)}`, `has more than ${jsonContainers} objects and lists`],
    ] as const) {
      // Parsing would find that it does not end.
      expect(parseFeedLine(line)).to.equal(what);
    }
    expect(parseFeedLine(`[${'['.repeat(jsonDepth - 1)}`)).to.match(/^cannot be read/);
  });
});
