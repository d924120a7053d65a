/**
 * The verdict on a whole journal: every text, signature and chain, the replay of every step, and that the store's
 * projections are what the replay gives. Names the first bad entry.
 */
import { canonical } from '../machines/kernel/canonical.js';
import { isHouse } from '../machines/kernel/ledger.js';
import type { Catalogue } from '../machines/kernel/step.js';
import { type NumberedEntry, noHash, receiptHashOf } from '../store/entry.js';
import type { Inspection, StoreReader } from '../store/store.js';
import { unseenAccount } from './heads.js';
import { Replay } from './replay.js';

export interface AuditReport {
  readonly ok: boolean;
  readonly entries: number;
  readonly resources: number;
  readonly accounts: number;
  readonly supply: number;
  readonly head: string;
  /** The first flaw: the entry's number (0: not an entry's), its event hash, and what is wrong. */
  readonly flaw?: { readonly seq: number; readonly eventHash: string | null; readonly what: string };
}

const pageSize = 500;

/** @param progress is told how many entries of how many are done */
export async function audit(
  store: StoreReader,
  catalogue: Catalogue,
  network: string,
  progress: (done: number, total: number) => void = () => {},
): Promise<AuditReport> {
  const replay = new Replay(catalogue, network);
  const total = (await store.head()).seq;
  const report = (flaw?: AuditReport['flaw']): AuditReport => ({
    ok: flaw === undefined,
    entries: replay.head.seq,
    resources: [...replay.resources()].length,
    accounts: [...replay.accounts()].length,
    supply: replay.totals.supply,
    head: replay.head.chainHash,
    ...(flaw ? { flaw } : {}),
  });
  for (;;) {
    const page = await store.entries({ after: replay.head.seq, limit: pageSize });
    for (const entry of page) {
      const seq = replay.head.seq + 1;
      const what = flawOfEntry(replay, entry, store.inspection);
      if (what) return report({ seq, eventHash: entry.core?.event?.hash ?? null, what });
    }
    progress(replay.head.seq, total);
    if (page.length < pageSize) break;
  }
  const what =
    (await flawOfHead(store, replay)) ??
    (await flawOfResources(store, replay, catalogue)) ??
    (await flawOfLedger(store, replay)) ??
    (await flawOfReceipts(store));
  return report(what ? { seq: 0, eventHash: null, what } : undefined);
}

/** A text so damaged that it cannot be read is a flaw like any other. */
function flawOfEntry(replay: Replay, entry: NumberedEntry, inspection: Inspection | undefined): string | undefined {
  try {
    return replay.apply(entry) ?? inspection?.flawOfEntry(entry);
  } catch (error) {
    return `it cannot be replayed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function flawOfHead(store: StoreReader, replay: Replay): Promise<string | undefined> {
  const head = await store.head();
  const { seq, chainHash } = replay.head;
  return head.seq === seq && head.chainHash === chainHash
    ? undefined
    : `the journal ends at ${seq}, the store says ${head.seq}`;
}

async function flawOfResources(store: StoreReader, replay: Replay, catalogue: Catalogue): Promise<string | undefined> {
  const { inspection } = store;
  const counts = new Map<string, number>();
  for (const resource of replay.resources()) {
    const stored = await store.load(resource.kind, resource.id);
    if (!stored || canonical(stored) !== canonical(resource)) {
      return `the snapshot of ${resource.kind}/${resource.id} is not what its entries give`;
    }
    const definition = catalogue.definitions[resource.kind];
    const alarm = definition?.form === 'machine' ? definition.alarm(resource.state, resource.context as never) : null;
    const flaw = inspection?.flawOfResource(resource.kind, resource.id, alarm);
    if (flaw) return flaw;
    const key = `${resource.kind} ${resource.state}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const { kind, state, count } of await store.census()) {
    if (count !== (counts.get(`${kind} ${state}`) ?? 0))
      return `the store has ${count} ${kind} in ${state} and the journal others`;
  }
  // The accounts of the house have a row once something was withdrawn or minted.
  const accounts = [...replay.accounts()].filter(({ did, version }) => !isHouse(did) || version > 0);
  return inspection?.flawOfCounts([...replay.resources()].length, accounts.length);
}

async function flawOfLedger(store: StoreReader, replay: Replay): Promise<string | undefined> {
  let held = 0;
  for (const account of replay.accounts()) {
    // What the house holds lies in the totals; its rows count debits alone.
    const ofHouse = isHouse(account.did);
    const stored = (await store.account(account.did)) ?? (ofHouse ? unseenAccount(account.did) : undefined);
    const { seq: _, ...row } = stored ?? { seq: 0 };
    const { seq: __, ...given } = ofHouse ? { ...account, available: 0 } : account;
    if (canonical(row) !== canonical(given)) return `the account of ${account.did} is not what the entries give`;
    if (!ofHouse) held += account.available + account.reserved + account.escrowed;
  }
  const { supply, fees } = replay.totals;
  if (held + fees !== supply) return `balances and fees sum to ${held + fees}, the supply is ${supply}`;
  const totals = await store.totals();
  const sum = totals.available + totals.reserved + totals.escrowed + totals.fees;
  return totals.supply === supply && sum === supply
    ? undefined
    : `the ledger rows sum to ${sum}, the supply is ${supply}`;
}

async function flawOfReceipts(store: StoreReader): Promise<string | undefined> {
  let previous = noHash;
  for (let after = 0; ; ) {
    const page = await store.receipts(after, pageSize);
    for (const { number, prevReceipt, receiptHash, ...receipt } of page) {
      if (number !== after + 1 || prevReceipt !== previous) return `receipt ${number} does not follow the one before`;
      if (receiptHashOf(number, prevReceipt, receipt) !== receiptHash) return `receipt ${number} was changed`;
      previous = receiptHash;
      after = number;
    }
    if (page.length < pageSize) return undefined;
  }
}
