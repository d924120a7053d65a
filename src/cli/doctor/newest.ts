/** The end of the journal, looked at without the whole: each entry by itself, its place, and what the store made of it. */
import { flawOfText } from '../../actors/replay.js';
import { stateHashOf } from '../../machines/kernel/step.js';
import { chainHashOf, type NumberedEntry } from '../../store/entry.js';
import type { Journal } from '../../store-choice.js';

/** The first of them that is not sound, in a sentence. */
export function flawOfEntries(newest: readonly NumberedEntry[]): string | undefined {
  for (const [index, entry] of newest.entries()) {
    if (!followsFrom(newest[index - 1], entry)) return `entry ${entry.seq} does not follow from the one before it`;
    const flaw = flawAlone(entry);
    if (flaw) return `entry ${entry.seq} was changed: ${flaw}`;
  }
  return undefined;
}

function flawAlone(entry: NumberedEntry): string | undefined {
  try {
    return flawOfText(entry);
  } catch {
    return 'it cannot be read any more';
  }
}

/** @param before nothing: the entry is the first that is looked at */
function followsFrom(
  before: NumberedEntry | undefined,
  { seq, prevEntry, chainHash, entryHash }: NumberedEntry,
): boolean {
  if (before && (prevEntry !== before.chainHash || seq !== before.seq + 1)) return false;
  return chainHash === chainHashOf(seq, prevEntry, entryHash);
}

/** Rows that these entries are the last word about, and the sums; for a store that writes them with their entry. */
export async function flawOfRows(journal: Journal, newest: readonly NumberedEntry[]): Promise<string | undefined> {
  const flaw = (await flawOfSnapshots(journal, newest)) ?? (await flawOfAccounts(journal, newest));
  const { supply, ...held } = await journal.totals();
  const sum = Object.values(held).reduce((one, other) => one + other, 0);
  const found = flaw ?? (sum === supply ? undefined : `balances and fees sum to ${sum}, the supply is ${supply}`);
  // A node may have gone on meanwhile: then the rows are of later entries.
  return (await journal.head()).seq === newest.at(-1)?.seq ? found : undefined;
}

async function flawOfSnapshots(journal: Journal, newest: readonly NumberedEntry[]): Promise<string | undefined> {
  const last = new Map(
    newest.flatMap(({ seq, core }) => core.versions.map((each) => [`${each.kind}/${each.id}`, { ...each, seq }])),
  );
  for (const [name, { kind, id, version, stateHash, seq }] of last) {
    const row = await journal.load(kind, id);
    if (row?.version !== version || stateHashOf(row.state, row.context) !== stateHash)
      return `the snapshot of ${name} is not what entry ${seq} made of it`;
  }
  return undefined;
}

async function flawOfAccounts(journal: Journal, newest: readonly NumberedEntry[]): Promise<string | undefined> {
  const last = new Map(newest.map(({ seq, core: { event } }) => [event.issuer, { ...event, seq }]));
  for (const [did, { nonce, hash, seq }] of last) {
    const row = await journal.account(did);
    if (row?.nonce !== nonce || row.lastHash !== hash) return `the account of ${did} is not where entry ${seq} left it`;
  }
  return undefined;
}
