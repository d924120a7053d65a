/** Measures the cost of following another home: a late joiner, and the memory of open feeds. */

import type { JsonObject } from '../../src/core/canonical.js';
import { realEnvironment } from '../../src/core/environment.js';
import { signerOf } from '../../src/keys/signing.js';
import { capabilityListing } from '../../src/machines/listing/capability.js';
import { Child } from './child.js';
import { Dice, wording } from './listings.js';
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
    { what: 'one open feed: memory', measured: mebibytes(bytes) },
  ]);
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
