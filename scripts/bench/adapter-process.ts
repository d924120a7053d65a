/** Measures a store adapter alone: concurrent transfers between many accounts, prepared beforehand. */

import { realEnvironment } from '../../src/core/environment.js';
import { openStore } from '../../src/node/store-choice.js';
import type { Commit } from '../../src/store/store.js';
import { EntryBuilder } from '../../test/contract/entries.js';
import { answerParent } from './child.js';
import { configOf } from './people.js';
import { type StoreCounts, storeCounts } from './store-counts.js';

export type AdapterQuestion = {
  readonly ask: 'append';
  readonly entries: number;
  /** Every entry has an idempotency key. */
  readonly idem: boolean;
};

export interface AdapterCost extends StoreCounts {
  /** CPU of this process for one entry, µs. */
  readonly micros: number;
  readonly perSecond: number;
}

const accounts = 1_000;
const inFlight = 64;
/** Entries that are appended first in each measurement, without being counted. */
const settling = 500;

const did = (n: number) => `did:svc:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnn${String(n).padStart(6, '0')}`;
const store = await openStore({
  config: configOf(process.env),
  world: realEnvironment,
  log: { warn: () => {} },
});
const builder = new EntryBuilder();
let made = 0;

/** Prepared beforehand, because hashing and canonical forms are not the store's work. */
function transfers(count: number, withKeys: boolean): Commit[] {
  return Array.from({ length: count }, () => {
    const n = made++;
    const [from, to] = [n % accounts, (n * 7919 + 13) % accounts];
    const idem = { principal: did(from), key: `bench-${n}` };
    return builder.transfer(did(from), did(to === from ? (n + 1) % accounts : to), 1, withKeys ? { idem } : {});
  });
}

async function appendAll(work: readonly Commit[]): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < work.length) {
      const [result] = await store.append([work[next++]!]);
      if (!result?.ok) process.stderr.write(`refused: ${result?.taken}\n`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function measure({ entries, idem }: AdapterQuestion): Promise<AdapterCost> {
  const [first, work] = [transfers(settling, idem), transfers(entries, idem)];
  await appendAll(first);
  const before = storeCounts(store);
  const [cpu, from] = [process.cpuUsage(), realEnvironment.monotonic()];
  await appendAll(work);
  const seconds = (realEnvironment.monotonic() - from) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const after = storeCounts(store);
  return {
    micros: (user + system) / entries,
    perSecond: entries / seconds,
    entries: after.entries - before.entries,
    commits: after.commits - before.commits,
    lost: after.lost - before.lost,
  };
}

const all = Array.from({ length: accounts }, (_, n) => ({ op: 'mint', to: did(n), amount: 1_000_000 }) as const);
await store.append([builder.commit({ issuer: 'did:svc:faucet', type: 'minted', moves: all })]);
answerParent((question: AdapterQuestion) => measure(question));
process.once('SIGTERM', () => void store.close().then(() => process.exit(0)));
