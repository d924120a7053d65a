/**
 * Verifies the proof of a resource in the browser, from the file alone, without any request
 * (docs/reference/journal-format.md#resource-proofs).
 */
import type { Entry, Replies } from '../api/types.ts';
import { canonical } from './canonical.ts';
import { type Check, checkEntry } from './check-entry.ts';
import { sha256Hex } from './hash.ts';
import { homeNamedBy } from './journal-home.ts';
import { allHold } from './links.ts';
import { rootOfPath } from './merkle.ts';
import { versionsLinked } from './versions.ts';

export type ResourceProof = Replies['getResourceProof'];
type Proven = ResourceProof['entries'][number];

interface Chart {
  readonly kind: string;
  readonly revision: number;
  readonly initial: { readonly state: string } | null;
  readonly transitions: readonly { readonly from: string; readonly to: string }[];
}

/** Throws an Error with a sentence for the user if the text is not a proof of a resource. */
export function parseProof(text: string): ResourceProof {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('This file is not JSON.');
  }
  const { type, v, entries, first } = (value ?? {}) as Partial<ResourceProof>;
  if (type !== 'resource-proof' || v !== 1)
    throw new Error('This file is not a proof of a resource in format version 1.');
  if (!Array.isArray(entries) || entries.length === 0 || !first) throw new Error('This proof has no entries.');
  return value as ResourceProof;
}

/** Never throws: a proof that cannot be read fails its check. */
export async function checkProof(proof: ResourceProof): Promise<readonly Check[]> {
  const checks = [
    () => checkFirst(proof),
    () => checkEntries(proof),
    () => checkVersions(proof),
    () => checkDefinitions(proof),
    () => checkSteps(proof),
    () => checkReceipts(proof),
    () => checkAnchors(proof),
  ];
  const found: Check[] = [];
  for (const check of checks) {
    try {
      found.push(await check());
    } catch (error) {
      found.push({ name: 'Form', holds: false, says: `a member cannot be read: ${String(error)}` });
    }
  }
  return found;
}

async function failing(entry: Entry, first: Entry): Promise<string | undefined> {
  const { checks } = await checkEntry(entry, homeNamedBy(first));
  return allHold(checks) ? undefined : checks.find(({ holds }) => holds === false)?.name;
}

async function checkFirst({ first: { entry } }: ResourceProof): Promise<Check> {
  const name = 'Journal';
  const { did, isItsOwn } = homeNamedBy(entry);
  const failed = await failing(entry, entry);
  return {
    name,
    holds: entry.seq === 1 && isItsOwn && failed === undefined,
    says: `of the home ${did}, by its first entry`,
  };
}

async function checkEntries({ entries, corrections, first, network }: ResourceProof): Promise<Check> {
  const name = 'Entries';
  for (const { entry } of corrections) {
    const failed = entry.event.type === 'clock.corrected' ? await failing(entry, first.entry) : 'its type';
    if (failed !== undefined) return { name, holds: false, says: `entry ${entry.seq}: ${failed} does not hold` };
  }
  const isCorrected = (node: string, from: number, to: number) =>
    corrections.some(({ entry: { home, seq } }) => home === node && seq > from && seq <= to);
  let before = 0;
  const newest = new Map<string, { readonly seq: number; readonly time: number }>();
  for (const { entry } of entries) {
    const { seq, time, event, home } = entry;
    const failed = await failing(entry, first.entry);
    if (failed !== undefined) return { name, holds: false, says: `entry ${seq}: ${failed} does not hold` };
    const own = newest.get(home) ?? { seq: 0, time: 0 };
    const isLater = seq > before && (time >= own.time || isCorrected(home, own.seq, seq));
    if (!isLater || event.network !== network)
      return { name, holds: false, says: `entry ${seq} does not follow entry ${before}` };
    before = seq;
    newest.set(home, { seq, time });
  }
  return { name, holds: true, says: `signatures, hashes and postings of ${entries.length} entries hold` };
}

function checkVersions({ entries, kind, id, total, state }: ResourceProof): Check {
  const name = 'Versions';
  const linked = versionsLinked(
    entries.map(({ entry }) => entry),
    kind,
    id,
  );
  const last = versionOf(entries.at(-1)!, kind, id)?.path.at(-1);
  if (!linked) return { name, holds: false, says: 'they do not follow one another' };
  if (entries.length !== total) return { name, holds: false, says: `${entries.length} of ${total} are in the file` };
  return { name, holds: last === state, says: `1 to ${total}, none is missing, and the last leads to ${state}` };
}

const versionOf = ({ entry }: Proven, kind: string, id: string) =>
  entry.versions.find((each) => each.kind === kind && each.id === id);

function checkDefinitions({ entries, kind, id, definitions }: ResourceProof): Check {
  const name = 'Definitions';
  const named = new Set(entries.map((each) => versionOf(each, kind, id)?.machine ?? ''));
  for (const version of named) {
    const chart = definitions[version] as unknown as Chart | undefined;
    const hash = chart && `${chart.kind}-${chart.revision}-${sha256Hex(canonical(chart)).slice(0, 12)}`;
    if (hash !== version || chart?.kind !== kind)
      return { name, holds: false, says: `its chart is not that of ${version}` };
  }
  return { name, holds: true, says: [...named].join(', ') };
}

const isIn = (state: string, around: string): boolean => state === around || state.startsWith(`${around}.`);

function checkSteps({ entries, kind, id, definitions }: ResourceProof): Check {
  const name = 'Steps';
  let before: { readonly machine: string; readonly path: readonly string[] } | undefined;
  for (const each of entries) {
    const version = versionOf(each, kind, id)!;
    const { initial, transitions } = definitions[version.machine] as unknown as Chart;
    // A newer definition may name the same state differently.
    let from = before?.machine === version.machine ? before.path.at(-1) : undefined;
    for (const [index, to] of version.path.entries()) {
      const leads =
        !before && index === 0
          ? initial?.state === to
          : transitions.some((one) =>
              from === undefined
                ? isIn(to, one.to)
                : isIn(from, one.from) && (one.from === one.to ? from === to : one.to === to),
            );
      if (!leads) return { name, holds: false, says: `entry ${each.entry.seq}: no transition leads to ${to}` };
      from = to;
    }
    before = version;
  }
  return { name, holds: true, says: 'each is a transition of its definition' };
}

function checkReceipts({ entries }: ResourceProof): Check {
  const name = 'Receipts';
  const all = entries.filter(({ entry }) => entry.receipt);
  if (all.length === 0) return { name, holds: undefined, says: 'there are none' };
  const other = all.find(
    ({ entry }) => entry.receipt!.entryHash !== entry.entryHash || entry.receipt!.seq !== entry.seq,
  );
  return {
    name,
    holds: !other,
    says: `${all.length} of ${entries.length} entries were settled; this page does not ask the chain itself`,
  };
}

function checkAnchors({ corrections, entries, first }: ResourceProof): Check {
  const name = 'Anchors';
  const anchored = [first, ...entries, ...corrections].filter(({ anchor }) => anchor);
  if (anchored.length === 0) return { name, holds: undefined, says: 'no entry is anchored on a chain yet' };
  const wrong = anchored.find(({ entry, anchor }) => {
    const { firstEntry, lastEntry, path, root } = anchor!;
    return rootOfPath(entry.chainHash, entry.seq - firstEntry, lastEntry - firstEntry + 1, path) !== root;
  });
  const contracts = new Set(anchored.map(({ anchor }) => `${anchor!.chainId}/${anchor!.contract}`));
  if (wrong) return { name, holds: false, says: `entry ${wrong.entry.seq} is not under its root` };
  const says = `${entries.filter(({ anchor }) => anchor).length} of ${entries.length} entries are under roots of ${[...contracts].join(', ')}`;
  return { name, holds: contracts.size === 1, says };
}
