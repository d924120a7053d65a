import { expect } from 'chai';
import { StoreFault } from '../../../src/store/store.js';
import { type Bench, firstPage, rejection } from '../fixture.js';
import { lifeOfMoney } from './ledger.js';

const ada = 'did:svc:ada';

export function reopening(bench: Bench): void {
  describe('after closing', () => {
    it('refuses to write', async () => {
      const { store } = bench;
      await bench.reopen();
      expect(await rejection(store.append([bench.builder.mint(ada, 1)]))).to.be.instanceOf(StoreFault);
    });

    it('finishes what was asked before', async () => {
      const asked = Array.from({ length: 10 }, () => bench.store.append([bench.builder.mint(ada, 1)]));
      await bench.reopen();
      expect((await Promise.all(asked)).every(([result]) => result?.ok)).to.equal(true);
      expect(await bench.store.account(ada)).to.include({ available: 10 });
    });
  });

  describe('reopened', () => {
    const everything = async () => ({
      head: await bench.store.head(),
      account: await bench.store.account(ada),
      totals: await bench.store.totals(),
      history: await bench.store.history(ada, undefined, firstPage),
      entries: await bench.store.entries({ after: 0, limit: 100 }),
      found: await bench.store.find({ kind: 'order', anyLabel: ['l'], page: firstPage }),
      recalled: await bench.store.recall('p', 'k', bench.builder.time),
      due: await bench.store.due(10, 10),
      receipts: await bench.store.receipts(0, 10),
      locals: await bench.store.listLocal('keys'),
      census: await bench.store.census(),
    });

    it('answers as before, and continues where it stopped', async () => {
      const { builder } = bench;
      const order = { kind: 'order', id: 'o1', add: ['l'], alarm: { at: 5, action: 'expire' } };
      await bench.accept(...lifeOfMoney(builder), builder.resource(order, { idem: { principal: 'p', key: 'k' } }));
      await bench.store.appendReceipts([
        { entryHash: 'e1', seq: 1, status: 'confirmed', txHash: '0x1', blockNumber: 1 },
      ]);
      await bench.store.putLocal('keys', 'k1', { a: 1 }, 0);
      const before = await everything();
      await bench.reopen();
      expect(await everything()).to.deep.equal(before);

      const [next] = await bench.accept(builder.transfer(ada, 'did:svc:new', 1));
      expect(next).to.include({ seq: before.head.seq + 1, prevEntry: before.head.chainHash });
      await bench.accept(builder.resource({ kind: 'order', id: 'o1', state: 'paid' }));
      await bench.accept(builder.resource({ kind: 'order', id: 'o2', add: ['l'] }));
      expect((await bench.store.find({ kind: 'order', anyLabel: ['l'], page: firstPage })).total).to.equal(2);
      await bench.store.appendReceipts([
        { entryHash: 'e1', seq: 1, status: 'confirmed', txHash: '0x1', blockNumber: 2 },
      ]);
      expect(await bench.store.receipt('e1')).to.include({ number: 2, prevReceipt: before.receipts[0]!.receiptHash });
    });
  });
}
