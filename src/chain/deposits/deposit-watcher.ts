/**
 * Credits deposits in the vault after their confirmations. Follows the chain by ranges of blocks, with a cursor in the
 * store. A deposit's number is a unique key of the journal, so a range may be read twice: after a reorg the watcher moves
 * the cursor back and reads again.
 */
import { Background } from '../../core/background.js';
import { didOf, parseDid } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { Refusal } from '../../core/refusal.js';
import { maxTokens } from '../../core/schema/scalar.js';
import type { Store } from '../../store/store.js';
import { BlockRange, type DepositMade, type DepositSource } from './deposit-source.js';

export interface Credit {
  readonly did: string;
  readonly amount: number;
  /** The vault's number of the deposit. */
  readonly ref: number;
}

export interface DepositWatcherOptions {
  readonly source: DepositSource;
  readonly store: Pick<Store, 'load' | 'getLocal' | 'putLocal'>;
  /** Credits a deposit to the ledger; CONFLICT when it was credited before. */
  readonly credit: (credit: Credit) => Promise<Refusal | undefined>;
  /** Blocks from the deposit's to the newest, both included, before it is credited. */
  readonly confirmations: number;
  /** Whether this process holds the lease to watch; absent when it owns its store alone. */
  readonly mine?: () => Promise<boolean>;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
}

const table = 'chain';
const cursorId = 'deposits';
const stuckTable = 'stuck-deposits';
const restMs = 2_000;
/** Blocks by which the cursor moves back when its block was replaced by a reorg. */
const rewindBlocks = 256;
/** Blocks without a deposit after which the cursor is stored. */
const storeEveryBlocks = 1_000;

interface DepositCursor {
  readonly block: number;
  readonly hash: string | null;
}

export class DepositWatcher {
  readonly #rounds: Background;
  readonly #range = new BlockRange();
  #cursor: DepositCursor | undefined;
  #stored = Number.NEGATIVE_INFINITY;
  /** The newest deposit number that was handled, or was missing and already searched for. */
  #lookedFor = 0;
  /** The last logged problem, so that a long outage is logged once. */
  #trouble = '';

  constructor(private readonly options: DepositWatcherOptions) {
    const onFailure = (error: unknown) => this.#complain(messageOf(error));
    const round = () => this.look().then(() => restMs);
    this.#rounds = new Background({ world: options.world, round, onFailure });
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    if (this.#cursor && this.#cursor.block !== this.#stored) await this.#store(this.#cursor);
  }

  /** Reads all confirmed blocks behind the cursor. Rejects as the source does. */
  async look(): Promise<void> {
    const { source, confirmations, mine } = this.options;
    if (mine && !(await mine())) {
      // Another process has the lease and moves the cursor.
      this.#cursor = undefined;
      return;
    }
    const last = (await source.newestBlock()) - confirmations + 1;
    let cursor = this.#cursor ?? (await this.#load());
    if (cursor.block === last) return;
    if (!(await this.#isOnChain(cursor))) cursor = this.#rewound(cursor, last);
    while (cursor.block < last) {
      const next = await this.#read(cursor, last);
      if (!next) return;
      cursor = next;
    }
    this.#trouble = '';
  }

  async #isOnChain({ block, hash }: DepositCursor): Promise<boolean> {
    return hash === null || (await this.options.source.blockHash(block)) === hash;
  }

  #rewound({ block }: DepositCursor, last: number): DepositCursor {
    const { confirmations } = this.options;
    return this.#goBack(Math.min(block, last) - Math.max(rewindBlocks, 4 * confirmations));
  }

  #goBack(block: number): DepositCursor {
    const back = Math.max(block, -1);
    this.options.log('the chain was reorganised: the node checks its deposits again', { fromBlock: back + 1 });
    this.#cursor = { block: back, hash: null };
    return this.#cursor;
  }

  /** Reads one range of blocks. @returns undefined when a deposit must wait, and all later ones with it */
  async #read(cursor: DepositCursor, last: number): Promise<DepositCursor | undefined> {
    const { source } = this.options;
    const { to, answer } = await this.#range.ask(cursor.block + 1, last, async (from, to) => {
      const hash = await source.blockHash(to);
      const made = await source.made(from, to);
      // The range is valid only if no reorg happened while it was read.
      return (await source.blockHash(to)) === hash ? { hash, made } : undefined;
    });
    if (!answer?.hash) return undefined;
    for (const deposit of answer.made) {
      if (await this.#isMissed(deposit.ref - 1)) return this.#goBack(-1);
      if (!(await this.#dealWith(deposit))) return undefined;
      this.#lookedFor = Math.max(this.#lookedFor, deposit.ref);
    }
    const next: DepositCursor = { block: to, hash: answer.hash };
    this.#cursor = next;
    if (answer.made.length > 0 || to - this.#stored >= storeEveryBlocks) await this.#store(next);
    return next;
  }

  /** Numbers have no gaps, so a missing one lies in an earlier block. Searched once, because the provider may not report it. */
  async #isMissed(ref: number): Promise<boolean> {
    if (ref <= this.#lookedFor || ref === 0 || (await this.#isKnown(ref))) return false;
    this.#lookedFor = ref;
    return true;
  }

  async #isKnown(ref: number): Promise<boolean> {
    const { store } = this.options;
    return (
      ((await store.load('deposit', String(ref))) ?? (await store.getLocal(stuckTable, String(ref)))) !== undefined
    );
  }

  /** @returns false when the credit must be retried */
  async #dealWith({ ref, account, amount, txHash }: DepositMade): Promise<boolean> {
    const { store, source, credit, log } = this.options;
    if (await this.#isKnown(ref)) return true;
    const did = parseDid(didOf(Buffer.from(account, 'hex')));
    if (did === undefined || amount > maxTokens) {
      const why = did === undefined ? 'its account is not a key that a DID can have' : 'it is more than 2^53-1 Tokens';
      await store.putLocal(stuckTable, String(ref), { account, amount, why }, 0);
      log('a deposit cannot be credited', { ref, account, amount, why });
      return true;
    }
    const waiting = await source.waiting(ref);
    if (waiting?.account !== account || waiting.amount !== amount) {
      this.#complain(`deposit ${ref} is in a log of the chain, but the vault has no such deposit`);
      return false;
    }
    const refusal = await credit({ did, amount, ref });
    if (refusal && refusal.code !== 'CONFLICT') {
      this.#complain(`deposit ${ref} is not credited yet: ${refusal.detail}`);
      return false;
    }
    log('a deposit was credited', { ref, did, amount, txHash });
    return true;
  }

  #complain(trouble: string): void {
    if (trouble !== this.#trouble) this.options.log('deposits wait', { trouble });
    this.#trouble = trouble;
  }

  async #load(): Promise<DepositCursor> {
    const record = await this.options.store.getLocal(table, cursorId);
    const found = record?.value as unknown as DepositCursor | undefined;
    this.#cursor = found ?? { block: -1, hash: null };
    this.#stored = this.#cursor.block;
    return this.#cursor;
  }

  /** If another process writes first, this is not stored: the blocks are read again, which credits nothing twice. */
  async #store(cursor: DepositCursor): Promise<void> {
    const { store } = this.options;
    const record = await store.getLocal(table, cursorId);
    await store.putLocal(table, cursorId, { ...cursor }, record?.revision ?? 0);
    this.#stored = cursor.block;
  }
}
