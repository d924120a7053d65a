/**
 * Audits the stored copy of another home's journal (docs/auditing.md#other-homes): executes it again from its first
 * entry, as the follower did, and compares the stored resources and accounts with the result.
 */
import { canonical } from '../../core/canonical.js';
import { messageOf } from '../../core/error-message.js';
import { beat } from '../../core/threads.js';
import type { Resource } from '../../machines/kernel/definition.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import { isWithheld } from '../../machines/kernel/withheld.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { Account, StoreReader } from '../../store/store.js';
import type { AuditFlaw, AuditReport } from '../../verify/audit.js';
import { type EntryFinding, finding } from '../../verify/entry-text.js';
import { StateInMemory } from '../../verify/replay-state.js';
import { violationOfForm } from '../replica/core-form.js';
import { FeedReplay, type Revealed } from '../replica/feed-replay.js';

/** What an audit reads of a copy. */
export type CopyReader = Pick<StoreReader, 'head' | 'entries' | 'load' | 'account' | 'getLocal'>;

export interface CopyReport extends Omit<AuditReport, 'note'> {
  /** DID of the home. */
  readonly home: string;
  /** Entries whose payload this node may not read: their cores were checked, and their steps could not be run again. */
  readonly withheld: number;
}

export interface CopyAuditOptions {
  readonly home: string;
  readonly catalogue: Catalogue;
  readonly network: string;
  /** Called with each valid entry and the state after it. */
  readonly saw?: (entry: NumberedEntry, after: CopyReplay) => void;
  readonly progress?: (done: number, total: number) => void;
}

const pageSize = 500;

/** A feed's execution with all of its state in memory. */
export class CopyReplay extends FeedReplay<StateInMemory> {
  constructor({ home, catalogue, network }: Pick<CopyAuditOptions, 'home' | 'catalogue' | 'network'>) {
    super(new StateInMemory(), { catalogue, network, home });
  }

  get resources(): ReadonlyMap<string, Resource> {
    return this.state.resources;
  }

  get accounts(): ReadonlyMap<string, Account> {
    return this.state.accounts;
  }

  get supply(): number {
    return 0 - this.state.system.supply;
  }
}

export async function auditCopy(store: CopyReader, options: CopyAuditOptions): Promise<CopyReport> {
  const replay = new CopyReplay(options);
  const counts = { withheld: 0 };
  const flaw = await flawIn(store, replay, { ...options, counts });
  return {
    ok: flaw === undefined,
    home: options.home,
    entries: replay.head.seq,
    resources: replay.resources.size,
    accounts: replay.accounts.size,
    supply: replay.supply,
    head: replay.head.chainHash,
    withheld: counts.withheld,
    ...(flaw ? { flaw } : {}),
  };
}

interface Counting extends CopyAuditOptions {
  readonly counts: { withheld: number };
}

async function flawIn(store: CopyReader, replay: CopyReplay, options: Counting): Promise<AuditFlaw | undefined> {
  const { saw, progress, counts } = options;
  const head = await store.head();
  while (replay.head.seq < head.seq) {
    const limit = Math.min(pageSize, head.seq - replay.head.seq);
    const page = await store.entries({ after: replay.head.seq, limit });
    for (const entry of page) {
      const seq = replay.head.seq + 1;
      const found = await findingIn(entry, replay, store);
      if (found) return { seq, eventHash: entry.core?.event?.hash ?? null, check: found.check, what: found.what };
      beat();
      if (entry.payload === null) counts.withheld++;
      saw?.(entry, replay);
    }
    progress?.(replay.head.seq, head.seq);
    if (page.length < limit) break;
  }
  const { seq, chainHash } = replay.head;
  if (seq !== head.seq || chainHash !== head.chainHash) {
    return ofNoEntry('head', `the copy ends at ${seq}, the store says ${head.seq}`);
  }
  return ofNoEntry('projection', await violationOfProjections(store, replay));
}

const ofNoEntry = (check: AuditFlaw['check'], what: string | undefined): AuditFlaw | undefined =>
  what === undefined ? undefined : { seq: 0, eventHash: null, check, what };

/** Checks an entry. One whose text cannot be read is a violation as well. */
async function findingIn(
  entry: NumberedEntry,
  replay: CopyReplay,
  store: CopyReader,
): Promise<EntryFinding | undefined> {
  try {
    const malformed = finding('form', violationOfForm(entry));
    return malformed ?? replay.examineFed({ entry, revealed: await revealedBy(entry, replay, store) }, undefined);
  } catch (error) {
    return { check: 'form', what: `it cannot be executed: ${messageOf(error)}` };
  }
}

/**
 * The states that came with the entry. A copy keeps the newest state of each resource only; the entry that made it
 * proves it by its stateHash.
 */
async function revealedBy(
  { core, payload }: NumberedEntry,
  replay: CopyReplay,
  store: CopyReader,
): Promise<readonly Revealed[]> {
  if (payload && !replay.namesWithheld(core)) return [];
  const revealed: Revealed[] = [];
  for (const { kind, id, version } of core.versions) {
    const found = await store.load(kind, id);
    if (found?.version !== version || isWithheld(found.context)) continue;
    revealed.push({ kind, id, state: found.state, context: found.context });
  }
  return revealed;
}

/** Compares the stored rows, except those that a follower has written since. */
async function violationOfProjections(store: CopyReader, replay: CopyReplay): Promise<string | undefined> {
  for (const [name, resource] of replay.resources) {
    beat();
    const stored = await store.load(resource.kind, resource.id);
    const isLater = stored !== undefined && stored.version > resource.version;
    if (!isLater && textOf(stored) !== textOf(resource)) return `the snapshot of ${name} is not what its entries give`;
  }
  for (const [did, account] of replay.accounts) {
    const stored = await store.account(did);
    const isLater = stored !== undefined && stored.seq > replay.head.seq;
    if (!isLater && textOf(stored) !== textOf(account)) return `the account of ${did} is not what the entries give`;
  }
  return undefined;
}

const textOf = (row: Resource | Account | undefined): string | undefined => row && canonical(row);
