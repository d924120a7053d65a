/** A late joiner: reads and verifies the journal of another home from its beginning, in this process. */
import { realEnvironment } from '../../src/core/environment.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { EarlyChecks } from '../../src/peers/feed/early-checks.js';
import { type Adoption, type FeedEntry, Replica } from '../../src/peers/replica/replica.js';
import { TextThread } from '../../src/peers/replica/text-checks.js';
import { entryOf, homeOf } from '../../src/store/entry.js';
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
  const read = async (after: number) => {
    const page = await source.entries({ after, limit: Math.min(batch, most - after) });
    return page.map(({ core: _core, payload: _payload, ...line }) => line);
  };
  // A home does this for its followers, so it is measured alone, and subtracted.
  const reading = await spent(async () => {
    for (let [after, got] = [0, 1]; after < most && got > 0; after += got) got = (await read(after)).length;
  });
  const home = homeOf((await source.entries({ after: 0, limit: 1 }))[0]!.core);
  const replicas = new SqliteReplicas({ dir: into, writer });
  const store = await replicas.open(home, 'write');
  const texts = new TextThread();
  const checks = new EarlyChecks(threads ? texts.check : undefined);
  const replica = await Replica.open({ store, home, network: 'devnet', catalogue, verifySignatures: checks.of });
  forgetPeak(process.pid);
  const joining = await spent(async () => {
    let adopting: Promise<Adoption> = Promise.resolve({ adopted: 0 });
    for (let [after, lines] = [0, await read(0)]; lines.length > 0; lines = after < most ? await read(after) : []) {
      const fed = lines.map(({ coreText, payloadText, entryHash, ...place }): FeedEntry => {
        const entry = { ...entryOf(coreText, payloadText, entryHash), ...place };
        checks.add(entry);
        return { entry };
      });
      // As a follower does it: these entries are checked while those before them are adopted.
      checks.begin();
      await whole(adopting);
      adopting = replica.adopt(fed);
      after += lines.length;
    }
    await whole(adopting);
  });
  const entries = replica.head.seq;
  const peakBytes = peakResidentBytes(process.pid);
  await replica.close();
  await replicas.close();
  await texts.close();
  const [seconds, micros] = [joining.seconds - reading.seconds, joining.micros - reading.micros];
  return { entries, seconds, micros: micros / entries, peakBytes };
}

async function whole(adopting: Promise<Adoption>): Promise<void> {
  const { stop } = await adopting;
  if (stop) throw new RangeError(`entry ${stop.seq}: ${stop.what}`);
}

/** Time, and CPU of all threads. */
async function spent(work: () => Promise<void>): Promise<{ readonly seconds: number; readonly micros: number }> {
  const [since, cpu] = [realEnvironment.monotonic(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (realEnvironment.monotonic() - since) / 1_000, micros: user + system };
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
