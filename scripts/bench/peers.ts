/** Measures the cost of a feed: the home's share, and the follower's. */

import type { JsonObject } from '../../src/core/canonical.js';
import type { Did } from '../../src/core/codecs/did.js';
import { parseMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { signerOf } from '../../src/keys/signing.js';
import { capabilityListing } from '../../src/machines/listing/capability.js';
import { isSignedCheckpoint } from '../../src/peers/checkpoint.js';
import { FeedBatches } from '../../src/peers/feed/feed-batch.js';
import { TlsTransport } from '../../src/peers/transport/tls-transport.js';
import type { PeerAddress } from '../../src/peers/transport/transport.js';
import { noHash } from '../../src/store/entry.js';
import { freePort } from '../../test/support/free-port.js';
import { type Child, cpuMicros } from './child.js';
import { Dice, wording } from './listings.js';
import type { NodeQuestion } from './node-process.js';
import { addressOf, start } from './peers-homes.js';
import { peersNetwork } from './peers-network.js';
import { accepted, Founder, scratch } from './people.js';
import { atLeast, atMost, count, micros, perSecond, table } from './report.js';

const people = 64;
const entries = 20_000;

export async function peers(): Promise<void> {
  await peersNetwork();
  const from = await scratch();
  await traffic(from);
  const { sent, seconds, home, follower } = await feedShares(from);
  table('Following a home from its first entry', [
    { what: 'entries', measured: count(sent) },
    atLeast('rate', sent / seconds, 20_000, perSecond),
    atMost('the home’s share: CPU an entry and follower', home, 35, micros),
    atMost('the follower’s share: CPU an entry', follower, 35, micros),
  ]);
}

interface FeedShares {
  readonly sent: number;
  readonly seconds: number;
  /** CPU of the home's process, and of this one, µs an entry. */
  readonly home: number;
  readonly follower: number;
}

/** Sends a whole journal to one follower, over TLS. */
async function feedShares(dir: string): Promise<FeedShares> {
  const signer = signerOf(realEnvironment.random(32));
  const transport = new TlsTransport({ world: realEnvironment, signer });
  const [port, followerPort] = [await freePort(), await freePort()];
  const home = { dir, port, did: '' as Did, persons: [], nonces: [], child: undefined as never, url: '' };
  await start(home, [addressOf({ did: signer.did as Did }, followerPort)]);
  const { peerId } = (await (await fetch(`${home.url}/api/v1/node`)).json()) as { peerId: string };
  const target = parseMultiaddr(`/ip4/127.0.0.1/tcp/${port}/p2p/${peerId}`) as PeerAddress;
  const pid = (home.child as Child<NodeQuestion>).pid;
  await pause(realEnvironment, 5_000);
  const read = async (): Promise<number> => {
    const stream = await transport.dial(target).open('/feed?after=0');
    const batches = new FeedBatches({ seq: 0, chainHash: noHash });
    let [sent, head] = [0, Number.POSITIVE_INFINITY];
    while (sent < head) {
      for (const line of (await stream.take())!) {
        const batch = batches.take(line);
        if (!batch) continue;
        assert('end' in batch && isSignedCheckpoint(batch.end.checkpoint), 'the feed is valid');
        [sent, head] = [batch.last.seq, batch.end.head];
      }
    }
    stream.close();
    return sent;
  };
  // The first time, V8 compiles.
  await read();
  const [before, own, since] = [cpuMicros(pid), process.cpuUsage(), realEnvironment.monotonic()];
  const sent = await read();
  const seconds = (realEnvironment.monotonic() - since) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const shares = { sent, seconds, home: (cpuMicros(pid) - before) / sent, follower: (user + system) / sent };
  await transport.close();
  await (home.child as Child<NodeQuestion>).stop();
  return shares;
}

/** Half of the entries are transfers, the rest unfinished escrows and listings. */
export async function traffic(dir: string): Promise<void> {
  const founder = await Founder.open(dir);
  const persons = await founder.people(people, 1_000_000_000);
  const signers = await Promise.all(
    persons.map(async ({ did, passphrase }) => accepted(await founder.keystore.unlock(did, passphrase, 'bench'))),
  );
  const { example } = capabilityListing.create;
  const dice = new Dice();
  let next = 0;
  const worker = async (signer: (typeof signers)[number], number: number) => {
    const { actors } = founder.node;
    const act = async (kind: string, id: string, action: string, input: JsonObject) =>
      accepted(await actors.execute({ kind, id, action, input, signer: signer.did, unlock: () => signer }));
    const other = signers[(number + 1) % people]!.did;
    for (let round = 0; next < entries; round++, next += 6) {
      for (let i = 0; i < 3; i++) await act('account', signer.did, 'transfer', { to: other, amount: 1 + i });
      const escrow = `esc-bench-${number}-${round}`;
      const terms = { beneficiary: other, amount: 5, releaseRules: [{ type: 'manual' }], autoFund: true };
      await act('escrow', escrow, 'create', terms);
      await act('escrow', escrow, 'release', { amount: 5, reason: 'done' });
      const { pricing: _, ...own } = example;
      await act(capabilityListing.kind, `lst-bench-${number}-${round}`, 'create', { ...own, ...wording(dice) });
    }
  };
  await Promise.all(signers.map(worker));
  await founder.close();
}
