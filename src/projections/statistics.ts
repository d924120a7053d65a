/**
 * What the journal adds up to in each hour, and the prices of each day (docs/reference/node.md#statistics). A record of
 * the store holds the sums of a UTC day, another one those of the whole journal; both say up to which entry, so that one that
 * is read again after a crash changes nothing. Entries are added after their commit, so that no write waits.
 */
import PQueue from 'p-queue';
import { Background } from '../core/background.js';
import { bounds, dayMs, hourMs } from '../core/bounds.js';
import type { JsonObject } from '../core/canonical.js';
import type { Environment } from '../core/environment.js';
import { maxTokens } from '../core/schema/scalar.js';
import { machinesOf } from '../machines/catalogue.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { type NumberedEntry, noHash } from '../store/entry.js';
import { entryAt, type Snapshot, type Store, StoreDamaged, statisticsTable as table } from '../store/store.js';

/** Increases whenever entries are counted in another way: the journal is then counted again. */
const recordVersion = 3;

/** Numbers and volumes (Tokens) of some time; the last two are differences, and may be negative. */
export interface JournalSums {
  readonly transfers: number;
  readonly transferred: number;
  /** Escrows that were funded for an order, a lease or a contract, and the Tokens in them. */
  readonly trades: number;
  readonly traded: number;
  /** Tokens that escrows paid out to beneficiaries. */
  readonly released: number;
  readonly escrowed: number;
  readonly openDisputes: number;
}

const names = ['transfers', 'transferred', 'trades', 'traded', 'released', 'escrowed', 'openDisputes'] as const;
type MutableSums = { -readonly [Name in keyof JournalSums]: number };

const noSums = (): MutableSums => Object.fromEntries(names.map((name) => [name, 0])) as MutableSums;

/** Turnover, unlike balances, has no bound: a sum stays at the largest exact integer. */
function addTo(sums: MutableSums, more: JournalSums): void {
  for (const name of names) sums[name] = Math.min(maxTokens, sums[name] + more[name]);
}

/** Prices for which something of a category was bought, in Tokens for one `unit`. */
export interface PriceStatistics {
  readonly market: string;
  readonly category: string;
  /** What the price is for, as a lease says it; null for one unit of goods, or a task. */
  readonly unit: string | null;
  readonly trades: number;
  readonly sum: number;
  /** Tokens that were locked for them. */
  readonly volume: number;
  /** Different DIDs that bought, as many as a category needs to be shown. */
  readonly buyers: readonly string[];
}

const priceKey = ({ market, category, unit }: PriceStatistics): string => JSON.stringify([market, category, unit]);

/** Where there are already so many categories, the one with the least volume gives way. */
function addPrice(prices: Map<string, PriceStatistics>, price: PriceStatistics, most: number): void {
  const key = priceKey(price);
  const before = prices.get(key);
  if (!before && prices.size >= most) {
    const [name, { volume }] = [...prices].reduce((least, each) => (each[1].volume < least[1].volume ? each : least));
    if (volume >= price.volume) return;
    prices.delete(name);
  }
  const { trades, sum, volume, buyers } = before ?? { trades: 0, sum: 0, volume: 0, buyers: [] };
  prices.set(key, {
    ...price,
    trades: trades + price.trades,
    sum: Math.min(maxTokens, sum + price.sum),
    volume: Math.min(maxTokens, volume + price.volume),
    buyers: [...new Set([...buyers, ...price.buyers])].slice(0, bounds.statisticsBuyers),
  });
}

interface KindAndId {
  readonly kind: string;
  readonly id: string;
}

/** What an entry adds. */
interface AddedSums {
  readonly seq: number;
  readonly chainHash: string;
  readonly time: number;
  /** Undefined where it adds nothing. */
  readonly sums: JournalSums | undefined;
  /** What was bought of a listing, which tells its price. */
  readonly bought?:
    | { readonly order: KindAndId; readonly listing: KindAndId; readonly buyer: string; readonly volume: number }
    | undefined;
}

/** The kinds of a catalogue that the statistics name: machines, and the market of each kind of listing. */
interface Kinds {
  readonly machines: ReadonlySet<string>;
  readonly markets: ReadonlyMap<string, string>;
}

const kindsOf = (catalogue: Catalogue): Kinds => {
  const machines = machinesOf(catalogue);
  return {
    machines: new Set(machines.map(({ kind }) => kind)),
    markets: new Map(machines.flatMap(({ kind, search }) => (search ? [[kind, search.market] as const] : []))),
  };
};

export function addedBy({ seq, chainHash, core, payload }: NumberedEntry, kinds: Kinds): AddedSums {
  const { time, moves, versions, reads } = core;
  let sums: MutableSums | undefined;
  let paid: { readonly from: string; readonly amount: number } | undefined;
  for (const move of moves) {
    if (move.op === 'transfer') {
      sums ??= noSums();
      sums.transfers++;
      sums.transferred += move.amount;
    } else if (move.op === 'lock') {
      sums ??= noSums();
      sums.escrowed += move.amount;
      // An escrow that its depositor made directly belongs to no trade.
      if (payload.kind === 'escrow') continue;
      paid = move;
      sums.trades++;
      sums.traded += move.amount;
    } else if (move.op === 'release' || move.op === 'refund' || move.op === 'expire') {
      sums ??= noSums();
      sums.escrowed -= move.amount;
      if (move.op === 'release') sums.released += move.amount;
    }
  }
  for (const { kind, version, path } of versions) {
    if (kind !== 'dispute') continue;
    sums ??= noSums();
    if (version === 1) sums.openDisputes++;
    if (path.at(-1) === 'resolved') sums.openDisputes--;
  }
  if (!paid) return { seq, chainHash, time, sums };
  const order = versions.find(({ kind, version }) => version === 1 && kind !== 'escrow' && kinds.machines.has(kind));
  const listing = [...versions, ...reads].find(({ kind }) => kinds.markets.has(kind));
  const bought = order && listing && { order, listing, buyer: paid.from, volume: paid.amount };
  return { seq, chainHash, time, sums, bought };
}

class Day {
  upTo = 0;
  chainHash = noHash;
  revision = 0;
  readonly hours = new Map<number, MutableSums>();
  readonly prices = new Map<string, PriceStatistics>();

  /** @param number days since 1970 */
  constructor(readonly number: number) {}

  get id(): string {
    return new Date(this.number * dayMs).toISOString().slice(0, 10);
  }

  add({ seq, chainHash, time, sums }: AddedSums, price: PriceStatistics | undefined): void {
    // Added before a crash that came before the sums of the whole journal were kept.
    if (seq <= this.upTo) return;
    this.upTo = seq;
    this.chainHash = chainHash;
    const hour = Math.floor((time % dayMs) / hourMs);
    if (!this.hours.has(hour)) this.hours.set(hour, noSums());
    addTo(this.hours.get(hour)!, sums!);
    if (price) addPrice(this.prices, price, bounds.statisticsPrices);
  }

  get value(): JsonObject {
    const hours = Object.fromEntries([...this.hours].map(([hour, sums]) => [hour, names.map((name) => sums[name])]));
    const prices = [...this.prices.values()] as unknown as JsonObject[];
    return { version: recordVersion, upTo: this.upTo, chainHash: this.chainHash, hours, prices };
  }

  learn({ upTo, chainHash, hours, prices }: JsonObject): void {
    this.upTo = Number(upTo);
    this.chainHash = String(chainHash);
    for (const [hour, numbers] of Object.entries(hours as { readonly [hour: string]: readonly number[] }))
      this.hours.set(
        Number(hour),
        Object.fromEntries(names.map((name, at) => [name, numbers[at] ?? 0])) as MutableSums,
      );
    for (const price of prices as unknown as readonly PriceStatistics[]) this.prices.set(priceKey(price), price);
  }
}

export interface StatisticsOptions {
  readonly store: Pick<Store, 'head' | 'entries' | 'getLocal' | 'putLocal' | 'deleteLocal'>;
  readonly world: Environment;
  readonly catalogue: Catalogue;
  /** A committed resource. */
  readonly load: (kind: string, id: string) => Snapshot | undefined | Promise<Snapshot | undefined>;
  /** Whether the operator hides a listing: its trades are not counted among prices then. */
  readonly isHidden: (listing: string) => boolean;
  /** Whether this process writes the records; absent where it is alone on its database. */
  readonly mine?: (() => Promise<boolean>) | undefined;
  readonly onFailure: (error: unknown) => void;
  /** Entries after which the records are written. */
  readonly every?: number;
}

export interface StatisticsWindow {
  /** Length of a point, a whole number of hours, and the number of points. */
  readonly everyMs: number;
  readonly points: number;
}

export interface PointSums extends JournalSums {
  readonly start: number;
}

export interface StatisticsReading {
  /** Number of the newest entry that is counted. */
  readonly upTo: number;
  /** Oldest first; `escrowed` and `openDisputes` are those at the end of each point. */
  readonly points: readonly PointSums[];
  /** The sums of all points, and what is in escrow and in dispute now. */
  readonly sums: JournalSums;
  /** The prices of the days of the points, those of most Tokens first. */
  readonly prices: readonly PriceStatistics[];
}

const whole = 'all';

export class StatisticsIndex {
  readonly #counting: Background;
  readonly #turns = new PQueue({ concurrency: 1 });
  readonly #kinds: Kinds;
  readonly #every: number;
  readonly #sums = noSums();
  readonly #days = new Map<number, Day>();
  /** Days with entries that their record does not have. */
  readonly #changed = new Set<Day>();
  /** Categories of listings as they were published, by id. */
  readonly #categories = new Map<string, string | undefined>();
  #upTo = 0;
  #chainHash = noHash;
  #keptUpTo = 0;
  /** The entry at which another process was found to write the records. */
  #leftUpTo = 0;
  /** The last day with an entry: it lies ahead where the clock was ahead. */
  #newestDay = 0;
  /** Whether the sums began with a kept record, and need the days before it. */
  #hasContinued = false;
  /** The newest entry that was there when counting began. */
  #newestBefore: number | undefined;
  #revision = 0;
  #pending: AddedSums[] = [];

  constructor(private readonly options: StatisticsOptions) {
    const { world, onFailure, catalogue, every = bounds.statisticsEntries } = options;
    this.#kinds = kindsOf(catalogue);
    this.#every = every;
    this.#counting = new Background({ world, onFailure, round: () => this.#turn(() => this.#round()) });
  }

  /** Reads what was kept; called first. */
  async open(): Promise<void> {
    const { revision, value } = await this.#kept(whole);
    this.#revision = revision;
    if (!value) return;
    this.#hasContinued = true;
    this.#upTo = Number(value.upTo);
    this.#chainHash = String(value.chainHash);
    this.#keptUpTo = this.#upTo;
    this.#newestDay = Number(value.newestDay);
    Object.assign(this.#sums, value.sums);
  }

  start(): void {
    this.#counting.start();
  }

  async stop(): Promise<void> {
    await this.#counting.stop();
    await this.#turn(() => this.#keep()).catch(this.options.onFailure);
  }

  /** The sums of the whole journal; undefined until the entries are counted that were there at the start. */
  get sums(): JournalSums | undefined {
    return this.#upTo >= (this.#newestBefore ?? Number.POSITIVE_INFINITY) ? this.#sums : undefined;
  }

  /** Called for each committed entry, of this or another process. */
  saw(entry: NumberedEntry): void {
    // An index that lags far behind reads its entries from the store.
    if (this.#pending.length >= bounds.statisticsWaiting) this.#pending = [];
    this.#pending.push(addedBy(entry, this.#kinds));
    this.#counting.wake(bounds.statisticsMs);
  }

  read({ everyMs, points: count }: StatisticsWindow): Promise<StatisticsReading> {
    return this.#turn(async () => {
      await this.#countPending();
      const newest = Math.floor(this.options.world.now() / everyMs) * everyMs;
      const first = newest - (count - 1) * everyMs;
      const days: Day[] = [];
      for (let number = Math.floor(first / dayMs); number * dayMs < newest + everyMs; number++)
        days.push(await this.#day(number));
      const { escrowed, openDisputes } = this.#sums;
      const end = newest + everyMs;
      const ahead = sumsBetween([...days, ...(await this.#daysAfter(end))], end, Number.POSITIVE_INFINITY);
      // While entries are counted again, days have more of them than the whole.
      const at = {
        escrowed: Math.max(0, escrowed - ahead.escrowed),
        openDisputes: Math.max(0, openDisputes - ahead.openDisputes),
      };
      const points: PointSums[] = [];
      for (let start = newest; start >= first; start -= everyMs) {
        const sums = sumsBetween(days, start, start + everyMs);
        points.unshift({ ...sums, ...at, start });
        at.escrowed = Math.max(0, at.escrowed - sums.escrowed);
        at.openDisputes = Math.max(0, at.openDisputes - sums.openDisputes);
      }
      const sums = { ...sumsBetween(days, first, end), escrowed, openDisputes };
      return { upTo: this.#upTo, points, sums, prices: pricesOf(days) };
    });
  }

  /** Days that begin after a time, which the clock had reached when it was ahead. */
  async #daysAfter(end: number): Promise<readonly Day[]> {
    const days: Day[] = [];
    const first = Math.ceil(end / dayMs);
    for (let number = first; number <= Math.min(this.#newestDay, first + bounds.statisticsDays); number++)
      days.push(await this.#day(number));
    return days;
  }

  #turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.add(work) as Promise<T>;
  }

  /** @returns 0 while entries that were there before are not counted; undefined: when there are further ones */
  async #round(): Promise<number | undefined> {
    const { store } = this.options;
    const { seq } = await store.head();
    this.#newestBefore ??= seq;
    await this.#countPending();
    if (seq > this.#upTo) {
      const page = { limit: bounds.pageLimit, characters: bounds.pageCharacters };
      for (const entry of await store.entries({ after: this.#upTo, ...page }))
        await this.#count(addedBy(entry, this.#kinds));
    }
    if (this.#upTo - Math.max(this.#keptUpTo, this.#leftUpTo) >= this.#every) await this.#keep();
    return seq > this.#upTo ? 0 : undefined;
  }

  /** Counts those of the seen entries that follow the counted ones; the others may be seen in another order. */
  async #countPending(): Promise<void> {
    const seen = this.#pending.toSorted((one, other) => one.seq - other.seq);
    const behind = seen.findIndex(({ seq }) => seq > this.#upTo);
    const last = this.#upTo;
    for (const [at, facts] of (behind < 0 ? [] : seen.slice(behind)).entries()) {
      if (facts.seq !== last + at + 1) break;
      await this.#count(facts);
    }
    this.#pending = this.#pending.filter(({ seq }) => seq > this.#upTo);
  }

  /** Changes nothing where a read fails, so that the entry can be counted again. */
  async #count(facts: AddedSums): Promise<void> {
    const { seq, chainHash, time, sums, bought } = facts;
    if (sums) {
      const day = await this.#day(Math.floor(time / dayMs));
      const price = bought && (await this.#priceOf(bought));
      // The record of the day was lost, and counting begins again.
      if (seq !== this.#upTo + 1) return;
      day.add(facts, price);
      this.#changed.add(day);
      this.#newestDay = Math.max(this.#newestDay, day.number);
      addTo(this.#sums, sums);
    }
    this.#upTo = seq;
    this.#chainHash = chainHash;
  }

  /** A record that is damaged, of another version, or not of this journal is nothing kept, as it follows from the journal. */
  async #kept(id: string): Promise<{ revision: number; value?: JsonObject; isLost?: boolean }> {
    const { store } = this.options;
    try {
      const kept = await store.getLocal(table, id);
      if (!kept) return { revision: 0 };
      const { version, upTo, chainHash } = kept.value;
      const isUsable = version === recordVersion && (await entryAt(store, Number(upTo)))?.chainHash === chainHash;
      return isUsable ? kept : { revision: kept.revision, isLost: true };
    } catch (error) {
      if (!(error instanceof StoreDamaged || error instanceof SyntaxError)) throw error;
      await store.deleteLocal(table, id);
      return { revision: 0, isLost: true };
    }
  }

  /** Counts the journal from its beginning; the days that have their records skip what they have. */
  #beginAgain(): void {
    Object.assign(this.#sums, noSums());
    this.#upTo = 0;
    this.#keptUpTo = 0;
    this.#leftUpTo = 0;
    this.#hasContinued = false;
    this.#newestBefore = undefined;
    this.#counting.wake();
  }

  async #day(number: number): Promise<Day> {
    const known = this.#days.get(number);
    if (known) return known;
    const day = new Day(number);
    const { revision, value, isLost } = await this.#kept(day.id);
    day.revision = revision;
    if (value) day.learn(value);
    if (isLost && this.#hasContinued) this.#beginAgain();
    for (const other of this.#days.values()) {
      if (this.#days.size < bounds.statisticsDays) break;
      if (!this.#changed.has(other)) this.#days.delete(other.number);
    }
    this.#days.set(number, day);
    return day;
  }

  /** The price of one unit, which an order, task or lease never changes; undefined where the listing is private by now. */
  async #priceOf(bought: NonNullable<AddedSums['bought']>): Promise<PriceStatistics | undefined> {
    const { order, listing, buyer, volume } = bought;
    const { load, isHidden } = this.options;
    if (isHidden(listing.id)) return undefined;
    const category = await this.#categoryOf(listing);
    if (category === undefined) return undefined;
    const { unitPrice, price, unit = null } = (await load(order.kind, order.id))?.context ?? {};
    const sum = unitPrice ?? price;
    const isPrivate = (await load(listing.kind, listing.id))?.context.visibility === 'private';
    if (isPrivate || typeof sum !== 'number') return undefined;
    const market = this.#kinds.markets.get(listing.kind)!;
    return { market, category, unit: unit as string | null, trades: 1, sum, volume, buyers: [buyer] };
  }

  /** The category under which a listing was published, because a later one is no function of the trade's entry. */
  async #categoryOf({ kind, id }: KindAndId): Promise<string | undefined> {
    if (this.#categories.has(id)) return this.#categories.get(id);
    const [published] = await this.options.store.entries({ after: 0, limit: 1, resource: `${kind}/${id}` });
    const { category, visibility } = published?.payload.input ?? {};
    const shown = typeof category === 'string' && visibility !== 'private' ? category : undefined;
    if (this.#categories.size >= bounds.statisticsListings) this.#categories.clear();
    this.#categories.set(id, shown);
    return shown;
  }

  /** Days first: after a crash in between, their entries are read again and found there. */
  async #keep(): Promise<void> {
    const { mine } = this.options;
    if (this.#upTo === this.#keptUpTo) return;
    if (mine && !(await mine())) return this.#leave();
    for (const day of this.#changed) day.revision = await this.#put(day.id, day.value, day.revision);
    this.#changed.clear();
    const kept = {
      ...{ version: recordVersion, upTo: this.#upTo, chainHash: this.#chainHash, newestDay: this.#newestDay },
      sums: { ...this.#sums },
    };
    this.#revision = await this.#put(whole, kept, this.#revision);
    this.#keptUpTo = this.#upTo;
  }

  /** Another process writes the records: when they have all that is counted here, no day needs to stay in memory. */
  async #leave(): Promise<void> {
    this.#leftUpTo = this.#upTo;
    const { value } = await this.#kept(whole);
    if (Number(value?.upTo) >= this.#upTo) this.#changed.clear();
  }

  /** Writes a record, unless another process has written one with more entries. @returns its revision */
  async #put(id: string, value: JsonObject, revision: number): Promise<number> {
    const { store } = this.options;
    for (let known = revision; ; ) {
      if (await store.putLocal(table, id, value, known)) return known + 1;
      const kept = await store.getLocal(table, id);
      if (kept && Number(kept.value.upTo) >= Number(value.upTo)) return kept.revision;
      known = kept?.revision ?? 0;
    }
  }
}

function sumsBetween(days: readonly Day[], from: number, to: number): MutableSums {
  const sums = noSums();
  for (const { number, hours } of days)
    for (const [hour, more] of hours) {
      const start = number * dayMs + hour * hourMs;
      if (start >= from && start < to) addTo(sums, more);
    }
  return sums;
}

function pricesOf(days: readonly Day[]): readonly PriceStatistics[] {
  const prices = new Map<string, PriceStatistics>();
  for (const day of days) for (const price of day.prices.values()) addPrice(prices, price, Number.POSITIVE_INFINITY);
  return [...prices.values()]
    .filter(({ buyers }) => buyers.length >= bounds.statisticsBuyers)
    .sort((one, other) => other.volume - one.volume)
    .slice(0, bounds.statisticsShownPrices);
}
