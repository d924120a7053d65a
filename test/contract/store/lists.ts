import { expect } from 'chai';
import { RefusedError } from '../../../src/core/refusal.js';
import type { EventQuery, FindQuery } from '../../../src/store/store.js';
import { type Bench, firstPage, rejection } from '../fixture.js';

const ada = 'did:svc:ada';
const bob = 'did:svc:bob';

export function lists(bench: Bench): void {
  const ids = async (query: Partial<FindQuery>) => {
    const { items, total, next } = await bench.store.find({ kind: 'order', page: firstPage, ...query });
    return { ids: items.map(({ id }) => id).join(' '), total, next };
  };

  /** o1 to o4, one millisecond apart, and a resource of another kind between them. */
  const someOrders = () => {
    const { builder } = bench;
    return bench.accept(
      builder.resource({ kind: 'order', id: 'o1', state: 'open', add: ['buyer:ada', 'seller:bob'] }),
      builder.resource({ kind: 'order', id: 'o2', state: 'open', add: ['buyer:bob', 'seller:ada'] }),
      builder.resource({ kind: 'escrow', id: 'o1', state: 'open', add: ['buyer:ada'] }),
      builder.resource({ kind: 'order', id: 'o3', state: 'paid', add: ['buyer:ada'] }),
      builder.resource({ kind: 'order', id: 'o4', state: 'paid' }),
    );
  };

  describe('find', () => {
    it('loads a snapshot as it was written', async () => {
      const context = { amount: 5, nested: { list: [1, 'zwei', null, true] }, text: 'ü"\\\u0001' };
      const { entry, snapshots } = bench.builder.resource({ kind: 'order', id: 'o1', context });
      await bench.accept({ entry, snapshots });
      expect(await bench.store.load('order', 'o1')).to.deep.equal(snapshots[0]!.snapshot);
      expect(await bench.store.load('escrow', 'o1')).to.equal(undefined);
    });

    it('selects by kind, by any of the labels, and by state', async () => {
      await someOrders();
      expect(await ids({})).to.deep.equal({ ids: 'o4 o3 o2 o1', total: 4, next: null });
      expect(await ids({ anyLabel: [] })).to.deep.include({ total: 4 });
      expect(await ids({ anyLabel: ['buyer:ada'] })).to.deep.include({ ids: 'o3 o1', total: 2 });
      expect(await ids({ anyLabel: ['buyer:ada', 'seller:ada', 'seller:bob'] })).to.deep.include({
        ids: 'o3 o2 o1',
        total: 3,
      });
      expect(await ids({ states: ['open'] })).to.deep.include({ ids: 'o2 o1', total: 2 });
      expect(await ids({ states: ['open', 'paid'] })).to.deep.include({ total: 4 });
      expect(await ids({ states: [] })).to.deep.include({ ids: '', total: 0 });
      expect(await ids({ anyLabel: ['buyer:ada'], states: ['paid'] })).to.deep.include({ ids: 'o3', total: 1 });
      expect(await ids({ anyLabel: ['buyer:ada', 'seller:ada'], states: ['open'] })).to.deep.include({
        ids: 'o2 o1',
        total: 2,
      });
      expect(await ids({ kind: 'escrow', anyLabel: ['buyer:ada'] })).to.deep.include({ ids: 'o1', total: 1 });
      expect(await ids({ anyLabel: ['buyer:eve'] })).to.deep.equal({ ids: '', total: 0, next: null });
    });

    it('shows resources of several kinds as one list, each by its own labels and states', async () => {
      await someOrders();
      const escrows = { kind: 'escrow', anyLabel: ['buyer:ada'] };
      expect(await ids({ also: [escrows] })).to.deep.equal({ ids: 'o4 o3 o1 o2 o1', total: 5, next: null });
      expect(await ids({ anyLabel: ['buyer:ada', 'seller:bob'], also: [escrows] })).to.deep.include({
        ids: 'o3 o1 o1',
        total: 3,
      });
      expect(await ids({ states: ['paid'], also: [{ ...escrows, states: ['open'] }] })).to.deep.include({
        ids: 'o4 o3 o1',
        total: 3,
      });
      expect(await ids({ states: ['paid'], also: [{ ...escrows, states: ['paid'] }] })).to.deep.include({ total: 2 });
      expect(await ids({ kind: 'lease', also: [escrows] })).to.deep.include({ ids: 'o1', total: 1 });
    });

    it('pages over several kinds by offset, and by a cursor that is a place in time', async () => {
      await someOrders();
      const also = [{ kind: 'escrow' }];
      expect(await ids({ also, page: { limit: 2, offset: 1 } })).to.deep.include({ ids: 'o3 o1', total: 5 });
      const { next } = await ids({ also, page: { limit: 2, offset: 0 } });
      const rest = await ids({ also, page: { limit: 2, offset: 0, after: next! } });
      expect(rest).to.deep.include({ ids: 'o1 o2', total: 5 });
      expect(await ids({ also, page: { limit: 2, offset: 0, after: rest.next! } })).to.deep.equal({
        ids: 'o1',
        total: 5,
        next: null,
      });
      expect(await ids({ also, page: { limit: 2, offset: 5 } })).to.deep.equal({ ids: '', total: 5, next: null });
    });

    it('gives what is large whole and in its order, and its entries too', async () => {
      const { builder } = bench;
      const made = ['a', 'b', 'c', 'd', 'e'].map((id) =>
        builder.resource({ kind: 'order', id, context: { text: id.repeat(300_000) } }),
      );
      await bench.accept(...made);
      const { items, total } = await bench.store.find({ kind: 'order', page: firstPage });
      expect(items).to.deep.equal(made.map(({ snapshots }) => snapshots[0]!.snapshot).reverse());
      expect(total).to.equal(5);
      const read = await bench.store.entries({ after: 0, limit: 4, type: 'test.done' });
      expect(read.map(({ seq, payloadText }) => [seq, payloadText])).to.deep.equal(
        made.slice(0, 4).map(({ entry }, index) => [index + 1, entry.payloadText]),
      );
    });

    it('ends a page where its texts get too long, and continues after it', async () => {
      const { builder } = bench;
      const made = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, index) =>
        builder.resource({ kind: 'order', id, context: { text: id.repeat(index === 2 ? 90_000 : 30_000) } }),
      );
      await bench.accept(...made);
      const pages: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = { limit: 4, offset: 0, characters: 70_000, ...(after === undefined ? {} : { after }) };
        const { items, next, total } = await bench.store.find({ kind: 'order', page });
        expect(total).to.equal(6);
        pages.push(items.map(({ id }) => id).join(''));
        after = next;
      }
      expect(pages).to.deep.equal(['fe', 'd', 'c', 'ba']);
      const skipped = { limit: 4, offset: 4, characters: 200_000 };
      expect((await bench.store.find({ kind: 'order', page: skipped })).items.map(({ id }) => id)).to.deep.equal([
        'b',
        'a',
      ]);
      const numbers = async (query: object) =>
        (await bench.store.entries({ after: 0, limit: 6, ...query })).map(({ seq }) => seq);
      expect(await numbers({ characters: 70_000 })).to.deep.equal([1, 2]);
      expect(await numbers({ characters: 70_000, type: 'test.done' })).to.deep.equal([1, 2]);
      expect(await numbers({ characters: 70_000, after: 2 })).to.deep.equal([3]);
      expect(await numbers({ characters: 500_000 })).to.deep.equal([1, 2, 3, 4, 5, 6]);
    });

    it('adds and drops labels with a version; what is in both stays', async () => {
      await someOrders();
      const { builder } = bench;
      await bench.accept(
        builder.resource({ kind: 'order', id: 'o1', drop: ['buyer:ada', 'never'], add: ['buyer:eve'] }),
      );
      expect(await ids({ anyLabel: ['buyer:ada'] })).to.deep.include({ ids: 'o3', total: 1 });
      expect(await ids({ anyLabel: ['buyer:eve'] })).to.deep.include({ ids: 'o1', total: 1 });
      await bench.accept(builder.resource({ kind: 'order', id: 'o1', drop: ['buyer:eve'], add: ['buyer:eve'] }));
      expect(await ids({ anyLabel: ['buyer:eve', 'buyer:ada'] })).to.deep.include({ ids: 'o3 o1', total: 2 });
    });

    it('orders by creation, then id, both descending; a new version changes no place', async () => {
      const { builder } = bench;
      const at = { time: builder.time + 5 };
      await bench.accept(
        builder.resource({ kind: 'order', id: 'b', add: ['x'] }, at),
        builder.resource({ kind: 'order', id: 'a', add: ['x'] }, at),
        builder.resource({ kind: 'order', id: 'c', add: ['x'] }, at),
        builder.resource({ kind: 'order', id: 'a0', add: ['x'] }),
        builder.resource({ kind: 'order', id: 'a', state: 'late' }),
      );
      expect((await ids({})).ids).to.equal('a0 c b a');
      expect((await ids({ anyLabel: ['x', 'y'] })).ids).to.equal('a0 c b a');
    });

    for (const labels of [[], ['buyer:ada'], ['buyer:ada', 'seller:ada']]) {
      it(`pages with cursors that hold while others arrive, with ${labels.length} labels`, async () => {
        const { builder } = bench;
        const make = (id: string) => builder.resource({ kind: 'order', id, state: 'open', add: ['buyer:ada'] });
        await bench.accept(...['p1', 'p2', 'p3', 'p4', 'p5'].map(make));
        const query = { anyLabel: labels, states: ['open'] };
        const first = await ids({ ...query, page: { limit: 2, offset: 1 } });
        expect(first).to.deep.include({ ids: 'p4 p3', total: 5 });
        await bench.accept(make('p6'), make('p7'));
        const second = await ids({ ...query, page: { limit: 2, offset: 0, after: first.next! } });
        expect(second).to.deep.equal({ ids: 'p2 p1', total: 7, next: null });
        expect(await ids({ ...query, page: { limit: 5, offset: 100 } })).to.deep.equal({
          ids: '',
          total: 7,
          next: null,
        });
      });
    }

    it('refuses a cursor that is none, or one of another list', async () => {
      await someOrders();
      const history = Buffer.from('[1,2,3]').toString('base64url');
      for (const after of ['', 'x', history, Buffer.from('{"a":1}').toString('base64url')]) {
        const error = await rejection(ids({ page: { limit: 1, offset: 0, after } }));
        expect(error).to.be.instanceOf(RefusedError);
        expect((error as RefusedError).refusal).to.include({ code: 'INVALID_REQUEST' });
      }
      expect(await rejection(bench.store.history(ada, 'sent', { limit: 1, offset: 0, after: '!' }))).to.be.instanceOf(
        RefusedError,
      );
    });

    it('counts resources by kind and state', async () => {
      expect(await bench.store.census()).to.deep.equal([]);
      await someOrders();
      await bench.accept(bench.builder.resource({ kind: 'escrow', id: 'o1', state: 'paid' }));
      expect(await bench.store.census()).to.deep.equal([
        { kind: 'escrow', state: 'paid', count: 1 },
        { kind: 'order', state: 'open', count: 2 },
        { kind: 'order', state: 'paid', count: 2 },
      ]);
    });
  });

  describe('entries', () => {
    const seqs = async (query: Partial<EventQuery>) =>
      (await bench.store.entries({ after: 0, limit: 100, ...query })).map(({ seq }) => seq).join(' ');

    it('are filtered by issuer, resource, account and type, and any of these together', async () => {
      const { builder } = bench;
      await bench.accept(
        builder.mint(ada, 10),
        builder.transfer(ada, bob, 1),
        builder.resource({ kind: 'order', id: 'o1' }, { issuer: ada, type: 'order.made' }),
        builder.resource({ kind: 'order', id: 'o1' }, { issuer: bob, type: 'order.paid' }),
        builder.transfer(bob, ada, 1),
        builder.commit({ issuer: ada, type: 'frozen', moves: [{ op: 'freeze', did: bob }] }),
      );
      expect(await seqs({})).to.equal('1 2 3 4 5 6');
      expect(await seqs({ after: 2, limit: 2 })).to.equal('3 4');
      expect(await seqs({ after: 6 })).to.equal('');
      expect(await seqs({ issuer: ada })).to.equal('2 3 6');
      expect(await seqs({ issuer: ada, after: 2, limit: 1 })).to.equal('3');
      expect(await seqs({ type: 'transferred' })).to.equal('2 5');
      expect(await seqs({ resource: 'order/o1' })).to.equal('3 4');
      expect(await seqs({ resource: 'order/o1', after: 3 })).to.equal('4');
      expect(await seqs({ resource: `account/${ada}` })).to.equal('1 2 5');
      expect(await seqs({ resource: `account/${ada}`, after: 1, limit: 1 })).to.equal('2');
      expect(await seqs({ resource: `account/${bob}` })).to.equal('2 5');
      expect(await seqs({ resource: `account/${ada}`, issuer: ada })).to.equal('2');
      expect(await seqs({ resource: 'order/o1', type: 'order.paid', issuer: bob })).to.equal('4');
      expect(await seqs({ issuer: ada, type: 'transferred' })).to.equal('2');
      for (const unknown of [{ issuer: 'x' }, { type: 'x' }, { resource: 'x' }, { resource: 'order/x' }]) {
        expect(await seqs(unknown)).to.equal('');
      }
    });
  });
}
