import { expect } from 'chai';
import { type BadLine, type FeedBatch, joined } from '../../../src/peers/feed/feed-batch.js';

/** A batch whose entries end at this number, as its line says and as its checkpoint does. */
const batch = (last: number, count: number, covered = last): FeedBatch =>
  ({
    end: { checkpoint: { home: 'ada', network: 'devnet', seq: covered, chainHash: `hash ${covered}` }, head: last },
    entries: Array.from({ length: count }, (_, index) => last - count + 1 + index),
    last: { seq: last, chainHash: `hash ${last}` },
    line: `line ${last}`,
  }) as unknown as FeedBatch;

const shape = (taken: readonly (FeedBatch | BadLine)[]) =>
  joined(taken).map((each) => ('flaw' in each ? each.flaw : [each.end.checkpoint.seq, ...each.entries]));

describe('Batches of a feed that arrive together', () => {
  it('are one, which the last checkpoint covers', () => {
    expect(shape([batch(2, 2), batch(2, 0), batch(3, 1)])).to.deep.equal([[3, 1, 2, 3]]);
    expect(joined([batch(1, 1), batch(2, 1)])[0]).to.include({ line: 'line 2' });
    expect(shape([])).to.deep.equal([]);
  });

  it('are not joined beyond the size of a batch', () => {
    const sizes = joined([batch(150, 150), batch(200, 50), batch(201, 1), batch(203, 2)]).map(
      (each) => 'entries' in each && each.entries.length,
    );
    expect(sizes).to.deep.equal([200, 3]);
  });

  it('stay apart where a checkpoint is not of the entries before it, or a line is bad', () => {
    expect(shape([batch(1, 1, 7), batch(2, 1)])).to.deep.equal([
      [7, 1],
      [2, 2],
    ]);
    const bad = { flaw: 'bad', seq: 3, line: '' };
    expect(shape([batch(1, 1), batch(2, 1), bad])).to.deep.equal([[2, 1, 2], 'bad']);
  });
});
