/**
 * Measures the store on MongoDB as scripts/bench/store.ts measures the embedded one: transfers between many accounts,
 * many in flight. What counts is the CPU of this process; the server's is its own affair.
 * @example node dist/scripts/bench/mongo.js --url mongodb://127.0.0.1:27017/ [--entries 20000] [--accounts 1000]
 */
import { parseArgs } from 'node:util';
import { MongoStore } from '../../src/store/mongo/mongo-store.js';
import type { Commit } from '../../src/store/store.js';
import { realWorld } from '../../src/world.js';
import { Scribe } from '../../test/contract/entries.js';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'mongodb://127.0.0.1:27017/' },
    entries: { type: 'string', default: '20000' },
    accounts: { type: 'string', default: '1000' },
    'in-flight': { type: 'string', default: '64' },
    idem: { type: 'boolean', default: false },
  },
});
const entries = Number(values.entries);
const accounts = Number(values.accounts);
const inFlight = Number(values['in-flight']);
const warmUp = Math.floor(entries / 3);

const did = (n: number) => `did:svc:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnn${String(n).padStart(6, '0')}`;

function transfers(): { funding: Commit[]; work: Commit[] } {
  const scribe = new Scribe();
  const all = Array.from({ length: accounts }, (_, n) => ({ op: 'mint', to: did(n), amount: 1_000_000 }) as const);
  const funding = [scribe.commit({ issuer: 'did:svc:faucet', type: 'minted', moves: all })];
  const work = Array.from({ length: warmUp + entries }, (_, n) => {
    const to = did((n * 7919 + 13) % accounts);
    const from = did(n % accounts);
    const idem = { principal: from, key: `bench-${n}` };
    return scribe.transfer(from, to === from ? did((n + 1) % accounts) : to, 1, values.idem ? { idem } : {});
  });
  return { funding, work };
}

async function run(store: MongoStore, work: readonly Commit[]): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < work.length) {
      const [result] = await store.append([work[next++]!]);
      if (!result?.ok) process.stderr.write(`refused: ${result?.taken}\n`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

const { funding, work } = transfers();
const store = await MongoStore.open({ url: values.url, network: `bench${process.pid}` });
await store.append(funding);
await run(store, work.slice(0, warmUp));
const before = store.stats();
const cpu = process.cpuUsage();
const from = realWorld.monotonic();
await run(store, work.slice(warmUp));
const seconds = (realWorld.monotonic() - from) / 1_000;
const { user, system } = process.cpuUsage(cpu);
const after = store.stats();
process.stdout.write(
  `mongo: ${Math.round(entries / seconds)} entries/s, ${((user + system) / entries).toFixed(1)} us CPU an entry ` +
    `(user ${(user / entries).toFixed(1)}), ${(entries / (after.batches - before.batches)).toFixed(1)} entries an insertMany, ` +
    `${(entries / (after.order.rounds - before.order.rounds)).toFixed(1)} a round of the order\n`,
);
await store.close();
