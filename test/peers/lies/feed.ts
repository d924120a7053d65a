/** A correct feed as homes without a party receive it, and means to make false ones from it. */
import { canonical, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import type { Resource } from '../../../src/machines/kernel/definition.js';
import { mayReadPayload, mayReadState } from '../../../src/machines/kernel/visibility.js';
import type { FeedEntry } from '../../../src/peers/replica/replica.js';
import { chainHashOf, type EntryCore, entryOf, type NumberedEntry } from '../../../src/store/entry.js';
import { Replay } from '../../../src/verify/replay.js';
import { type Bench, network } from '../../world/bench.js';

export const entriesOf = ({ store }: Pick<Bench, 'store'>): NumberedEntry[] =>
  store.tables.journal.map(({ coreText, payloadText, entryHash, prevEntry, chainHash }, index) => ({
    ...{ seq: index + 1, prevEntry, chainHash },
    ...entryOf(coreText, payloadText, entryHash),
  }));

/** The feed with all payloads. */
export const openFeed = (bench: Bench): FeedEntry[] => entriesOf(bench).map((entry) => ({ entry }));

/** The feed for a home without residents, or with these. */
export function strangersFeed({ store, catalogue }: Bench, residents: readonly string[] = []): FeedEntry[] {
  const replay = new Replay(catalogue, network);
  const readers = [undefined, ...residents];
  const isOpen = ({ kind, id, context }: Resource): boolean => {
    const definition = catalogue.definitions[kind]!;
    if (definition.form === 'machine') return readers.some((reader) => mayReadState(definition, context, reader));
    const owner = Object.values(catalogue.definitions)
      .filter((each) => each.form === 'machine' && each.companion === kind)
      .flatMap((each) => replay.resource(each.kind, id) ?? [])[0];
    return !owner || isOpen(owner);
  };
  return entriesOf({ store }).map((entry) => {
    const { kind, id, ...request } = entry.payload!;
    const before = replay.resource(kind, id);
    const isWhole = [...entry.core.versions, ...entry.core.reads].every((each) => {
      const resource = replay.resource(each.kind, each.id);
      return !resource || isOpen(resource);
    });
    const flaw = replay.apply(entry);
    if (flaw !== undefined) throw new RangeError(`entry ${entry.seq}: ${flaw}`);
    const after = replay.resource(kind, id);
    const definition = catalogue.definitions[kind]!;
    const context = before?.context ?? after?.context ?? {};
    const isGiven =
      definition.form !== 'machine' || readers.some((reader) => mayReadPayload(definition, request, context, reader));
    if (isGiven && isWhole) return { entry };
    const written = entry.core.versions.map((version) => replay.resource(version.kind, version.id)!);
    const revealed = written.filter(isOpen).map((each) => ({
      ...{ kind: each.kind, id: each.id, state: each.state, context: each.context },
    }));
    return { entry: isGiven ? entry : withoutPayload(entry), revealed };
  });
}

export const withoutPayload = (entry: NumberedEntry): NumberedEntry => ({ ...entry, payload: null, payloadText: null });

/** The text of a feed's line, and the entry that its reader parses. */
export interface Line {
  readonly seq: number;
  readonly chainHash: string;
  readonly core: string;
  readonly payload: string | null;
  readonly revealed?: FeedEntry['revealed'];
}

export const lineOf = ({ entry, revealed }: FeedEntry): Line => ({
  ...{ seq: entry.seq, chainHash: entry.chainHash, core: entry.coreText, payload: entry.payloadText },
  ...(revealed ? { revealed } : {}),
});

export function readLine({ seq, chainHash, core, payload, revealed }: Line, prevEntry: string): FeedEntry {
  const entry = { ...entryOf(core, payload, sha256Hex(core)), seq, prevEntry, chainHash };
  return revealed ? { entry, revealed } : { entry };
}

/** The entry with another core or payload and new hashes, as its own home can make it. */
export function rehashed(
  { entry, revealed }: FeedEntry,
  change: { readonly core?: unknown; readonly payload?: JsonObject | null; readonly revealed?: FeedEntry['revealed'] },
): FeedEntry {
  const coreText = change.core === undefined ? entry.coreText : canonical(change.core);
  const payloadText =
    change.payload === undefined ? entry.payloadText : change.payload === null ? null : canonical(change.payload);
  const entryHash = sha256Hex(coreText);
  const { seq, prevEntry } = entry;
  const changed = { ...entryOf(coreText, payloadText, entryHash), seq, prevEntry };
  const shown = change.revealed ?? revealed;
  return {
    entry: { ...changed, chainHash: chainHashOf(seq, prevEntry, entryHash) },
    ...(shown ? { revealed: shown } : {}),
  };
}

/** Chains the rest of a feed to a changed entry, so that only the changed entry is wrong. */
export function followedBy(lie: FeedEntry, rest: readonly FeedEntry[]): FeedEntry[] {
  const feed = [lie];
  for (const { entry, ...more } of rest) {
    const prevEntry = feed.at(-1)!.entry.chainHash;
    const chainHash = chainHashOf(entry.seq, prevEntry, entry.entryHash);
    feed.push({ ...more, entry: { ...entry, prevEntry, chainHash } });
  }
  return feed;
}

export const coreOf = ({ entry }: FeedEntry): EntryCore => entry.core;
