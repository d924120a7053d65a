/**
 * Finds entries by the hashes that the store does not index: their own, of the chain up to them, of their payloads and
 * states (docs/decisions/0032). Whole segments of the journal are indexed in the background, as local records, so that
 * no write waits for it; the entries behind them are looked through.
 */
import { Background } from '../core/background.js';
import { bounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import { assert } from '../core/refusal.js';
import type { NumberedEntry } from '../store/entry.js';
import { entryAt, type Store, type StoreReader, hashIndexTable as table } from '../store/store.js';

type HashReader = Pick<StoreReader, 'head' | 'entries' | 'getLocal'>;

export type HashRole = 'chain' | 'entry' | 'payload' | 'state';

const hashesOf = ({ entryHash, chainHash, core }: NumberedEntry): readonly (readonly [HashRole, string])[] => [
  ['chain', chainHash],
  ['entry', entryHash],
  ['payload', core.event.payloadHash],
  ...core.versions.map(({ stateHash }) => ['state', stateHash] as const),
];

export interface BuiltSegments {
  /** Entries a segment. */
  readonly size: number;
  readonly segments: number;
  /** Revision of the stored record with these numbers. */
  readonly revision: number;
}

const built = 'built';

export async function builtSegments(
  store: Pick<StoreReader, 'getLocal'>,
  size: number = bounds.hashSegment,
): Promise<BuiltSegments> {
  const { value = { size, segments: 0 }, revision = 0 } = (await store.getLocal(table, built)) ?? {};
  return { size: Number(value.size), segments: Number(value.segments), revision };
}

/** A key is the first 36 bits of a hash and the entry's place in its segment, 12 bits: 48 bits, an exact number. */
const [hexDigits, places, keyBytes] = [9, 4_096, 6];
/** A record holds the keys of a segment whose hashes begin with the same hex digit. */
const buckets = 16;

const prefixOf = (hash: string): number => Number.parseInt(hash.slice(0, hexDigits), 16);
const bucketOf = (prefix: number): number => Math.floor(prefix / 2 ** 32);
const idOf = (segment: number, bucket: number): string => `${segment}.${bucket}`;

export interface HashRecord {
  readonly id: string;
  /** Base64 of the keys, in order. */
  readonly keys: string;
}

/** The keys of one segment, which do not depend on the process that collects them. */
export class SegmentKeys {
  readonly #keys = Array.from({ length: buckets }, (): number[] => []);

  #next: number;

  constructor(
    readonly segment: number,
    private readonly size: number,
  ) {
    this.#next = segment * size + 1;
  }

  /** Number of the entry that comes next; undefined where the segment is full. */
  get next(): number | undefined {
    return this.#next > (this.segment + 1) * this.size ? undefined : this.#next;
  }

  add(entry: NumberedEntry): void {
    assert(entry.seq === this.next, 'entries of a segment come in order');
    this.#next++;
    const place = (entry.seq - 1) % this.size;
    for (const [, hash] of hashesOf(entry)) {
      const prefix = prefixOf(hash);
      this.#keys[bucketOf(prefix)]!.push(prefix * places + place);
    }
  }

  records(): HashRecord[] {
    return this.#keys.map((keys, bucket) => {
      const bytes = Buffer.alloc(keys.length * keyBytes);
      for (const [at, key] of Float64Array.from(keys).sort().entries()) bytes.writeUIntBE(key, at * keyBytes, keyBytes);
      return { id: idOf(this.segment, bucket), keys: bytes.toString('base64') };
    });
  }
}

export async function hashKeysAt(store: Pick<StoreReader, 'getLocal'>, id: string): Promise<string | undefined> {
  return (await store.getLocal(table, id))?.value.keys as string | undefined;
}

/** Places of the entries with this prefix, the last first. */
function placesIn(keys: string, hash: string): number[] {
  const [bytes, prefix, found] = [Buffer.from(keys, 'base64'), prefixOf(hash), [] as number[]];
  for (let at = bytes.length - keyBytes; at >= 0; at -= keyBytes) {
    const key = bytes.readUIntBE(at, keyBytes);
    if (Math.floor(key / places) === prefix) found.push(key % places);
  }
  return found;
}

export interface FoundByHash {
  readonly seq: number;
  readonly by: HashRole;
}

const foundIn = (entry: NumberedEntry | undefined, hash: string): FoundByHash | undefined => {
  const [by] = (entry && hashesOf(entry).find(([, each]) => each === hash)) ?? [];
  return entry && by && { seq: entry.seq, by };
};

/**
 * The newest entry with this hash, 64 lower-case hex digits.
 * @param most entries behind the index that are looked through: not all where it lags, for example after an upgrade
 */
export async function entryByHash(
  store: HashReader,
  hash: string,
  most: number = bounds.hashesLookedThrough,
): Promise<FoundByHash | undefined> {
  const { size, segments } = await builtSegments(store);
  const { seq } = await store.head();
  const newest = { before: seq + 1, last: Math.max(size * segments, seq - most) };
  return (await amongNewest(store, hash, newest)) ?? (await inSegments(store, hash, { size, segments }));
}

/** Entries with smaller numbers than `before`, down to that behind `last`. */
async function amongNewest(
  store: HashReader,
  hash: string,
  { before, last }: { before: number; readonly last: number },
): Promise<FoundByHash | undefined> {
  while (before > last + 1) {
    const page = { limit: bounds.pageLimit, characters: bounds.pageCharacters };
    const entries = await store.entries({ after: 0, before, ...page });
    for (const entry of entries) {
      const found = foundIn(entry, hash);
      if (found) return found;
    }
    before = entries.at(-1)?.seq ?? 0;
  }
  return undefined;
}

const atOnce = 32;

async function inSegments(
  store: HashReader,
  hash: string,
  { size, segments }: Pick<BuiltSegments, 'size' | 'segments'>,
): Promise<FoundByHash | undefined> {
  for (let from = segments; from > 0; from -= atOnce) {
    const group = Array.from({ length: Math.min(atOnce, from) }, (_, at) => from - 1 - at);
    const keys = await Promise.all(group.map((segment) => hashKeysAt(store, idOf(segment, bucketOf(prefixOf(hash))))));
    for (const [at, segment] of group.entries()) {
      for (const place of placesIn(keys[at] ?? '', hash)) {
        const found = foundIn(await entryAt(store, segment * size + place + 1), hash);
        if (found) return found;
      }
    }
  }
  return undefined;
}

export interface HashIndexOptions {
  readonly store: Pick<Store, 'head' | 'entries' | 'getLocal' | 'putLocal'>;
  readonly world: Environment;
  /** Whether this process builds it; absent where it is alone on its database. */
  readonly mine?: (() => Promise<boolean>) | undefined;
  readonly onFailure: (error: unknown) => void;
  /** Entries a segment, at most 4,096. */
  readonly size?: number;
}

/** Builds the index. Building twice is harmless. */
export class HashIndex {
  readonly #building: Background;
  readonly #size: number;
  /** Keys of the newest segment from its first entry on; undefined if the process started after that entry. */
  #seen: SegmentKeys | undefined;
  /** Keys of the segment that became full last. Kept, because the next segment begins before this one is built. */
  #full: SegmentKeys | undefined;

  constructor(private readonly options: HashIndexOptions) {
    const { world, onFailure, size = bounds.hashSegment } = options;
    this.#size = size;
    this.#building = new Background({ world, onFailure, round: () => this.#round() });
  }

  start(): void {
    this.#building.start();
  }

  stop(): Promise<void> {
    return this.#building.stop();
  }

  /** Called for each committed entry, of this or another process. Its keys need not be read again. */
  saw(entry: NumberedEntry): void {
    const { seq } = entry;
    if (seq % this.#size === 1) this.#seen = new SegmentKeys((seq - 1) / this.#size, this.#size);
    if (seq !== this.#seen?.next) return;
    this.#seen.add(entry);
    if (this.#seen.next !== undefined) return;
    this.#full = this.#seen;
    this.#building.wake();
  }

  /** @returns when the next segment is built; undefined: when it is full */
  async #round(): Promise<number | undefined> {
    const { store, mine } = this.options;
    const { seq } = await store.head();
    if (seq < this.#size) return undefined;
    const known = await builtSegments(store, this.#size);
    if (seq < known.size * (known.segments + 1) || (mine && !(await mine()))) return undefined;
    await this.#build(known);
    return 0;
  }

  async #build({ size, segments, revision }: BuiltSegments): Promise<void> {
    const { store } = this.options;
    const seen = size === this.#size && this.#full?.segment === segments ? this.#full : undefined;
    const keys = seen ?? new SegmentKeys(segments, size);
    for (let next = keys.next; next !== undefined; next = keys.next) {
      const limit = Math.min(bounds.pageLimit, (segments + 1) * size - next + 1);
      const entries = await store.entries({ after: next - 1, limit, characters: bounds.pageCharacters });
      for (const entry of entries) keys.add(entry);
    }
    await Promise.all(keys.records().map((record) => this.#put(record)));
    // False: another process was faster.
    await store.putLocal(table, built, { size, segments: segments + 1 }, revision);
  }

  async #put({ id, keys }: HashRecord): Promise<void> {
    const { store } = this.options;
    if (await store.putLocal(table, id, { keys }, 0)) return;
    // Left by a process that ended before the segment was complete.
    const known = await store.getLocal(table, id);
    if (known && known.value.keys !== keys) await store.putLocal(table, id, { keys }, known.revision);
  }
}
