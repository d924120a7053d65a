import { expect } from 'chai';
import { noHash, type Receipt, receiptHashOf } from '../../../src/store/entry.js';
import type { Bench } from '../fixture.js';

export function records(bench: Bench): void {
  describe('alarms', () => {
    const due = async (before: number, limit = 10) =>
      (await bench.store.due(before, limit)).map(({ kind, id, action, at }) => `${kind}/${id} ${action} ${at}`);

    it('come earliest first, then by kind and id', async () => {
      const { builder } = bench;
      const order = (id: string, at: number, kind = 'order') =>
        builder.resource({ kind, id, alarm: { at, action: 'expire' } });
      expect(await due(100)).to.deep.equal([]);
      await bench.accept(order('b', 20), order('a', 20), order('c', 10), order('a', 20, 'escrow'), order('d', 30));
      await bench.accept(builder.resource({ kind: 'order', id: 'quiet' }));
      const expected = ['order/c expire 10', 'escrow/a expire 20', 'order/a expire 20', 'order/b expire 20'];
      expect(await due(20)).to.deep.equal(expected);
      expect(await due(29, 2)).to.deep.equal(expected.slice(0, 2));
      expect(await due(9)).to.deep.equal([]);
    });

    it('stay until a version changes or clears them', async () => {
      const { builder } = bench;
      const order = (alarm?: { at: number; action: string } | null) =>
        builder.resource({ kind: 'order', id: 'o', ...(alarm !== undefined && { alarm }) });
      await bench.accept(order({ at: 10, action: 'expire' }), order());
      expect(await due(100)).to.deep.equal(['order/o expire 10']);
      await bench.accept(order({ at: 50, action: 'confirm' }));
      expect(await due(100)).to.deep.equal(['order/o confirm 50']);
      await bench.accept(order(null));
      expect(await due(100)).to.deep.equal([]);
    });
  });

  describe('receipts', () => {
    const hashOfTx = (n: number): string => `0x${String(n).padStart(2, '0').repeat(32)}`;
    const receipt = (entryHash: string, status: Receipt['status'], blockNumber: number): Receipt => ({
      entryHash,
      seq: Number(entryHash.slice(1)),
      status,
      txHash: hashOfTx(blockNumber),
      blockNumber,
    });

    it('are numbered and chained; the newest of an entry counts', async () => {
      const first = { ...receipt('e1', 'pending', 1), detail: { gas: [1, 2] } };
      const second = receipt('e2', 'pending', 1);
      const third = receipt('e1', 'confirmed', 2);
      await bench.store.appendReceipts([first, second]);
      await bench.store.appendReceipts([]);
      await bench.store.appendReceipts([third]);
      const h1 = receiptHashOf(1, noHash, first);
      const h2 = receiptHashOf(2, h1, second);
      const h3 = receiptHashOf(3, h2, third);
      const all = [
        { ...first, number: 1, prevReceipt: noHash, receiptHash: h1 },
        { ...second, number: 2, prevReceipt: h1, receiptHash: h2 },
        { ...third, number: 3, prevReceipt: h2, receiptHash: h3 },
      ];
      expect(await bench.store.receipts(0, 10)).to.deep.equal(all);
      expect(await bench.store.receipts(1, 1)).to.deep.equal([all[1]]);
      expect(await bench.store.receipt('e1')).to.deep.equal(all[2]);
      expect(await bench.store.receipt('e3')).to.equal(undefined);
    });

    it('are found by their transaction, also when the entry has a newer one', async () => {
      const receipts = [receipt('e1', 'confirmed', 1), receipt('e2', 'confirmed', 1), receipt('e3', 'confirmed', 2)];
      await bench.store.appendReceipts(receipts);
      await bench.store.appendReceipts([receipt('e2', 'confirmed', 3)]);
      const found = async (txHash: string) =>
        (await bench.store.receiptsOf(txHash)).map(({ seq, number }) => [seq, number]);
      expect(await found(hashOfTx(1))).to.deep.equal([
        [1, 1],
        [2, 2],
      ]);
      expect(await found(hashOfTx(3))).to.deep.equal([[2, 4]]);
      // A hash with the same beginning, and texts that are not hashes.
      for (const other of [`${hashOfTx(1).slice(0, 60)}ffffff`, hashOfTx(4), '', '0x', 'zz', '0xzz']) {
        expect(await found(other), other).to.deep.equal([]);
      }
      await bench.reopen();
      expect(await found(hashOfTx(2))).to.deep.equal([[3, 3]]);
    });
  });

  describe('local records', () => {
    it('are put only over the revision that the caller saw', async () => {
      const { store } = bench;
      expect(await store.getLocal('keys', 'k1')).to.equal(undefined);
      expect(await store.putLocal('keys', 'k1', { uses: 1 }, 1)).to.equal(false);
      expect(await store.putLocal('keys', 'k1', { uses: 1 }, 0)).to.equal(true);
      expect(await store.putLocal('keys', 'k1', { uses: 9 }, 0)).to.equal(false);
      expect(await store.putLocal('keys', 'k1', { uses: 2 }, 1)).to.equal(true);
      expect(await store.putLocal('keys', 'k1', { uses: 9 }, 1)).to.equal(false);
      expect(await store.getLocal('keys', 'k1')).to.deep.equal({ id: 'k1', revision: 2, value: { uses: 2 } });
    });

    it('are won by one of many', async () => {
      const puts = Array.from({ length: 20 }, (_, n) => bench.store.putLocal('keys', 'k1', { n }, 0));
      expect((await Promise.all(puts)).filter(Boolean)).to.have.length(1);
    });

    it('are listed by id, each table for itself, and begin again after being deleted', async () => {
      const { store } = bench;
      expect(await store.localTables()).to.deep.equal([]);
      for (const id of ['b', 'a', 'c']) await store.putLocal('keys', id, { id }, 0);
      await store.putLocal('cursors', 'a', { seq: 1 }, 0);
      expect(await store.deleteLocal('keys', 'c')).to.equal(true);
      expect(await store.deleteLocal('keys', 'c')).to.equal(false);
      expect((await store.listLocal('keys')).map(({ id }) => id)).to.deep.equal(['a', 'b']);
      expect(await store.localTables()).to.deep.equal(['cursors', 'keys']);
      expect(await store.listLocal('nothing')).to.deep.equal([]);
      await store.deleteLocal('cursors', 'a');
      expect(await store.localTables()).to.deep.equal(['keys']);
      expect(await store.putLocal('keys', 'c', { again: true }, 0)).to.equal(true);
      expect(await store.getLocal('keys', 'c')).to.deep.include({ revision: 1 });
    });
  });
}
