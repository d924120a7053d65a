/** Measures the cost of following another home: a late joiner, the home's share, and the memory of open feeds. */

import type { JsonObject } from '../../src/core/canonical.js';
import { type Did, publicKeyOf } from '../../src/core/codecs/did.js';
import { parseMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { verify } from '../../src/core/codecs/signature-check.js';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { signerOf } from '../../src/keys/signing.js';
import { capabilityListing } from '../../src/machines/listing/capability.js';
import { TlsTransport } from '../../src/peers/transport/tls-transport.js';
import type { PeerAddress } from '../../src/peers/transport/transport.js';
import { freePort } from '../../test/support/free-port.js';
import { Child, cpuMicros } from './child.js';
import { Dice, wording } from './listings.js';
import type { NodeQuestion } from './node-process.js';
import { addressOf, start } from './peers-homes.js';
import { peersNetwork } from './peers-network.js';
import type { Joined, JoinerQuestion } from './peers-process.js';
import { accepted, Founder, scratch } from './people.js';
import { atLeast, atMost, count, mebibytes, micros, perSecond, table } from './report.js';

const people = 64;
const entries = 20_000;
const feeds = 19;

export async function peers(): Promise<void> {
  await peersNetwork();
  const from = await scratch();
  await traffic(from);
  const [inThread, alone, live] = [
    await join({ from, batch: 500, threads: true }),
    await join({ from, batch: 500, threads: false }),
    await join({ from, batch: 5, threads: false, most: 2_000 }),
  ];
  const share = await homeShare(from);
  const opening = new Child<JoinerQuestion>('peers-process');
  const homes = Array.from({ length: feeds }, () => signerOf(realEnvironment.random(32)).did);
  const bytes = await opening.ask<number>({ ask: 'open', into: await scratch(), homes });
  await opening.stop();
  const rateOf = (joined: Joined) => joined.entries / joined.seconds;
  table('Following a home', [
    { what: 'late joiner: entries', measured: count(inThread.entries) },
    atLeast('late joiner, signatures in a thread: rate', rateOf(inThread), 5_000, perSecond),
    { what: 'late joiner, signatures in a thread: CPU an entry', measured: micros(inThread.micros) },
    atMost('late joiner: most memory', inThread.peakBytes, 250 * 2 ** 20, mebibytes),
    atLeast('late joiner, without a thread: rate', rateOf(alone), 3_000, perSecond),
    atMost('late joiner, without a thread: CPU an entry', alone.micros, 300, micros),
    { what: 'five entries at a time: rate', measured: perSecond(rateOf(live)) },
    { what: 'five entries at a time: CPU an entry', measured: micros(live.micros) },
    atMost('the home’s share: CPU an entry and follower', share, 35, micros),
    { what: 'one signature: CPU of its verification, on this machine now', measured: micros(await signatureMicros()) },
    { what: 'one open feed: memory', measured: mebibytes(bytes) },
  ]);
}

/** CPU of a home's process that sends its whole journal to one follower, over TLS, µs an entry. */
export async function homeShare(dir: string): Promise<number> {
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
    let [sent, head] = [0, Number.POSITIVE_INFINITY];
    while (sent < head) {
      for (const line of (await stream.take())!) {
        const parsed = JSON.parse(line) as { seq?: number; head?: number };
        if (parsed.seq === undefined) head = parsed.head!;
        else sent = parsed.seq;
      }
    }
    stream.close();
    return sent;
  };
  // The first time, V8 compiles.
  await read();
  const before = cpuMicros(pid);
  const sent = await read();
  const spent = cpuMicros(pid) - before;
  await transport.close();
  await (home.child as Child<NodeQuestion>).stop();
  return spent / sent;
}

/** For comparison with other machines and other loads. */
async function signatureMicros(): Promise<number> {
  const signer = signerOf(realEnvironment.random(32));
  const texts = Array.from({ length: 4_000 }, (_, index) => `${index} ${'x'.repeat(600)}`);
  const signatures = texts.map((text) => signer.sign(text));
  const key = publicKeyOf(signer.did);
  const since = process.cpuUsage();
  for (const [index, text] of texts.entries()) verify(key, text, signatures[index]!);
  const { user, system } = process.cpuUsage(since);
  return (user + system) / texts.length;
}

interface Joining {
  readonly from: string;
  readonly batch: number;
  readonly threads: boolean;
  readonly most?: number;
}

async function join({ most = Number.POSITIVE_INFINITY, ...joining }: Joining): Promise<Joined> {
  const joiner = new Child<JoinerQuestion>('peers-process');
  const into = await scratch();
  // JSON has no infinity.
  const all = Math.min(most, Number.MAX_SAFE_INTEGER);
  const joined = await joiner.ask<Joined>({ ask: 'join', ...joining, into, most: all, writer: 'thread' });
  await joiner.stop();
  return joined;
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
