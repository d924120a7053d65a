/**
 * Proofs that a home has signed two journals. A proof is stored durably and passed on to all peers, and that home's
 * feed is not followed until an operator accepts one of the two journals. The node's own ledger needs no repair,
 * because nothing in it depends on the feed.
 */
import { Background } from '../core/background.js';
import { bounds } from '../core/bounds.js';
import type { JsonObject } from '../core/canonical.js';
import type { Environment } from '../core/environment.js';
import { type Refusal, refuse } from '../core/refusal.js';
import { putNewest } from '../store/local-record.js';
import type { LocalRecord, Store } from '../store/store.js';
import { type EquivocationProof, equivocationForm, parseForm, violationOfEquivocation } from './checkpoint.js';

/** A proof, how the node got it, and what the operator has decided. */
export interface Equivocation {
  readonly proof: EquivocationProof;
  /** DID of the peer that sent it, or the node's own if it found the contradiction itself. */
  readonly from: string;
  /** Epoch milliseconds. */
  readonly learntAt: number;
  /** The journal that the operator has accepted, by its chain hash at `proof.first.seq`. */
  readonly accepted?: { readonly chainHash: string; readonly at: number };
}

export interface EquivocationsOptions {
  readonly store: Pick<Store, 'listLocal' | 'getLocal' | 'putLocal'>;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
  /** False while the disk is nearly full: a failed write would end the node. */
  readonly hasRoom: () => boolean;
}

const table = 'peer-equivocations';
/** How often a full disk is checked again. */
const retryMs = 5_000;

/** The earlier of the two times, because a proof does not show which of the journals is not followed. */
const signedAtOf = ({ first, second }: EquivocationProof): number => Math.min(first.time, second.time);

/** The two chain hashes that the proof shows for the entry `proof.first.seq`. */
export const branchesOf = ({ first, second, links }: EquivocationProof): readonly [string, string] => [
  first.chainHash,
  links?.chainHash ?? second.chainHash,
];

function equivocationIn({ value }: Pick<LocalRecord, 'value'>): Equivocation | undefined {
  const proof = parseForm(equivocationForm, value.proof);
  return typeof proof === 'string' ? undefined : { ...(value as unknown as Equivocation), proof };
}

/** The stored proof against a home. */
export async function keptEquivocation(
  store: Pick<Store, 'getLocal'>,
  home: string,
): Promise<Equivocation | undefined> {
  const record = await store.getLocal(table, home);
  return record && equivocationIn(record);
}

export class Equivocations {
  readonly #known = new Map<string, Equivocation>();
  readonly #unsaved = new Set<string>();
  readonly #listeners = new Set<(found: Equivocation) => void>();
  readonly #saving: Background;

  private constructor(private readonly options: EquivocationsOptions) {
    const { world, log } = options;
    this.#saving = new Background({
      world,
      round: () => this.#save(),
      onFailure: (error) => log('a proof of equivocation is not on disk yet', { error: String(error) }),
    });
    this.#saving.start();
  }

  /** Reads the proofs that earlier runs have stored. */
  static async open(options: EquivocationsOptions): Promise<Equivocations> {
    const opened = new Equivocations(options);
    for (const record of await options.store.listLocal(table)) opened.#load(record);
    return opened;
  }

  #load(record: LocalRecord): void {
    const { id } = record;
    const found = equivocationIn(record);
    // A damaged record blocks no home, because its peers send the proof again.
    if (found) this.#known.set(id, found);
    else this.options.log('a kept proof of equivocation is unreadable', { home: id });
  }

  of(home: string): Equivocation | undefined {
    return this.#known.get(home);
  }

  all(): readonly Equivocation[] {
    return [...this.#known.values()];
  }

  /** Whether the proof of this home survives a restart. */
  isSaved(home: string): boolean {
    return this.#known.has(home) && !this.#unsaved.has(home);
  }

  /** Whether the home's feed may be followed: nothing is proven, or the operator has accepted one of its journals. */
  mayFollow(home: string): boolean {
    const found = this.#known.get(home);
    return found === undefined || found.accepted !== undefined;
  }

  /**
   * Whether the home is known to have signed two journals, so that another proof adds nothing.
   * @param signedAt when the home signed the journal that is not followed: what it signed before the operator's
   * decision is covered by that decision
   */
  isKnown(home: string, signedAt: number): boolean {
    const found = this.#known.get(home);
    return found !== undefined && (!found.accepted || signedAt <= found.accepted.at);
  }

  /**
   * Verifies, keeps and announces a parsed proof. It is written to disk later.
   * @returns `flaw`: why the proof doesn't hold
   */
  take(proof: EquivocationProof, from: string, signedAt = signedAtOf(proof)): 'new' | 'known' | { flaw: string } {
    const { home } = proof.first;
    if (this.isKnown(home, signedAt)) return 'known';
    if (!this.#known.has(home) && this.#known.size >= bounds.knownHomes) return 'known';
    const flaw = violationOfEquivocation(proof);
    if (flaw !== undefined) return { flaw };
    const found: Equivocation = { proof, from, learntAt: this.options.world.now() };
    this.#known.set(home, found);
    this.#keep(home);
    const { seq } = proof.first;
    this.options.log('a home has signed two journals: the node no longer follows it', { home, seq, from });
    for (const listener of this.#listeners) listener(found);
    return 'new';
  }

  /**
   * Records the operator's decision which of the two journals is accepted. It is on disk when this resolves, if the disk has
   * room. Rejects as the store does.
   * @param chainHash of entry `proof.first.seq` in that journal
   */
  async accept(home: string, chainHash: string): Promise<Refusal | Equivocation> {
    const found = this.#known.get(home);
    if (!found) return refuse('NOT_FOUND', `nothing is proven against ${home}`);
    if (!branchesOf(found.proof).includes(chainHash)) {
      const { seq } = found.proof.first;
      const [one, other] = branchesOf(found.proof);
      return refuse('INVALID_REQUEST', `the two journals have ${one} and ${other} at entry ${seq}: name one of them`);
    }
    const decided = { ...found, accepted: { chainHash, at: this.options.world.now() } };
    this.#known.set(home, decided);
    this.#keep(home);
    for (const listener of this.#listeners) listener(decided);
    await this.#save();
    return decided;
  }

  /** Calls the listener with each new proof and each decision. */
  listen(listener: (found: Equivocation) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when no write is in progress. What is not on disk by then is not written. */
  async stop(): Promise<void> {
    await this.#saving.stop();
  }

  #keep(home: string): void {
    this.#unsaved.add(home);
    this.#saving.wake();
  }

  async #save(): Promise<number | undefined> {
    const { store, hasRoom } = this.options;
    for (const home of [...this.#unsaved]) {
      if (!hasRoom()) return retryMs;
      const found = this.#known.get(home)!;
      await putNewest(store, table, home, found as unknown as JsonObject);
      if (this.#known.get(home) === found) this.#unsaved.delete(home);
    }
    return this.#unsaved.size > 0 ? 0 : undefined;
  }
}
