/** Three homes in a separate thread that send as fast as they are read: hashes, cards, and news. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { feedBounds } from '../../src/core/bounds.js';
import { parseMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { signCheckpoint } from '../../src/peers/checkpoint.js';
import { lineOfEnd, lineOfEntry } from '../../src/peers/feed/line.js';
import { TlsTransport } from '../../src/peers/transport/tls-transport.js';
import type { PeerAddress } from '../../src/peers/transport/transport.js';
import { chainHashOf, noHash } from '../../src/store/entry.js';
import type { JournalHead } from '../../src/store/store.js';
import { endlessly, Liar, packed } from '../hostile/peers/liar.js';
import { linesOf } from '../peers/cards/journal.js';
import { Bench, network } from '../world/bench.js';

export interface FlatOut {
  /** Of the node for peers, as a multiaddr. */
  readonly target: string;
  /** Number of hashes, and of cards. */
  readonly hashes: number;
  readonly cards: number;
}

const { target, hashes, cards } = workerData as FlatOut;

/** Sends the lines in batches, and then no more than heartbeats. */
async function stream(liar: Liar, response: ServerResponse, entries: readonly (JournalHead & { line: string })[]) {
  let isOpen = true;
  const gone = once(response, 'close').then(() => {
    isOpen = false;
  });
  const end = (at: JournalHead) =>
    lineOfEnd({ checkpoint: signCheckpoint(liar.signer, at, { network, time: Date.now() }), head: entries.length });
  for (let at = 0; at < entries.length && isOpen; at += feedBounds.batchEntries) {
    const batch = entries.slice(at, at + feedBounds.batchEntries);
    const isTaken = response.write(packed(...batch.map(({ line }) => line), end(batch.at(-1)!)));
    if (!isTaken) await Promise.race([once(response, 'drain'), gone]);
  }
  for (; isOpen; await pause(realEnvironment, feedBounds.heartbeatMs)) response.write(packed(end(entries.at(-1)!)));
}

/** The lines with the chain that their reader folds. @param hashes of the entries, in order */
function chained(lines: readonly string[], hashes: readonly string[]): readonly (JournalHead & { line: string })[] {
  let chainHash = noHash;
  return lines.map((line, index) => {
    chainHash = chainHashOf(index + 1, chainHash, hashes[index]!);
    return { line, seq: index + 1, chainHash };
  });
}

const many = Array.from({ length: hashes }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'));
const hashed = chained(
  many.map((entryHash, index) => lineOfEntry({ seq: index + 1, entryHash })),
  many,
);
const hasher: Liar = new Liar('hasher', (response) => void stream(hasher, response, hashed));

const bench = await Bench.open({ node: 'carder' }, { ada: 1 });
for (let n = 0; n < cards; n++) {
  const input = {
    ...infoListing.create.example,
    title: `Rainfall ${n}`,
    description: `Hourly, of forty stations, ${n}`,
  };
  await bench.ask('ada', 'info-listing', `lst-${n}`, 'create', input);
}
const lines: string[] = [];
for (let more = await linesOf(bench); more.length > 0; more = await linesOf(bench, lines.length)) lines.push(...more);
const carded = chained(
  lines,
  bench.store.tables.journal.map(({ entryHash }) => entryHash),
);
const carder: Liar = new Liar('carder', (response) => void stream(carder, response, carded));

const news = new Liar('news', (response) => endlessly(response, packed(news.heartbeat())));
const transport = new TlsTransport({ world: realEnvironment, signer: news.signer });
const liars = [hasher, carder, news];
for (const liar of liars) await liar.listen();
parentPort!.postMessage(liars.map(({ address, did }) => ({ address, did })));

/** News are sent while `on` was heard last, until `end`. */
const heard = { last: 'off' };
parentPort!.on('message', (message) => {
  heard.last = message;
});
/** A body that stays within its bounds, as often as it is taken. */
const body = JSON.stringify({ checkpoints: Array.from({ length: 60 }, () => JSON.parse(news.heartbeat()).checkpoint) });
while (heard.last !== 'end') {
  if (heard.last === 'off') {
    await once(parentPort!, 'message');
    continue;
  }
  const connection = transport.dial(parseMultiaddr(target) as PeerAddress);
  const asked = [connection.request('POST', '/news', { body }), connection.request('GET', '/head')];
  await Promise.allSettled([...asked, connection.open('/feed?after=0').then((open) => open.close())]);
  connection.close();
}
await transport.close();
for (const liar of liars) await liar.close();
parentPort!.close();
