/** The statistics: over random histories they are what a fold over the journal gives, whatever a crash has left. */
import { expect } from 'chai';
import fc from 'fast-check';
import { bounds, dayMs } from '../../src/core/bounds.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { realEnvironment } from '../../src/core/environment.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import {
  type JournalSums,
  StatisticsIndex,
  type StatisticsOptions,
  type StatisticsReading,
} from '../../src/projections/statistics.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { StoreDamaged, statisticsTable as table } from '../../src/store/store.js';
import { until } from '../support/until.js';
import { Bench, type Stated } from '../world/bench.js';
import { didOf } from '../world/people.js';

const hourMs = 3_600_000;
const people = ['ada', 'ben', 'cyd', 'dan'] as const;
const buyerPublicKeyHex = '11'.repeat(32);
const words = { title: 'A title', description: 'Words.', category: 'things' };
/** Entries after which the records are written. */
const every = 4;
const window = { everyMs: 6 * hourMs, points: 28 };

interface Draw {
  readonly act: number;
  readonly who: number;
  readonly n: number;
}

type Asking = readonly [kind: string, id: string, action: string, body: JsonObject, ids?: Stated['ids']];

/** One of few requests, of which some are refused. */
function askingOf({ act, who, n }: Draw, turn: number): Asking {
  const [escrow, order, bid, job] = [`esc-a${n}`, `ord-${n}`, `bid-${n}`, `task-ord-${n}`];
  const all: readonly Asking[] = [
    ['account', didOf(people[who]!), 'transfer', { to: didOf(people[(who + 1) % 3]!), amount: n, fee: 1 }],
    [
      'escrow',
      escrow,
      'create',
      { beneficiary: didOf('cyd'), amount: 7, autoFund: true, releaseRules: [{ type: 'manual' }] },
    ],
    ['escrow', escrow, 'release', { amount: n }],
    ['escrow', escrow, 'refund', { amount: 1, reason: 'less was done' }],
    [
      'info-order',
      order,
      'create',
      { listingId: 'lst-info', buyerPublicKeyHex, quantity: 2 },
      { escrow: `esc-${turn}` },
    ],
    ['info-order', order, 'deliver', { deliveryData: { box: n } }],
    ['info-order', order, 'confirm', {}],
    ['info-order', order, 'dispute', { reason: 'other' }, { dispute: `dsp-${turn}` }],
    ['info-order', order, 'resolve', { resolution: 'refund' }],
    ['lease', `lease-${n}`, 'create', { listingId: 'lst-use', plan: { budget: 5 } }, { escrow: `esc-${turn}` }],
    ['bid', bid, 'create', { taskId: 'lst-task', price: 8 * n }],
    ['bid', bid, 'accept', {}, { order: job, escrow: `esc-${turn}` }],
    ['info-listing', 'lst-info', 'update', { category: n > 2 ? 'things' : 'renamed' }],
  ];
  return all[act % all.length]!;
}

/** What each history begins with, by people who may. */
const beginning: readonly Draw[] = (
  [
    [0, 0],
    [1, 0],
    [2, 0],
    [4, 1],
    [5, 0],
    [6, 1],
    [4, 1, 2],
    [7, 1, 2],
    [9, 0],
    [10, 1],
    [11, 2],
    [12, 0],
    [4, 2, 4],
    [4, 3, 3],
  ] as const
).map(([act, who, n = 1]) => ({ act, who, n }));

const draw = fc.record({ act: fc.nat(12), who: fc.nat(3), n: fc.integer({ min: 1, max: 4 }) });
const step = fc.oneof(
  { weight: 20, arbitrary: draw },
  { weight: 2, arbitrary: fc.record({ hours: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.constant('crash' as const) },
);

const none = { transfers: 0, transferred: 0, trades: 0, traded: 0, released: 0, escrowed: 0, openDisputes: 0 };

/** The sums of these entries, told from their events. */
function folded(entries: readonly NumberedEntry[]): JournalSums {
  const sums = { ...none };
  for (const { core, payload } of entries) {
    const moved = (op: string) => core.moves.filter((move) => move.op === op) as { amount: number }[];
    const total = (op: string) => moved(op).reduce((sum, { amount }) => sum + amount, 0);
    sums.transfers += moved('transfer').length;
    sums.transferred += total('transfer');
    if (payload.kind !== 'escrow') {
      sums.trades += moved('lock').length;
      sums.traded += total('lock');
    }
    sums.released += total('release');
    sums.escrowed += core.postings.reduce((sum, [name, by]) => sum + (name.startsWith('escrowed/') ? by : 0), 0);
    const dispute = core.versions.find(({ kind }) => kind === 'dispute');
    if (payload.action === 'dispute') sums.openDisputes += 1;
    else if (dispute?.path.at(-1) === 'resolved') sums.openDisputes -= 1;
  }
  return sums;
}

interface Bought {
  readonly price: number;
  readonly tokens: number;
  readonly by: string;
}

/** Prices of the entries: a purchase is of the listing's first category, whatever it is called by now. */
function pricesIn(entries: readonly NumberedEntry[]): { readonly [category: string]: readonly Bought[] } {
  const found: { [category: string]: Bought[] } = {};
  for (const { core, payload } of entries) {
    const locked = core.moves.find(({ op }) => op === 'lock') as { amount: number; from: string } | undefined;
    if (!locked) continue;
    const { amount: tokens, from: by } = locked;
    const add = (name: string, price: number) => {
      found[name] = [...(found[name] ?? []), { price, tokens, by }];
    };
    if (payload.kind === 'info-order') add('info things', tokens / 2);
    if (payload.kind === 'bid') add('task jobs', tokens);
    if (payload.kind === 'lease') add('capability tools', 4);
  }
  return found;
}

class History {
  turn = 0;
  index!: StatisticsIndex;
  readonly failures: unknown[] = [];
  /** Numbers after which the journal was read. */
  readonly reads: number[] = [];
  isEnding = false;
  readonly hidden = new Set<string>();
  /** The most entries of one read. */
  mostAtOnce = 100;
  /** Whether this process writes the records. */
  mine: StatisticsOptions['mine'];
  /** How far the clock was ahead when the entries were made. */
  aheadMs = 0;
  /** Records that vanish when they are about to be replaced. */
  readonly vanishing = new Set<string>();
  /** Ids of records that can't be read. */
  readonly damaged = new Set<string>();
  readonly store: StatisticsOptions['store'];

  private constructor(readonly bench: Bench) {
    const { store } = bench;
    this.store = {
      head: () => store.head(),
      entries: (query) => {
        if (query.resource !== undefined || query.limit === 1) return store.entries(query);
        this.reads.push(query.after);
        return store.entries({ ...query, limit: Math.min(query.limit, this.mostAtOnce) });
      },
      getLocal: async (name, id) => {
        if (this.damaged.has(id)) throw new StoreDamaged('the record is not what was written');
        return store.getLocal(name, id);
      },
      deleteLocal: async (name, id) => {
        this.damaged.delete(id);
        return store.deleteLocal(name, id);
      },
      putLocal: async (name, id, value, revision) => {
        if (this.isEnding && id === 'all') throw new RangeError('the process has ended');
        if (this.vanishing.delete(id)) await store.deleteLocal(name, id);
        return store.putLocal(name, id, value, revision);
      },
    };
  }

  static async open(): Promise<History> {
    const history = new History(await Bench.open({}, { ada: 200, ben: 200, cyd: 200, dan: 200 }));
    const { bench } = history;
    const leased = { capabilityType: 'x', capability: {}, access: {}, pricing: { price: 4 }, quota: { maxCalls: 9 } };
    const task = { pricing: { budget: 90 }, taskType: 'x', task: {}, timeline: {} };
    await bench.ask('ada', 'info-listing', 'lst-info', 'create', {
      ...infoListing.create.example,
      ...words,
      pricing: { price: 3 },
    });
    await bench.ask('ben', 'capability-listing', 'lst-use', 'create', { ...words, ...leased, category: 'tools' });
    await bench.ask('cyd', 'task-listing', 'lst-task', 'create', { ...words, ...task, category: 'jobs' });
    await history.begin();
    bench.actors.committer.listen((entry) => history.index.saw(entry));
    return history;
  }

  /** A process that has seen nothing yet. */
  async begin(): Promise<void> {
    const { bench } = this;
    this.index = new StatisticsIndex({
      store: this.store,
      world: { ...realEnvironment, now: () => bench.world.now() - this.aheadMs },
      catalogue,
      load: (kind, id) => bench.store.load(kind, id),
      isHidden: (listing) => this.hidden.has(listing),
      mine: this.mine,
      onFailure: (error) => this.failures.push(error),
      every,
    });
    await this.index.open();
    this.index.start();
  }

  /** The process ends when it has written the records of days, but not yet that of the whole journal. */
  async crash(): Promise<void> {
    const before = this.failures.length;
    this.isEnding = true;
    for (let at = 0; at < every; at++) await this.run({ act: 0, who: at % 3, n: 1 });
    await until('the record of the whole is not written', () => this.failures.length > before);
    await this.index.stop();
    this.isEnding = false;
    await this.begin();
  }

  async run(each: Draw): Promise<void> {
    const [kind, id, action, body, ids] = askingOf(each, ++this.turn);
    await this.bench.ask(people[each.who]!, kind, id, action, body, ids ? { ids } : {});
  }

  async read(): Promise<StatisticsReading> {
    const { seq } = await this.bench.store.head();
    await until('the sums are known', async () => this.index.sums !== undefined);
    return until('the entries are counted', () => this.index.read(window), { is: ({ upTo }) => upTo === seq });
  }

  /** The reading, compared with the journal. */
  async check(): Promise<void> {
    const { points, sums, prices } = await this.read();
    const { store, world } = this.bench;
    const entries = await store.entries({ after: 0, limit: 1_000 });
    expect(this.index.sums, 'the whole journal').to.deep.equal(folded(entries));
    const end = Math.floor(world.now() / window.everyMs) * window.everyMs + window.everyMs;
    const first = end - window.points * window.everyMs;
    expect(points.map(({ start }) => start)).to.deep.equal(points.map((_, at) => first + at * window.everyMs));
    for (const { start, ...point } of points) {
      const upTo = entries.filter(({ core }) => core.time < start + window.everyMs);
      const { escrowed, openDisputes } = folded(upTo);
      const during = folded(upTo.filter(({ core }) => core.time >= start));
      expect(point, `point ${start}`).to.deep.equal({ ...during, escrowed, openDisputes });
    }
    const shown = entries.filter(({ core }) => core.time >= Math.floor(first / dayMs) * dayMs);
    const { escrowed, openDisputes } = folded(entries);
    expect(sums).to.deep.equal({
      ...folded(entries.filter(({ core }) => core.time >= first)),
      ...{ escrowed, openDisputes },
    });
    const found = Object.fromEntries(
      prices.map(({ market, category, trades, sum, volume }) => [`${market} ${category}`, { trades, sum, volume }]),
    );
    const total = (each: readonly number[]) => each.reduce((before, more) => before + more, 0);
    const wanted = Object.entries(pricesIn(shown))
      .filter(([, each]) => new Set(each.map(({ by }) => by)).size >= 3)
      .map(([name, each]) => [
        name,
        {
          ...{ trades: each.length, sum: total(each.map(({ price }) => price)) },
          volume: total(each.map(({ tokens }) => tokens)),
        },
      ]);
    expect(found).to.deep.equal(Object.fromEntries(wanted));
  }
}

describe('The statistics', () => {
  it('are what a fold over the journal gives, whatever a crash has left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
        const history = await History.open();
        for (const each of [...beginning, ...steps]) {
          if (each === 'crash') await history.crash();
          else if ('hours' in each) await history.bench.world.advance(each.hours * hourMs);
          else await history.run(each);
        }
        await history.check();
        await history.crash();
        await history.check();
        await history.index.stop();
        const { trades, released } = history.index.sums!;
        expect(trades, 'orders, a lease and a task').to.be.at.least(5);
        expect(released).to.be.above(0);
      }),
      { numRuns: 4 },
    );
  });

  it('are kept in a record a day, from which the next process continues', async () => {
    const history = await History.open();
    for (let at = 0; at < 12; at++) await history.run({ act: 0, who: at % 3, n: 1 });
    const { store } = history.bench;
    const kept = await until('the sums are kept', () => store.getLocal(table, 'all'), {
      is: (found) => Number(found?.value.upTo) > 8,
    });
    await history.index.stop();
    history.reads.length = 0;
    await history.begin();
    await history.check();
    expect(history.reads.filter((after) => after < Number(kept?.value.upTo))).to.deep.equal([]);
    expect(history.failures).to.deep.equal([]);
    await history.index.stop();
  });

  const change =
    (more: JsonObject) =>
    async ({ bench: { store } }: History, id: string) => {
      const { value, revision } = (await store.getLocal(table, id))!;
      expect(await store.putLocal(table, id, { ...value, ...more }, revision)).to.equal(true);
    };
  const wrong = { sums: { ...none, transfers: 99 }, hours: {} };
  const harms: { readonly [harm: string]: (history: History, id: string) => Promise<unknown> } = {
    damaged: async ({ damaged }, id) => damaged.add(id),
    'newer than the journal': change({ upTo: 1_000, ...wrong }),
    'of another journal': change({ chainHash: '12'.repeat(32), ...wrong }),
    'of another version': change({ version: 0, ...wrong }),
  };
  for (const [harm, harmed] of Object.entries(harms))
    for (const what of ['the whole', 'a day'])
      it(`are counted again where the record of ${what} is ${harm}`, async () => {
        const history = await History.open();
        for (let at = 0; at < 12; at++) await history.run({ act: 0, who: at % 3, n: 1 });
        await history.check();
        await history.index.stop();
        const day = new Date(history.bench.world.now()).toISOString().slice(0, 10);
        await harmed(history, what === 'a day' ? day : 'all');
        await history.begin();
        if (what === 'the whole') expect(history.index.sums, 'before the journal is counted').to.equal(undefined);
        await history.run({ act: 0, who: 0, n: 1 });
        await history.check();
        await history.index.stop();
        await history.begin();
        await history.check();
        expect(history.failures).to.deep.equal([]);
        await history.index.stop();
      });

  it('are kept when the process stops', async () => {
    const history = await History.open();
    for (let times = 0; times < 2; times++) {
      await history.run({ act: 0, who: 0, n: 1 });
      await history.check();
      await history.index.stop();
      if (times === 0) await history.begin();
    }
    const kept = await history.bench.store.getLocal(table, 'all');
    expect(kept?.value.upTo).to.equal((await history.bench.store.head()).seq);
  });

  it('are in no point before the time of their entries, although the clock was ahead', async () => {
    const history = await History.open();
    await history.run({ act: 0, who: 0, n: 1 });
    const before = (await history.read()).points.at(-1)!.escrowed;
    await history.index.stop();
    await history.bench.world.advance(3 * dayMs);
    history.aheadMs = 3 * dayMs;
    await history.begin();
    await history.run({ act: 1, who: 1, n: 1 });
    for (let times = 0; times < 2; times++) {
      const { points, sums } = await history.read();
      expect(sums.escrowed).to.be.above(before);
      expect(points.map(({ escrowed }) => escrowed)).to.deep.equal(points.map(() => before));
      await history.index.stop();
      await history.begin();
    }
    await history.index.stop();
  });

  it('ask who writes the records once in so many entries, while another process does', async () => {
    const history = await History.open();
    await history.index.stop();
    let asked = 0;
    history.mine = async () => {
      asked++;
      return false;
    };
    for (let at = 0; at < 5 * every; at++) await history.run({ act: 0, who: at % 3, n: 1 });
    const { seq } = await history.bench.store.head();
    history.mostAtOnce = 1;
    await history.begin();
    await history.read();
    expect(asked).to.equal(Math.floor(seq / every));
    history.mostAtOnce = 100;
    await history.index.stop();
  });

  it('are written again where a record has vanished', async () => {
    const history = await History.open();
    const grow = async () => {
      for (let at = 0; at < 2 * every; at++) await history.run({ act: 0, who: at % 3, n: 1 });
      await history.check();
      await history.index.stop();
    };
    await grow();
    await history.begin();
    const [day] = [new Date(history.bench.world.now()).toISOString().slice(0, 10)];
    for (const id of ['all', day]) history.vanishing.add(id);
    await grow();
    const { seq } = await history.bench.store.head();
    expect((await history.bench.store.getLocal(table, 'all'))?.value.upTo).to.equal(seq);
    expect((await history.bench.store.getLocal(table, day))?.value.upTo).to.equal(seq);
  });

  const task = { ...words, pricing: { budget: 90 }, taskType: 'x', task: {}, timeline: {}, category: 'errands' };
  const hires = async ({ bench }: History, who: string, n: number, before?: () => Promise<unknown>) => {
    await bench.ask(who, 'task-listing', `lst-errand-${n}`, 'create', task);
    await bench.ask('ben', 'bid', `bid-errand-${n}`, 'create', { taskId: `lst-errand-${n}`, price: 5 });
    await before?.();
    const ids = { order: `task-ord-errand-${n}`, escrow: `esc-errand-${n}` };
    await bench.ask(who, 'bid', `bid-errand-${n}`, 'accept', {}, { ids });
  };

  it('tell the price of a category when three have bought, without what is private by then', async () => {
    const history = await History.open();
    await hires(history, 'ada', 1);
    await hires(history, 'ada', 2);
    await hires(history, 'cyd', 3);
    expect((await history.read()).prices).to.deep.equal([]);
    await hires(history, 'dan', 4, () =>
      history.bench.ask('dan', 'task-listing', 'lst-errand-4', 'update', { visibility: 'private' }),
    );
    expect((await history.read()).prices).to.deep.equal([]);
    expect(history.index.sums?.traded).to.equal(20);
    await hires(history, 'dan', 5);
    const [price, ...others] = (await history.read()).prices;
    expect(price).to.include({ market: 'task', category: 'errands', trades: 4, sum: 20, volume: 20 });
    expect(others).to.deep.equal([]);
    await history.index.stop();
  });

  it('tell no price of what the operator hides', async () => {
    const history = await History.open();
    await hires(history, 'ada', 1);
    await hires(history, 'cyd', 2);
    await hires(history, 'dan', 3, async () => history.hidden.add('lst-errand-3'));
    expect((await history.read()).prices).to.deep.equal([]);
    await hires(history, 'dan', 4);
    expect((await history.read()).prices[0]).to.include({ category: 'errands', trades: 3 });
    await history.index.stop();
  });

  it('give the place of the category with the least volume to one with more', async () => {
    const history = await History.open();
    const { bench } = history;
    const listed = (name: string, price: number) =>
      bench.ask('ada', 'info-listing', `lst-${name}`, 'create', {
        ...infoListing.create.example,
        ...{ ...words, category: name, pricing: { price } },
      });
    const bought = (who: string, name: string, n: number) =>
      bench.ask(
        who,
        'info-order',
        `ord-${name}-${n}`,
        'create',
        { listingId: `lst-${name}`, buyerPublicKeyHex },
        { ids: { escrow: `esc-${name}-${n}` } },
      );
    for (let n = 0; n < bounds.statisticsPrices; n++) {
      await listed(`w${n}`, 1);
      await bought('ben', `w${n}`, 0);
    }
    await listed('weather', 25);
    for (const [n, who] of ['ben', 'cyd', 'dan'].entries()) await bought(who, 'weather', n);
    const { prices } = await history.read();
    expect(prices.map(({ category, volume }) => [category, volume])).to.deep.equal([['weather', 75]]);
    await history.index.stop();
  });
});
