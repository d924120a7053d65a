/**
 * Measures the embedded store: transfers between many accounts, many in flight, with the writer in its own thread
 * and on the main one; and how long a slow read keeps the main thread busy.
 * @example node dist/scripts/bench/store.js [--entries 60000] [--accounts 1000] [--in-flight 64] [--idem] [--work-us 0]
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { realEnvironment } from '../../src/core/environment.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Commit } from '../../src/store/store.js';
import { EntryBuilder } from '../../test/contract/entries.js';

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '60000' },
    accounts: { type: 'string', default: '1000' },
    'in-flight': { type: 'string', default: '64' },
    dir: { type: 'string', default: tmpdir() },
    writer: { type: 'string', default: 'both' },
    idem: { type: 'boolean', default: false },
    'work-us': { type: 'string', default: '0' },
  },
});
const entries = Number(values.entries);
const accounts = Number(values.accounts);
const inFlight = Number(values['in-flight']);
/** Simulated other work of the main thread for each entry, µs: a node parses, steps and signs. */
const workMs = Number(values['work-us']) / 1_000;
/** The first second costs several times as much as the rest. */
const warmUp = Math.floor(entries / 3);

const did = (n: number) => `did:svc:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnn${String(n).padStart(6, '0')}`;

/** Prepared beforehand, because hashing and canonical forms are not the store's work. */
function transfers(): { funding: Commit[]; work: Commit[] } {
  const builder = new EntryBuilder();
  const funding = Array.from({ length: accounts }, (_, n) => builder.mint(did(n), 1_000_000));
  const work = Array.from({ length: warmUp + entries }, (_, n) => {
    const to = did((n * 7919 + 13) % accounts);
    const from = did(n % accounts);
    const idem = { principal: from, key: `bench-${n}` };
    return builder.transfer(from, to === from ? did((n + 1) % accounts) : to, 1, values.idem ? { idem } : {});
  });
  return { funding, work };
}

/** Keeps `inFlight` appends pending. The entries of each account stay in order because appends do. */
async function run(store: SqliteStore, work: readonly Commit[]): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < work.length) {
      // The next request arrives with a later turn of the event loop, as it does from a socket.
      await new Promise((resolve) => setImmediate(resolve));
      if (next >= work.length) return;
      const until = realEnvironment.monotonic() + workMs;
      while (workMs > 0 && realEnvironment.monotonic() < until);
      const [result] = await store.append([work[next++]!]);
      if (!result?.ok) process.stderr.write(`refused: ${result?.taken}\n`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/**
 * CPU time of the main thread so far, µs, which Linux alone reports. Other processes on the machine do not distort it.
 */
function mainThreadUs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
  } catch {
    return Number.NaN;
  }
}

async function measure(writer: 'inline' | 'thread', { funding, work }: ReturnType<typeof transfers>): Promise<void> {
  const dir = await mkdtemp(join(values.dir, 'svc-bench-'));
  const store = await SqliteStore.open({ dir, writer });
  await store.append(funding);
  await run(store, work.slice(0, warmUp));

  const before = store.stats();
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const main = mainThreadUs();
  const cpu = process.cpuUsage();
  const from = realEnvironment.monotonic();
  await run(store, work.slice(warmUp));
  const seconds = (realEnvironment.monotonic() - from) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const ofMain = mainThreadUs() - main;
  const commits = store.stats().commits - before.commits;
  process.stdout.write(
    `writer ${writer}: ${Math.round(entries / seconds)} entries/s, ${((user + system) / entries).toFixed(1)} us CPU an entry ` +
      `(user ${(user / entries).toFixed(1)}, on the main thread ${(ofMain / entries).toFixed(1)}), ` +
      `${(entries / commits).toFixed(1)} entries a commit, loop delay p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms\n`,
  );
  await store.close();
  await rm(dir, { recursive: true });
}

const work = transfers();
process.stdout.write(
  `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}; ${entries} transfers among ${accounts} ` +
    `accounts, ${inFlight} in flight, ${values['work-us']} us of other work each\n`,
);
for (const writer of ['inline', 'thread'] as const) {
  if (values.writer === writer || values.writer === 'both') await measure(writer, work);
}
