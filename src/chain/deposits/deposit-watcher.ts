/**
 * Credits what is deposited in the vault, once it has its confirmations: follows the chain by ranges of blocks, with a
 * cursor in the store. Reading a range twice does no harm, as a deposit's number is a unique key of the journal; so a
 * chain that turned back is simply read again from further down.
 */
import { didOf, parseDid } from '../../keys/did.js';
import type { Refusal } from '../../machines/kernel/refusal.js';
import { maxTokens } from '../../machines/kernel/scalar.js';
import type { Store } from '../../store/store.js';
import type { World } from '../../world.js';
import { Rounds } from '../rounds.js';
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
  /** Brings a deposit into the ledger; CONFLICT where that was done before. */
  readonly credit: (credit: Credit) => Promise<Refusal | undefined>;
  /** Blocks from the one with the deposit to the newest, both counted, before it is credited. */
  readonly confirmations: number;
  /** Where the vault was made: nothing was deposited before. */
  readonly fromBlock: number;
  /** Whether this process watches, where several share a store. */
  readonly mine?: () => Promise<boolean>;
  readonly world: World;
  readonly log: (message: string, detail: object) => void;
}

const table = 'chain';
const cursorId = 'deposits';
/** Deposits that can't be credited, by their number. */
const stuckTable = 'stuck-deposits';
const restMs = 2_000;
/** How far to go back where the block at the cursor is another one now, or gone. */
const rewindBlocks = 256;
/** The cursor is stored after so many blocks without a deposit. */
const storeEveryBlocks = 1_000;

/** All blocks up to this one were looked at. */
interface Cursor {
  readonly block: number;
  readonly hash: string | null;
}

export class DepositWatcher {
  readonly #rounds: Rounds;
  readonly #range = new BlockRange();
  #cursor: Cursor | undefined;
  #stored = Number.NEGATIVE_INFINITY;
  /** The newest number that was dealt with, or was missed and looked for from the beginning. */
  #lookedFor = 0;
  /** What was logged last, so that a chain that is away for an hour is told of once. */
  #trouble = '';

  constructor(private readonly options: DepositWatcherOptions) {
    const onFailure = (error: unknown) => this.#complain(error instanceof Error ? error.message : String(error));
    this.#rounds = new Rounds({ world: options.world, restMs, round: () => this.look(), onFailure });
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    if (this.#cursor && this.#cursor.block !== this.#stored) await this.#store(this.#cursor);
  }

  /** Looks at all blocks that have their confirmations and were not looked at. Rejects as the source does. */
  async look(): Promise<void> {
    const { source, confirmations, mine } = this.options;
    if (mine && !(await mine())) {
      // Another process moves the cursor now.
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

  /** Whether the block at the cursor is still the one that was looked at. */
  async #isOnChain({ block, hash }: Cursor): Promise<boolean> {
    return hash === null || (await this.options.source.blockHash(block)) === hash;
  }

  #rewound({ block }: Cursor, last: number): Cursor {
    const { confirmations } = this.options;
    return this.#goBack(Math.min(block, last) - Math.max(rewindBlocks, 4 * confirmations));
  }

  #goBack(block: number): Cursor {
    const back = Math.max(block, this.options.fromBlock - 1);
    this.options.log('the chain has turned back: its deposits are looked at again', { fromBlock: back + 1 });
    this.#cursor = { block: back, hash: null };
    return this.#cursor;
  }

  /** One range of blocks. @returns undefined where a deposit has to wait, and everything behind it with it */
  async #read(cursor: Cursor, last: number): Promise<Cursor | undefined> {
    const { source } = this.options;
    const { to, answer } = await this.#range.ask(cursor.block + 1, last, async (from, to) => {
      const hash = await source.blockHash(to);
      const made = await source.made(from, to);
      // What was read belongs to a chain that was the same before and after.
      return (await source.blockHash(to)) === hash ? { hash, made } : undefined;
    });
    if (!answer?.hash) return undefined;
    for (const deposit of answer.made) {
      if (await this.#isMissed(deposit.ref - 1)) return this.#goBack(-1);
      if (!(await this.#dealWith(deposit))) return undefined;
      this.#lookedFor = Math.max(this.#lookedFor, deposit.ref);
    }
    const next: Cursor = { block: to, hash: answer.hash };
    this.#cursor = next;
    if (answer.made.length > 0 || to - this.#stored >= storeEveryBlocks) await this.#store(next);
    return next;
  }

  /** Numbers have no gaps, so one that was never seen lies further down. Looked for once, as it may not be told of. */
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

  /** @returns false where it has to be tried again */
  async #dealWith({ ref, account, amount, txHash }: DepositMade): Promise<boolean> {
    const { store, source, credit, log } = this.options;
    if (await this.#isKnown(ref)) return true;
    const did = parseDid(didOf(Buffer.from(account, 'hex')));
    if (did === undefined || amount > maxTokens) {
      const why = did === undefined ? 'its account is no key that a DID can have' : 'it is more than 2^53-1 Tokens';
      await store.putLocal(stuckTable, String(ref), { account, amount, why }, 0);
      log('a deposit cannot be credited', { ref, account, amount, why });
      return true;
    }
    const waiting = await source.waiting(ref);
    if (waiting?.account !== account || waiting.amount !== amount) {
      this.#complain(`deposit ${ref} is in a log of the chain, and the vault has no such one`);
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

  async #load(): Promise<Cursor> {
    const record = await this.options.store.getLocal(table, cursorId);
    const found = record?.value as unknown as Cursor | undefined;
    this.#cursor = found ?? { block: this.options.fromBlock - 1, hash: null };
    this.#stored = this.#cursor.block;
    return this.#cursor;
  }

  /** Whoever wrote in between has looked as far, or will look again. */
  async #store(cursor: Cursor): Promise<void> {
    const { store } = this.options;
    const record = await store.getLocal(table, cursorId);
    await store.putLocal(table, cursorId, { ...cursor }, record?.revision ?? 0);
    this.#stored = cursor.block;
  }
}
