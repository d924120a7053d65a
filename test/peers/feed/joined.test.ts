import { expect } from 'chai';
import { feedBounds } from '../../../src/core/bounds.js';
import { type BadLine, type FeedBatch, joined } from '../../../src/peers/feed/feed-batch.js';

/** A batch whose entries end at this number, as its line says and as its checkpoint does. */
const batch = (last: number, count: number, covered = last): FeedBatch =>
  ({
    end: { checkpoint: { home: 'ada', network: 'devnet', seq: covered, chainHash: `hash ${covered}` }, head: last },
    links: Array.from({ length: count }, (_, index) => last - count + 1 + index),
    last: { seq: last, chainHash: `hash ${last}` },
    line: `line ${last}`,
  }) as unknown as FeedBatch;

const shape = (taken: readonly (FeedBatch | BadLine)[]) =>
  joined(taken).map((each) => ('flaw' in each ? each.flaw : [each.end.checkpoint.seq, ...each.links]));

describe('Batches of a feed that arrive together', () => {
  it('are one, which the last checkpoint covers', () => {
    expect(shape([batch(2, 2), batch(2, 0), batch(3, 1)])).to.deep.equal([[3, 1, 2, 3]]);
    expect(joined([batch(1, 1), batch(2, 1)])[0]).to.include({ line: 'line 2' });
    expect(shape([])).to.deep.equal([]);
  });

  it('are not joined beyond the size of a batch', () => {
    const most = feedBounds.batchEntries;
    const sizes = joined([batch(most - 50, most - 50), batch(most, 50), batch(most + 1, 1), batch(most + 3, 2)]).map(
      (each) => 'links' in each && each.links.length,
    );
    expect(sizes).to.deep.equal([most, 3]);
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
