/**
 * Sends Tokens of other homes' residents home (docs/reference/remote-requests.md#tokens-go-home): what they have earned
 * here appears in their own wallets there. What is due follows from the ledgers, so a start looks through them again.
 */
import type { Environment, Timer } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { newId } from '../../core/new-id.js';
import { isRefusal } from '../../core/refusal.js';
import { residenceKind } from '../../machines/kernel/moved.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import type { ForeignHome } from '../reading/foreign.js';
import { residencesOf } from '../residences.js';
import { openRequests } from './open-requests.js';
import type { TradeOptions } from './trade-options.js';

/** The most DIDs that are remembered; a full memory is followed by a look through the ledger. */
const mostDue = 10_000;
const pageLength = 100;

type HomewardOptions = Pick<
  TradeOptions,
  'own' | 'homes' | 'write' | 'refusalOf' | 'isFollowing' | 'log' | 'holdsKey' | 'moved'
> & {
  readonly store: Pick<StoreReader, 'find' | 'load' | 'account' | 'accounts'>;
  readonly world: Environment;
  /** How long Tokens stay, and the least time between two requests for one DID, ms. */
  readonly afterMs: number;
  /** Sends so much to the home if its account there and the limit allow it. @returns whether they do */
  readonly pay: (home: ForeignHome, money: number, send: () => Promise<void>) => Promise<boolean>;
};

export class Homeward {
  /** DIDs that may have Tokens here, each with the monotonic time from which it is looked at. */
  readonly #due = new Map<string, number>();
  /** DIDs whose Tokens wait until this home's account at theirs has enough, by home. */
  readonly #short = new Map<string, Set<string>>();
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(private readonly options: HomewardOptions) {}

  /** Looks through the ledger, for what an earlier run has left. */
  start(): void {
    this.#run(async () => this.#lookThrough());
  }

  /** Call when an own entry is on disk. */
  committed({ core }: Pick<NumberedEntry, 'core'>): void {
    for (const [name, delta] of core.postings) {
      if (delta > 0 && name.startsWith('available/')) this.#note(name.slice('available/'.length));
    }
    this.#noteMoved(core);
  }

  /** Call when entries of another home were adopted: it may have a new resident, or this home more Tokens there. */
  adopted(home: string, entries: readonly Pick<NumberedEntry, 'core'>[]): void {
    for (const { core } of entries) {
      if (core.event.nonce === 1) this.#note(core.event.issuer);
      this.#noteMoved(core);
      const isPaid = core.postings.some(([name, delta]) => delta > 0 && name === `available/${this.options.own}`);
      if (isPaid) this.retry(home);
    }
  }

  /** Call when more may be sent to the home than before. */
  retry(home: string): void {
    for (const did of this.#short.get(home) ?? []) this.#note(did);
    this.#short.delete(home);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#running;
  }

  /** A DID has left this home, or come to another one. */
  #noteMoved({ versions }: Pick<NumberedEntry['core'], 'versions'>): void {
    for (const { kind, id } of versions) if (kind === residenceKind) this.#note(id);
  }

  #note(did: string): void {
    const { own, homes, world, afterMs } = this.options;
    if (did === own || this.#due.has(did) || homes.all().length === 0) return;
    if (this.#due.size < mostDue) this.#due.set(did, world.monotonic() + afterMs);
    this.#wait();
  }

  #wait(): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = this.options.world.after(this.options.afterMs, () => {
      this.#timer = undefined;
      this.#run(() => this.#sendDue());
    });
  }

  #run(work: () => Promise<void>): void {
    this.#running = (this.#running ?? Promise.resolve()).then(async () => {
      if (this.#isClosed) return;
      try {
        await work();
      } catch (error) {
        this.options.log('Tokens could not be sent home; the node will try again', { error: messageOf(error) });
      }
      if (this.#due.size > 0) this.#wait();
    });
  }

  async #lookThrough(): Promise<void> {
    const { store } = this.options;
    let after: string | undefined;
    do {
      const page = { limit: pageLength, offset: 0, ...(after === undefined ? {} : { after }) };
      const { items, next } = await store.accounts(page);
      for (const { did, nonce, available } of items) if (nonce === 0 && available > 0) this.#note(did);
      after = next ?? undefined;
    } while (after !== undefined && !this.#isClosed);
    for (const journal of [this.options, ...this.options.homes.all()]) await this.#lookForMoved(journal.store);
  }

  async #lookForMoved(store: Pick<StoreReader, 'find'>): Promise<void> {
    let after: string | undefined;
    do {
      const page = { limit: pageLength, offset: 0, ...(after === undefined ? {} : { after }) };
      const { items, next } = await store.find({ kind: residenceKind, page });
      // Most have nothing here, and would fill the memory with what is looked for again and again.
      for (const { id } of items) if ((await this.options.store.account(id))?.available) this.#note(id);
      after = next ?? undefined;
    } while (after !== undefined && !this.#isClosed);
  }

  async #sendDue(): Promise<void> {
    const wasFull = this.#due.size >= mostDue;
    const now = this.options.world.monotonic();
    for (const [did, from] of [...this.#due]) {
      if (this.#isClosed) return;
      if (from > now) continue;
      this.#due.delete(did);
      if (await this.#isLeft(did)) this.#due.set(did, now + this.options.afterMs);
    }
    if (wasFull) await this.#lookThrough();
  }

  /** Sends what the DID has here. @returns whether to look at it again later */
  async #isLeft(did: string): Promise<boolean> {
    const { own, store, homes, refusalOf, isFollowing, holdsKey } = this.options;
    const account = await store.account(did);
    if (!account || account.available === 0 || account.frozen) return false;
    const hasMoved = ((await this.options.moved?.of(did)) ?? []).length > 0;
    // The key of a DID that has left may still be here.
    if (!hasMoved && (await holdsKey?.(did))) return false;
    const [residence, second] = await residencesOf(did, [{ home: own, store }, ...homes.all()]);
    const home = second ? undefined : homes.all().find((each) => each.home === residence?.home);
    // A home's own account here pays for what its residents do here.
    if (!home || home.home === did) return false;
    // Nothing is sent to a home that is away: its operator may have given up what was sent before.
    if (refusalOf(home.home) || isFollowing?.(home.home) === false) return true;
    if (await any(openRequests(store, `owner:${did}`))) return true;
    // A request of its owner may count on these Tokens: they stay until it is closed.
    for await (const { context } of openRequests(home.store, `signer:${did}`)) if (context.home === own) return true;
    const { available } = account;
    if (await this.options.pay(home, available, () => this.#send(did, home.home, available))) return true;
    const short = this.#short.get(home.home) ?? new Set();
    this.#short.set(home.home, short.add(did));
    return false;
  }

  async #send(owner: string, home: string, money: number): Promise<void> {
    const { own, world, write, log } = this.options;
    const done = await write({
      ...{ kind: 'remote-request', id: newId(world, 'rem-'), action: 'create', ids: { escrow: newId(world, 'esc-') } },
      input: {
        ...{ home, kind: 'account', resource: own, action: 'transfer', input: { amount: money, to: owner } },
        ...{ owner, money },
      },
    });
    if (isRefusal(done)) log('Tokens could not be sent home', { owner, home, error: done.detail });
  }
}

async function any(found: AsyncGenerator<unknown>): Promise<boolean> {
  const { done } = await found.next();
  await found.return(undefined);
  return !done;
}
