/** Lists by time of change and by amount, within ranges; ids by prefix; the journal from its end. */
import { expect } from 'chai';
import { type ListRanges, type ListSort, listPlace, listSorts, numberIn } from '../../../src/store/list-order.js';
import type { FindQuery, Snapshot } from '../../../src/store/store.js';
import type { Bench } from '../fixture.js';

export function listOrders(bench: Bench): void {
  /** Amounts that are equal, absent, stored as `price`, or not a whole number. */
  const contexts = [
    { amount: 5 },
    { price: 20 },
    { amount: 5 },
    {},
    { amount: null, price: 3 },
    { amount: 100, price: 1 },
    { amount: 1.5 },
    { amount: '7' },
    { amount: 0 },
  ] as const;

  async function someOrders(): Promise<readonly Snapshot[]> {
    const { builder } = bench;
    const made = contexts.map((context, index) =>
      builder.resource({
        ...{ kind: 'order', id: `ord-${'abc'[index % 3]}${index}`, context },
        ...{ state: index % 2 ? 'open' : 'paid', add: [`buyer:${index % 3 ? 'ada' : 'bob'}`] },
      }),
    );
    await bench.accept(...made);
    await bench.accept(builder.resource({ kind: 'escrow', id: 'esc-1', state: 'open', context: { amount: 12 } }));
    // Changes older resources, so that the order of change differs from the order of creation.
    for (const id of ['ord-a3', 'ord-a0']) {
      const { snapshot } = made.find(({ snapshots }) => snapshots[0]!.snapshot.id === id)!.snapshots[0]!;
      await bench.accept(builder.resource({ kind: 'order', id, state: snapshot.state, context: { amount: 8 } }));
    }
    return Promise.all(
      contexts.map(async (_, index) => (await bench.store.load('order', `ord-${'abc'[index % 3]}${index}`))!),
    );
  }

  const expected = (all: readonly Snapshot[], sort: ListSort, ranges: ListRanges = {}) =>
    all
      .filter((each) =>
        Object.entries(ranges).every(([name, { from = -Infinity, to = Infinity }]) => {
          const number = numberIn(each, name as keyof ListRanges);
          return number >= from && number <= to;
        }),
      )
      .sort((one, other) => {
        const [first, id] = listPlace(one, sort);
        const [second, otherId] = listPlace(other, sort);
        return second - first || (id < otherId ? 1 : -1);
      })
      .map(({ id }) => id);

  async function allPages(query: Partial<FindQuery>): Promise<{ ids: string[]; total: number }> {
    const ids: string[] = [];
    let after: string | undefined;
    for (;;) {
      const page = { limit: 2, offset: 0, ...(after !== undefined && { after }) };
      const { items, total, next } = await bench.store.find({ kind: 'order', ...query, page });
      ids.push(...items.map(({ id }) => id));
      if (next === null) return { ids, total };
      after = next;
    }
  }

  describe('find in another order', () => {
    it('sorts by age, change and amount, page after page, ties by id', async () => {
      const all = await someOrders();
      for (const sort of listSorts) expect((await allPages({ sort })).ids, sort).to.deep.equal(expected(all, sort));
      expect((await allPages({ sort: 'amount_desc' })).ids[0]).to.equal('ord-c5');
      expect((await allPages({ sort: 'updated' })).ids.slice(0, 2)).to.deep.equal(['ord-a0', 'ord-a3']);
    });

    it('keeps to the ranges, with labels and states, and counts what is within', async () => {
      const all = await someOrders();
      const [third, last] = [all[2]!.createdAt, all.at(-1)!.createdAt];
      const ranges: ListRanges[] = [
        { amount: { from: 5 } },
        { amount: { from: 3, to: 8 } },
        { createdAt: { from: third, to: last - 1 } },
        { updatedAt: { from: last + 1 } },
        { createdAt: { to: third }, amount: { to: 8 } },
      ];
      for (const each of ranges) {
        for (const sort of listSorts) {
          const wanted = expected(all, sort, each);
          expect(await allPages({ sort, ranges: each }), sort).to.deep.equal({ ids: wanted, total: wanted.length });
          const open = all.filter(({ state }) => state === 'open');
          const ofAda = open.filter(({ id }) => !id.startsWith('ord-a'));
          const few = expected(ofAda, sort, each);
          const query = { sort, ranges: each, anyLabel: ['buyer:ada', 'buyer:ada2'], states: ['open'] };
          expect(await allPages(query), sort).to.deep.equal({ ids: few, total: few.length });
        }
      }
    });

    it('merges several kinds in the order of the sort', async () => {
      await someOrders();
      const { ids } = await allPages({
        sort: 'amount_desc',
        also: [{ kind: 'escrow' }],
        ranges: { amount: { from: 8 } },
      });
      expect(ids).to.deep.equal(['ord-c5', 'ord-b1', 'esc-1', 'ord-a3', 'ord-a0']);
    });
  });

  it('finds ids by their beginning, of each kind as many as asked', async () => {
    await someOrders();
    const named = async (kinds: readonly string[], prefix: string, limit: number, characters = 100_000) =>
      (await bench.store.named(kinds, prefix, { limit, characters })).map(({ kind, id }) => `${kind}/${id}`);
    expect(await named(['escrow', 'order'], 'ord-a', 10)).to.deep.equal([
      'order/ord-a0',
      'order/ord-a3',
      'order/ord-a6',
    ]);
    expect(await named(['escrow', 'order'], '', 1)).to.deep.equal(['escrow/esc-1', 'order/ord-a0']);
    expect(await named(['order'], 'esc', 10)).to.deep.equal([]);
    expect(await named(['order'], 'ord-a0', 10)).to.deep.equal(['order/ord-a0']);
    expect(await named([], 'ord', 10)).to.deep.equal([]);
    expect(await named(['escrow', 'order'], '', 10, 1)).to.deep.equal(['escrow/esc-1']);
  });

  it('reads the journal from its end, whatever selects the entries', async () => {
    await someOrders();
    const { seq } = await bench.store.head();
    const all = await bench.store.entries({ after: 0, limit: 1_000 });
    const issuer = all[0]!.core.event.issuer;
    const queries = [
      {},
      { issuer },
      { type: 'test.done' },
      { resource: 'order/ord-a0' },
      { issuer, resource: 'order/ord-a0' },
    ];
    for (const query of queries) {
      const up = (await bench.store.entries({ ...query, after: 0, limit: 1_000 })).map((entry) => entry.seq);
      const down = await bench.store.entries({ ...query, after: 0, before: seq + 1, limit: 1_000 });
      expect(down.map((entry) => entry.seq)).to.deep.equal(up.toReversed());
      const part = await bench.store.entries({ ...query, after: 1, before: seq, limit: 3 });
      const wanted = up.filter((each) => each > 1 && each < seq).toReversed();
      expect(part.map((entry) => entry.seq)).to.deep.equal(wanted.slice(0, 3));
    }
    expect(await bench.store.entries({ after: 0, before: 1, limit: 5 })).to.deep.equal([]);
  });
}
