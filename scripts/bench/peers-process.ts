/** A late joiner: reads and verifies the journal of another home from its beginning, in this process. */
import { realEnvironment } from '../../src/core/environment.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { Replica } from '../../src/peers/replica/replica.js';
import { TextThread } from '../../src/peers/replica/text-checks.js';
import { entryOf, homeOf, type NumberedEntry } from '../../src/store/entry.js';
import { SqliteReplicas } from '../../src/store/sqlite/replicas.js';
import { SqliteReader } from '../../src/store/sqlite/sqlite-reader.js';
import { answerParent, forgetPeak, peakResidentBytes, residentBytes } from './child.js';

export type JoinerQuestion =
  | {
      readonly ask: 'join';
      /** The home's data directory, and the joiner's. */
      readonly from: string;
      readonly into: string;
      /** Entries in a batch. */
      readonly batch: number;
      readonly most: number;
      /** Whether signatures are verified in a thread. */
      readonly threads: boolean;
      readonly writer: 'thread' | 'inline';
    }
  /** Opens this many replicas without entries. */
  | { readonly ask: 'open'; readonly into: string; readonly homes: readonly string[] };

export interface Joined {
  readonly entries: number;
  readonly seconds: number;
  /** CPU of all threads, without reading the source, µs an entry. */
  readonly micros: number;
  readonly peakBytes: number;
}

async function join({ from, into, batch, most, threads, writer }: JoinerQuestion & { ask: 'join' }): Promise<Joined> {
  const source = new SqliteReader(from);
  const [first] = await source.entries({ after: 0, limit: 1 });
  const home = homeOf(first!.core);
  const replicas = new SqliteReplicas({ dir: into, writer });
  const store = await replicas.open(home, 'write');
  const texts = new TextThread();
  const verifySignatures = threads ? texts.check : undefined;
  const replica = await Replica.open({ store, home, network: 'devnet', catalogue, verifySignatures });
  forgetPeak(process.pid);
  let [seconds, micros] = [0, 0];
  while (replica.head.seq < most) {
    const page = await source.entries({ after: replica.head.seq, limit: batch });
    const lines = page.map(({ coreText, payloadText, entryHash, seq, prevEntry, chainHash }) => ({
      ...{ coreText, payloadText, entryHash, seq, prevEntry, chainHash },
    }));
    const [since, cpu] = [realEnvironment.monotonic(), process.cpuUsage()];
    const fed = lines.map(({ coreText, payloadText, entryHash, ...place }) => {
      const entry: NumberedEntry = { ...entryOf(coreText, payloadText, entryHash), ...place };
      return { entry };
    });
    const { stop } = await replica.adopt(fed);
    if (stop) throw new RangeError(`entry ${stop.seq}: ${stop.what}`);
    const { user, system } = process.cpuUsage(cpu);
    seconds += (realEnvironment.monotonic() - since) / 1_000;
    micros += user + system;
    if (page.length < batch) break;
  }
  const entries = replica.head.seq;
  const peakBytes = peakResidentBytes(process.pid);
  await replica.close();
  await replicas.close();
  await texts.close();
  return { entries, seconds, micros: micros / entries, peakBytes };
}

/** Bytes of memory that each open replica costs. */
async function open({ into, homes }: JoinerQuestion & { ask: 'open' }): Promise<number> {
  const replicas = new SqliteReplicas({ dir: into });
  const openOne = async (home: string) => {
    const store = await replicas.open(home, 'write');
    await Replica.open({ store, home, network: 'devnet', catalogue });
  };
  await openOne(homes[0]!);
  const before = residentBytes(process.pid);
  for (const home of homes.slice(1)) await openOne(home);
  const bytes = residentBytes(process.pid) - before;
  await replicas.close();
  return bytes / (homes.length - 1);
}

answerParent<JoinerQuestion>((question) => (question.ask === 'join' ? join(question) : open(question)));
