/**
 * Pays onward what this node's own DID was sent for that (docs/reference/other-homes.md#tokens-between-homes): at another
 * home as an act of the node's key, at this one as an ordinary write. What cannot be paid is given back. Both journals say
 * what was paid; the local records only save reading them whole.
 */
import PQueue from 'p-queue';
import { ApiError, SigningError, UnreachableError } from '../../../packages/client/src/errors.js';
import type { Query } from '../../../packages/client/src/http.js';
import type { Accepted, Command } from '../../actors/command.js';
import type { Committed } from '../../actors/committed.js';
import { Background } from '../../core/background.js';
import { onwardBounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import type { Log } from '../../core/log.js';
import { isRefusal, type Refusal, RefusedError, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { Signer } from '../../keys/signing.js';
import {
  type Onward,
  type OnwardOf,
  onwardId,
  onwardInput,
  onwardKind,
  onwardOfInput,
} from '../../machines/account/onward.js';
import type { NumberedEntry } from '../../store/entry.js';
import { putNewest } from '../../store/local-record.js';
import type { Store } from '../../store/store.js';
import type { Acts } from './acts.js';

export interface PayerOptions {
  readonly store: Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal' | 'listLocal' | 'history' | 'entryByEvent'>;
  readonly committed: Pick<Committed, 'resource'>;
  readonly world: Environment;
  readonly log: Log;
  /** The node's own key. Its DID is also this home. */
  readonly signer: Signer;
  readonly acts: Acts;
  readonly execute: (command: Command) => Promise<Accepted | Refusal>;
  readonly isFollowed: (home: string) => boolean;
  /** Tokens of each home that this node takes in at most, beyond those that it has paid out for this home's. */
  readonly limits: () => ReadonlyMap<string, number>;
}

/** A transfer to this node that is neither paid onward nor given back. */
interface Received {
  /** Where it was made. */
  readonly home: string;
  readonly event: string;
  readonly seq: number;
  readonly from: string;
  readonly amount: number;
  /** What it asks for. */
  readonly onward: Onward;
  /** Whether an act for it may have been sent. */
  readonly isSent?: boolean;
  /** Why it is given back; absent while it may still be paid. */
  readonly back?: string;
}

/** How far the transfers of this node's DID were read, by home. */
interface Progress {
  readonly read: { readonly [home: string]: number };
  /** Tokens paid here for those of another home, less those received here to be paid there, by home. */
  readonly net: { readonly [home: string]: number };
}

/** A transfer from this node's DID, or to it. */
interface SeenTransfer extends Omit<Received, 'onward'> {
  readonly to: string;
  readonly onward?: Onward | undefined;
  readonly onwardOf?: OnwardOf | undefined;
}

/** The transfers of a DID at a home since an entry, newest first. */
interface UnreadTransfers {
  transfers: SeenTransfer[];
  /** Numbers of entries: the newest of all, and the oldest that was read. */
  newest: number;
  oldest: number;
  /** Where the next page begins. */
  next: string | undefined;
  /** When it began, by the monotonic clock. */
  readonly since: number;
  /** How many transfers make it look for those that it need not keep. */
  full: number;
}

interface SeenPage {
  readonly transfers: readonly SeenTransfer[];
  /** Numbers of entries; 0 without one. */
  readonly newest: number;
  readonly oldest: number;
  readonly next: string | null;
}

/** Undefined while it is unknown whether something is paid. */
type PaidOutcome = 'paid' | { readonly refused: string } | undefined;

const table = 'onward';
const progress = 'onward-read';

const nameOf = ({ home, event }: OnwardOf): string => `${home} ${event}`;

const party = is.nullable(is.text(200, 1));
const seenTransaction = {
  ...{ eventHash: is.hash, seq: is.integer(1), op: is.text(64, 1), from: party, to: party },
  ...{ amount: is.integer(0), onward: is.optional(onwardInput), onwardOf: is.optional(onwardOfInput) },
};
const shownPage = is.openObject({
  transactions: is.list(is.leavingOthers(is.openObject(seenTransaction)), 0, onwardBounds.page),
  pagination: is.openObject({ after: is.nullable(is.text(1_024, 1)) }),
});

export class OnwardPayer {
  readonly #rounds: Background;
  /** What reads and writes the records, and decides by them, one at a time. */
  readonly #turn = new PQueue({ concurrency: 1 });
  /** Homes with which transfers are being paid on: one does not wait for another. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Readings that have not come to what was read before. A home can take longer than a round to show all. */
  readonly #readings = new Map<string, UnreadTransfers>();
  /** When the last whole reading of each home began. */
  readonly #readAt = new Map<string, number>();
  /** What is neither paid nor given back though it could be: each was warned of once. */
  readonly #stuck = new Map<string, Received>();
  /** The newest transfer of each home when this process read it first. */
  readonly #first = new Map<string, number>();
  /** Homes to be read though they have no limit. */
  readonly #asked = new Set<string>();
  readonly #startedAt: number;
  #delayMs: number = onwardBounds.firstMs;
  #isOver = false;

  constructor(private readonly options: PayerOptions) {
    const { world, log } = options;
    this.#startedAt = world.monotonic();
    this.#rounds = new Background({
      world,
      round: () => this.#round(),
      onFailure: (err) => log.error({ err }, 'transfers to this node cannot be paid onward'),
    });
    options.acts.listen(({ event, payload }) => {
      if (payload.input.to === this.#own) this.look(event.home);
    });
  }

  start(): void {
    this.#rounds.start();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#rounds.stop();
    await Promise.all(this.#underWay.values());
  }

  /** Looks at a home soon, because a transfer to this node may be there. */
  look(home: string): void {
    if (home !== this.#own) this.#asked.add(home);
    this.#delayMs = onwardBounds.firstMs;
    this.#rounds.wake();
  }

  /** Sees an entry of the own journal. */
  saw({ payload }: NumberedEntry): void {
    const { to, onward } = payload?.kind === 'account' ? (payload.input as { to?: string; onward?: Onward }) : {};
    if (onward && to === this.#own) this.look(onward.home);
  }

  /**
   * The refusal of a transfer to this node that it would give back.
   * @param home where it would be made
   */
  async refusal(home: string, { to, amount, onward }: Partial<JsonObject>): Promise<Refusal | undefined> {
    if (to !== this.#own || onward === undefined) return undefined;
    const at = (onward as unknown as Onward).home;
    if (home !== this.#own) return this.#turn.add(() => this.#refusalOfCashing(home, at, amount as number));
    if (at === this.#own || !this.options.isFollowed(at))
      return refuse('UNPROCESSABLE', `onward.home: this node does not follow ${at}`);
    if ((await this.#open()).length >= onwardBounds.open)
      return refuse('SERVICE_UNAVAILABLE', 'too many transfers wait to be paid onward', { retryAfter: 60 });
    const balance = await this.#ask<{ available: number }>(at, `/wallets/${this.#own}`).catch((error) => {
      if (!isUnsure(error)) throw error;
      return undefined;
    });
    if (balance === undefined)
      return refuse('SERVICE_UNAVAILABLE', `the home ${at} has not answered`, { retryAfter: 5 });
    return balance.available < (amount as number)
      ? refuse('UNPROCESSABLE', `onward: this node has ${balance.available} Tokens at ${at}`)
      : undefined;
  }

  /** For the operator: what is neither paid nor given back. */
  get problem(): string | undefined {
    const stuck = [...this.#stuck.values()];
    const sum = stuck.reduce((total, { amount }) => total + amount, 0);
    const what = stuck.length === 1 ? 'a transfer' : `${stuck.length} transfers`;
    return sum === 0
      ? undefined
      : `${what} of ${sum} Tokens to this node can be neither paid onward nor given back now: see the log`;
  }

  /** Tokens that a DID has sent this node and that are neither paid onward nor given back, by the home where it has sent them. */
  async waiting(did: string): Promise<ReadonlyMap<string, number>> {
    const sums = new Map<string, number>();
    for (const { home, from, amount } of await this.#open())
      if (from === did) sums.set(home, (sums.get(home) ?? 0) + amount);
    return sums;
  }

  get #own(): string {
    return this.options.signer.did;
  }

  async #refusalOfCashing(home: string, at: string, amount: number): Promise<Refusal | undefined> {
    if (at !== this.#own) return refuse('UNPROCESSABLE', `onward.home: this node pays at ${this.#own} only`);
    await this.#readHere();
    const { read, net } = await this.#progress();
    // A process that begins after this one looks there: the transfer may be made without an answer.
    if (read[home] === undefined) await this.#advance({ read: { ...read, [home]: 0 }, net });
    const limit = this.options.limits().get(home) ?? 0;
    const left = limit - (await this.#takenIn(home));
    return left < amount
      ? refuse('UNPROCESSABLE', `onward: this node takes in ${Math.max(0, left)} Tokens of ${home} now`)
      : undefined;
  }

  async #round(): Promise<number> {
    const isFirst = !this.#first.has(this.#own);
    await this.#turn.add(() => this.#readHere());
    const limits = this.options.limits();
    const { net, read } = await this.#progress();
    if (isFirst) for (const home of Object.keys(read)) this.look(home);
    // Also those of which no more is taken in: what is sent there for this home is given back.
    const homes = new Set([...this.#asked, ...limits.keys(), ...Object.keys(net)]);
    const open = await this.#open();
    for (const each of open) homes.add(peerIn(each, this.#own));
    for (const home of homes) this.#begin(home);
    const delayMs = open.length > 0 || this.#asked.size > 0 ? this.#delayMs : onwardBounds.longestMs;
    this.#delayMs = Math.min(2 * this.#delayMs, onwardBounds.longestMs);
    return delayMs;
  }

  #begin(home: string): void {
    if (this.#underWay.has(home)) return;
    const ended = this.#payOn(home).finally(() => this.#underWay.delete(home));
    this.#underWay.set(home, ended);
  }

  async #open(): Promise<readonly Received[]> {
    return (await this.options.store.listLocal(table)).map(({ value }) => value as unknown as Received);
  }

  /** Pays on, or gives back, what was received at this home for another one, and there for this one. */
  async #payOn(home: string): Promise<void> {
    const isFollowed = this.options.isFollowed(home);
    const isAsked = this.#asked.delete(home);
    try {
      if (isFollowed) await this.#readThere(home);
      const open = (await this.#open()).filter((each) => peerIn(each, this.#own) === home);
      for (const each of open.toSorted((one, other) => one.seq - other.seq)) {
        if (this.#isOver) return;
        if (each.home !== this.#own) await this.#settleThere(each);
        else if (isFollowed) await this.#settleHere(each);
        else if (!each.isSent && this.#isNew(each))
          await this.#giveBackHere(each, 'this node does not follow that home');
      }
    } catch (error) {
      if (isAsked && isFollowed) this.#asked.add(home);
      const level = isUnsure(error) ? 'debug' : 'error';
      this.options.log[level]({ err: error, home }, 'transfers between this home and another are not paid on yet');
    }
  }

  /** Something that was received here: it is paid there, or given back here. */
  async #settleHere(each: Received): Promise<void> {
    if (await this.#isPaidHere(each)) return this.#close(each);
    const { home, event, amount, onward } = each;
    const payment = { to: onward.to, amount, onwardOf: { home, event } };
    const outcome = await this.#payThere(onward.home, payment, () => this.#put({ ...each, isSent: true }));
    if (outcome === 'paid') return this.#close(each);
    if (outcome !== undefined && this.#isNew(each)) await this.#giveBackHere(each, outcome.refused);
  }

  #giveBackHere(each: Received, why: string): Promise<void> {
    return this.#turn.add(async () => {
      const { home, event, amount, from, onward, seq } = each;
      await this.#readHere();
      // Without its records the node may have paid this, and a home that hides it could have everything given back.
      const isOld = seq <= (this.#first.get(home) ?? Number.POSITIVE_INFINITY);
      const isOver = (await this.#takenIn(onward.home)) > (this.options.limits().get(onward.home) ?? 0);
      if (isOld && isOver) {
        this.#warn(each, `${why}; it is not given back, because that is above the limit`);
        return;
      }
      const refused = await this.#payHere({ to: from, amount, memo: memoOf(why), onwardOf: { home, event } });
      if (!refused || (await this.#isPaidHere(each))) return this.#close(each);
      this.#warn(each, refused.detail);
    });
  }

  /** Something that was received there: it is paid here, or given back there. */
  async #settleThere(each: Received): Promise<void> {
    if (!this.#isNew(each)) return;
    const cashed = each.back === undefined ? await this.#turn.add(() => this.#cashed(each)) : { refused: each.back };
    if (cashed === 'paid') return this.#close(each);
    if (cashed === undefined) return;
    const why = cashed.refused;
    // First: once it may have been given back, it is never paid.
    await this.#put({ ...each, back: why });
    const { home, event, amount, from } = each;
    const outcome = await this.#payThere(home, { to: from, amount, memo: memoOf(why), onwardOf: { home, event } });
    if (outcome === 'paid') return this.#close(each);
    if (outcome !== undefined) this.#warn(each, outcome.refused);
  }

  #warn(each: Received, why: string): void {
    const { home, event, onward } = each;
    if (this.#stuck.has(nameOf(each))) return;
    this.#stuck.set(nameOf(each), each);
    this.options.log.warn(
      { event, at: home, for: onward.home, why },
      'a transfer is neither paid onward nor given back',
    );
  }

  async #cashed(each: Received): Promise<PaidOutcome> {
    if (await this.#isPaidHere(each)) return 'paid';
    const { home, event, amount, onward } = each;
    const over = await this.#refusalOfCashing(home, onward.home, amount);
    if (over) return { refused: over.detail };
    const refused = await this.#payHere({ to: onward.to, amount, onwardOf: { home, event } });
    if (!refused || (await this.#isPaidHere(each))) return 'paid';
    return isFinal(refused.status) ? { refused: refused.detail } : undefined;
  }

  async #payHere(input: JsonObject): Promise<Refusal | undefined> {
    const { signer, execute } = this.options;
    const payment = { kind: 'account', id: signer.did, action: 'transfer', input } as const;
    const accepted = await execute({ ...payment, signer: signer.did, unlock: () => signer });
    return isRefusal(accepted) ? accepted : undefined;
  }

  /** @param before called before anything is signed */
  async #payThere(home: string, body: JsonObject, before?: () => Promise<void>): Promise<PaidOutcome> {
    const { signer, acts, world } = this.options;
    const { nextNonce } = await this.#ask<{ nextNonce: number }>(home, `/wallets/${signer.did}`);
    await before?.();
    const until = world.now() + onwardBounds.lifeMs;
    const options = { nonce: nextNonce, most: body.amount as number, until };
    try {
      const reply = await acts.act({ home, signer, path: '/transfers', body, options });
      return isRefusal(reply) ? undefined : 'paid';
    } catch (error) {
      // The home has answered: others may be paid.
      if (!(error instanceof ApiError)) throw error;
      const isSure = !('write' in error) && error.refusal !== undefined && isFinal(error.status);
      return isSure ? { refused: error.message } : undefined;
    }
  }

  /** The id is this node's claim: its own journal has it once this was paid, or given back, here. */
  async #isPaidHere(each: OnwardOf): Promise<boolean> {
    return (await this.options.committed.resource(onwardKind, onwardId(this.#own, each))) !== undefined;
  }

  /** Whether no earlier process can have acted on it unknown to this one, which may have lost its records. */
  #isNew({ home, seq }: Received): boolean {
    const isLater = seq > (this.#first.get(home) ?? Number.POSITIVE_INFINITY);
    const readAt = this.#readAt.get(home) ?? Number.NEGATIVE_INFINITY;
    return isLater || readAt >= this.#startedAt + 2 * onwardBounds.lifeMs;
  }

  /** Tokens of the home beyond those that were paid out there. What is still to be paid there does not count. */
  async #takenIn(home: string): Promise<number> {
    const { net } = await this.#progress();
    const open = (await this.#open()).filter((each) => each.home === this.#own && each.onward.home === home);
    return open.reduce((sum, { amount }) => sum + amount, net[home] ?? 0);
  }

  async #readHere(): Promise<void> {
    const own = this.#own;
    const { read, net } = await this.#progress();
    const { newest, transfers } = await this.#newer(own, read[own], (after) => this.#pageHere(after));
    if (newest === read[own]) return;
    const sums: { [home: string]: number } = { ...net };
    const add = (home: string, amount: number) => {
      sums[home] = (sums[home] ?? 0) + amount;
    };
    for (const each of transfers) {
      const { to, onward, onwardOf, amount } = each;
      if (to === own && onward) {
        add(onward.home, -amount);
        await this.#receive(each, onward);
      } else if (to !== own && onwardOf) {
        if (onwardOf.home !== own) add(onwardOf.home, amount);
        // It was given back: it is not received any more.
        const given = onwardOf.home === own && (await this.options.store.entryByEvent(onwardOf.event));
        const asked = given && (given.payload?.input.onward as Onward | undefined);
        if (asked) add(asked.home, amount);
      }
    }
    await this.#advance({ read: { ...read, [own]: newest }, net: sums });
  }

  async #readThere(home: string): Promise<void> {
    const known = (await this.#progress()).read[home];
    const { newest, transfers } = await this.#newer(home, known, (after) => this.#pageThere(home, after));
    if (newest === known) return;
    await this.#turn.add(async () => {
      const paid = new Set<string>();
      for (const { to, onwardOf } of transfers) if (to !== this.#own && onwardOf) paid.add(nameOf(onwardOf));
      const open = (await this.#open()).filter((each) => peerIn(each, this.#own) === home);
      for (const each of open) if (paid.has(nameOf(each))) await this.#close(each);
      let room = onwardBounds.open - open.filter((each) => each.home === home).length;
      let last = newest;
      for (const each of transfers.toReversed()) {
        if (each.to !== this.#own || !each.onward || paid.has(nameOf(each))) continue;
        if (room-- <= 0) {
          last = each.seq - 1;
          break;
        }
        await this.#receive(each, each.onward);
      }
      const { read, net } = await this.#progress();
      await this.#advance({ read: { ...read, [home]: last }, net });
    });
  }

  async #receive({ home, event, seq, from, amount }: SeenTransfer, onward: Onward): Promise<void> {
    if (!(await this.#isPaidHere({ home, event }))) await this.#put({ home, event, seq, from, amount, onward });
  }

  /** The transfers of this node's DID at a home since an entry. What fails is continued when it is called again. */
  async #newer(
    home: string,
    read = 0,
    page: (after: string | undefined) => Promise<SeenPage>,
  ): Promise<UnreadTransfers> {
    const reading = this.#readings.get(home) ?? {
      ...{ transfers: [], newest: read, oldest: Number.POSITIVE_INFINITY, next: undefined },
      ...{ since: this.options.world.monotonic(), full: 4 * onwardBounds.open },
    };
    this.#readings.set(home, reading);
    for (;;) {
      const { transfers, newest, oldest, next } = await page(reading.next);
      if (newest > reading.oldest) {
        this.#readings.delete(home);
        throw new SigningError(`the home ${home} shows transactions out of order`);
      }
      reading.newest = Math.max(reading.newest, newest);
      if (!this.#first.has(home)) this.#first.set(home, reading.newest);
      reading.transfers.push(...transfers.filter(({ seq }) => seq > read));
      if (next === null || oldest <= read) break;
      reading.next = next;
      reading.oldest = oldest;
      if (home !== this.#own) this.#shorten(home, reading);
    }
    this.#readings.delete(home);
    this.#readAt.set(home, reading.since);
    return reading;
  }

  /** Leaves of those to this node the oldest, as many as may be open, and one: the others are read again after these. */
  #shorten(home: string, reading: UnreadTransfers): void {
    if (reading.transfers.length < reading.full) return;
    const own = reading.transfers.filter(({ to }) => to !== this.#own);
    const paid = new Set(own.map(({ onwardOf }) => onwardOf && nameOf(onwardOf)));
    const received = reading.transfers.filter((each) => each.to === this.#own && !paid.has(nameOf(each)));
    reading.transfers = [...own, ...received.slice(-1 - onwardBounds.open)];
    reading.full = Math.max(reading.full, 2 * reading.transfers.length);
    if (own.length <= onwardBounds.payments) return;
    this.#readings.delete(home);
    throw new SigningError('too many payments of this node there are unread');
  }

  async #pageHere(after: string | undefined): Promise<SeenPage> {
    const page = { limit: onwardBounds.page, offset: 0, ...(after !== undefined && { after }) };
    const { items, next } = await this.options.store.history(this.#own, undefined, page);
    const transfers = items.flatMap(({ move, entry: { seq, core, payload } }) => {
      const { onward, onwardOf } = (payload?.input ?? {}) as Pick<SeenTransfer, 'onward' | 'onwardOf'>;
      if (move.op !== 'transfer' || !(onward || onwardOf)) return [];
      const { from, to, amount } = move;
      return [{ home: this.#own, event: core.event.hash, seq, from, to, amount, onward, onwardOf }];
    });
    return { transfers, next, newest: items[0]?.entry.seq ?? 0, oldest: items.at(-1)?.entry.seq ?? 0 };
  }

  async #pageThere(home: string, after: string | undefined): Promise<SeenPage> {
    const query = { limit: onwardBounds.page, ...(after !== undefined && { after }) };
    const path = `/wallets/${this.#own}/transactions`;
    const seen = is.parse(shownPage, await this.#ask<JsonObject>(home, path, query));
    if (isRefusal(seen)) throw new SigningError(`the home shows transactions that are none: ${seen.detail}`);
    const { transactions, pagination } = seen;
    const seqs = transactions.map(({ seq }) => seq);
    const isInOrder = seqs.every((seq, at) => at === 0 || seq <= seqs[at - 1]!);
    if (!isInOrder || (seqs.length === 0 && pagination.after !== null))
      throw new SigningError('the home shows transactions out of order');
    const transfers = transactions.flatMap(({ op, from, to, eventHash: event, ...each }) =>
      op === 'transfer' && from !== null && to !== null && (to === this.#own) !== (from === this.#own)
        ? [{ ...each, home, event, from, to }].filter(({ onward, onwardOf }) => onward ?? onwardOf)
        : [],
    );
    return { transfers, next: pagination.after, newest: seqs[0] ?? 0, oldest: seqs.at(-1) ?? 0 };
  }

  /** Reads at a home as this node's DID. */
  #ask<T>(home: string, path: string, query?: Query): Promise<T> {
    const { acts, signer } = this.options;
    return acts.open(home, signer, (http) => http.get<T>(path, query), path);
  }

  async #progress(): Promise<Progress> {
    return ((await this.options.store.getLocal(progress, 'all'))?.value ?? {
      read: {},
      net: {},
    }) as unknown as Progress;
  }

  async #advance(now: Progress): Promise<void> {
    await putNewest(this.options.store, progress, 'all', { ...now });
  }

  async #put(each: Received): Promise<void> {
    await putNewest(this.options.store, table, nameOf(each), { ...each, onward: { ...each.onward } });
  }

  async #close(each: OnwardOf): Promise<void> {
    this.#stuck.delete(nameOf(each));
    await this.options.store.deleteLocal(table, nameOf(each));
  }
}

/** The other home of two. */
const peerIn = ({ home, onward }: Received, own: string): string => (home === own ? onward.home : home);

const memoOf = (why: string): string => why.slice(0, 256).toWellFormed();

/** Whether a refusal means that nothing was paid, now or later. */
const isFinal = (status: number): boolean => status < 500 && ![401, 409, 429].includes(status);

/** Whether an error leaves open what a home has done. */
const isUnsure = (error: unknown): boolean =>
  [ApiError, UnreachableError, SigningError, RefusedError].some((kind) => error instanceof kind);
