/**
 * Measures a reputation with many records in the embedded store: the first read, later reads, a read after one more
 * record, a read from the journal; and the cost of writing a record, at the beginning and at the end.
 * @example node dist/scripts/bench/reputations.js [--records 100000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { bounds } from '../../src/core/bounds.js';
import { realEnvironment } from '../../src/core/environment.js';
import { ReputationReader } from '../../src/projections/reputations.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Commit } from '../../src/store/store.js';
import { EntryBuilder } from '../../test/contract/entries.js';

const { values } = parseArgs({ options: { records: { type: 'string', default: '100000' } } });
const records = Number(values.records);
const seller = 'did:svc:seller';
const batch = 1_000;
const say = (line: string) => process.stdout.write(`${line}\n`);
const builder = new EntryBuilder();
let made = 0;

/** A record as a review writes it, by one of this many issuers. */
function next(issuers = records / 4): Commit {
  const issuer = `did:svc:${'x'.repeat(40)}${made % issuers}`;
  const [source, dimension] = made % 2 ? ['review', 'quality'] : ['deal', 'transaction'];
  const context = { issuer, target: seller, dimension, score: made % 1_001, ref: `ord-${made}`, source };
  const add = [`target:${seller}`, ...(source === 'review' ? [`reviewed:${seller}`] : [])];
  made += 1;
  return builder.resource({ kind: 'reputation', id: `rev-${made}`, state: 'current', context, add });
}

async function timed<T>(name: string, times: number, call: () => Promise<T>): Promise<T> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const idle = performance.eventLoopUtilization();
  delays.enable();
  const started = realEnvironment.monotonic();
  let result = await call();
  for (let i = 1; i < times; i++) result = await call();
  const each = (realEnvironment.monotonic() - started) / times;
  delays.disable();
  const { active } = performance.eventLoopUtilization(idle);
  const longest = (delays.max / 1e6).toFixed(1);
  say(`${name.padEnd(34)} ${each.toFixed(2)} ms; of main ${(active / times).toFixed(2)} ms, longest ${longest} ms`);
  return result;
}

const dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const store = await SqliteStore.open({ dir });
const write = async () => store.append(Array.from({ length: batch }, () => next()));
await write();
await timed(`append ${batch}, nearly none there`, 3, write);
while (made < records) await write();
await timed(`append ${batch}, ${made} there`, 3, write);
const reputations = new ReputationReader(store, realEnvironment, {
  records: bounds.reputationRecords,
  page: bounds.reputationPage,
});
globalThis.gc?.();
const heap = process.memoryUsage().heapUsed;
await timed('first reading', 1, () => reputations.of(seller));
globalThis.gc?.();
say(`kept: ${((process.memoryUsage().heapUsed - heap) / made).toFixed(0)} bytes a record (with --expose-gc)`);
await timed('again', 50, () => reputations.of(seller));
await timed('after one record more', 20, async () => {
  await store.append([next()]);
  return reputations.of(seller);
});
const standing = await reputations.of(seller);
const now = builder.time + 86_400_000;
await timed('the scores of a time', 1_000, async () => standing.at(now));
await timed('out of the journal', 1, () => reputations.fromLog(seller));
await store.close();
await rm(dir, { recursive: true });
