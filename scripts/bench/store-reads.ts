/**
 * Measures the slow reads of the embedded store: how long each would block the main thread if it ran there, and how
 * long it does when the reader thread runs it; the time to open the store; and short reads during slow ones.
 * @example node dist/scripts/bench/store-reads.js [--resources 100000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { realEnvironment } from '../../src/core/environment.js';
import { SqliteConnection } from '../../src/store/sqlite/connection.js';
import { databaseFile } from '../../src/store/sqlite/durable.js';
import { SlowReads } from '../../src/store/sqlite/slow-reads.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Commit, PageRequest } from '../../src/store/store.js';
import { EntryBuilder } from '../../test/contract/entries.js';

const { values } = parseArgs({ options: { resources: { type: 'string', default: '100000' } } });
const resources = Number(values.resources);
const runs = 50;
const page: PageRequest = { limit: 100, offset: 0 };
const states = ['open', 'paid', 'delivered', 'reviewed'];
const busy = 'did:svc:busy';
const say = (line: string) => process.stdout.write(`${line}\n`);

const dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
await fill();

const from = realEnvironment.monotonic();
const store = await SqliteStore.open({ dir });
const opened = realEnvironment.monotonic();
await store.load('order', 'ord-5');
say(`${resources} resources: open ${(opened - from).toFixed(0)} ms`);

const direct = new SlowReads(new SqliteConnection(databaseFile(dir), { cacheKiB: 32_768, readOnly: true }));
const open = { kind: 'order', states: ['open'] };
const bySeller = { kind: 'order', anyLabel: ['seller:0'] };
const either = { kind: 'order', anyLabel: ['seller:0', 'buyer:0'], states: ['paid'] };
await compare(
  'find, all',
  () => direct.find({ kind: 'order' }, page),
  () => store.find({ kind: 'order', page }),
);
await compare(
  'find, one state of four',
  () => direct.find(open, page),
  () => store.find({ ...open, page }),
);
await compare(
  'find, one label',
  () => direct.find(bySeller, page),
  () => store.find({ ...bySeller, page }),
);
await compare(
  'find, two labels, a state',
  () => direct.find(either, page),
  () => store.find({ ...either, page }),
);
const far = { limit: 100, offset: 10_000 };
await compare(
  'find, offset 10000',
  () => direct.find({ kind: 'order' }, far),
  () => store.find({ kind: 'order', page: far }),
);
await compare(
  'history',
  () => direct.history(busy, undefined, page),
  () => store.history(busy, undefined, page),
);
const query = { after: 0, limit: 100 };
await compare(
  'entries, 100',
  () => direct.entries(query),
  () => store.entries(query),
);
const touched = { ...query, resource: `account/${busy}` };
await compare(
  'entries of an account',
  () => direct.entries(touched),
  () => store.entries(touched),
);
await compare(
  'totals',
  () => direct.totals(),
  () => store.totals(),
);
await compare(
  'census',
  () => direct.census(),
  () => store.census(),
);
await short('load', () => store.load('order', 'ord-77'));
await short('account', () => store.account(busy));
await short('head', () => store.head());
await short('due', () => store.due(1, 100));

await store.close();
await rm(dir, { recursive: true });

async function fill(): Promise<void> {
  const filling = await SqliteStore.open({ dir });
  const builder = new EntryBuilder();
  for (let n = 0; n < resources; ) {
    const commits: Commit[] = [];
    for (; commits.length < 1_000; n++) {
      const add = [`seller:${n % 10}`, `buyer:${n % 1_000}`];
      const change = {
        kind: 'order',
        id: `ord-${n}`,
        state: states[n % 4]!,
        context: { n, title: 'x'.repeat(200) },
        add,
      };
      commits.push(builder.resource(change, { moves: [{ op: 'mint', to: n % 5 ? `did:svc:${n}` : busy, amount: 1 }] }));
    }
    await filling.append(commits);
  }
  await filling.close();
}

async function compare(name: string, onMain: () => unknown, onThread: () => Promise<unknown>): Promise<void> {
  onMain();
  await onThread();
  const started = realEnvironment.monotonic();
  for (let i = 0; i < runs; i++) onMain();
  const blocked = (realEnvironment.monotonic() - started) / runs;
  const idle = performance.eventLoopUtilization();
  const asked = realEnvironment.monotonic();
  for (let i = 0; i < runs; i++) await onThread();
  const took = (realEnvironment.monotonic() - asked) / runs;
  const { active } = performance.eventLoopUtilization(idle);
  say(
    `${name.padEnd(26)} on main ${blocked.toFixed(2)} ms; on the thread ${took.toFixed(2)} ms, of main ${(active / runs).toFixed(2)} ms`,
  );
}

async function short(name: string, call: () => Promise<unknown>): Promise<void> {
  const times = 20_000;
  for (let i = 0; i < times; i++) await call();
  const started = realEnvironment.monotonic();
  for (let i = 0; i < times; i++) await call();
  say(`${name.padEnd(26)} ${(((realEnvironment.monotonic() - started) * 1_000) / times).toFixed(1)} us`);
}
