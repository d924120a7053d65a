import { expect } from 'chai';
import sinon from 'sinon';
import { JournalTail, streamStart } from '../../../src/chain/settlement/stream.js';
import type { NumberedEntry } from '../../../src/store/entry.js';

const entry = (seq: number) => ({ seq, core: { moves: [] } }) as unknown as NumberedEntry;

/** A tail over a journal of that many entries, and the reads that reached the store. */
function tailOf(stored: number, kept = 10) {
  const entries = sinon.spy(async ({ after = 0, limit = 0 }) =>
    Array.from({ length: Math.max(0, Math.min(limit, stored - after)) }, (_, index) => entry(after + 1 + index)),
  );
  const tail = new JournalTail({ entries }, kept);
  const behind = async (seq: number) => (await tail.after(seq, 100)).map((each) => each.seq);
  return { tail, behind, entries };
}

describe('the end of the journal, as the settler reads it', () => {
  it('is known if each entry was announced, without reading the store', async () => {
    const { tail, behind, entries } = tailOf(3);
    for (const seq of [1, 2, 3]) tail.push(entry(seq));
    expect(await behind(0)).to.deep.equal([1, 2, 3]);
    expect(await behind(3)).to.deep.equal([]);
    tail.forget(3);
    expect(await behind(3)).to.deep.equal([]);
    sinon.assert.notCalled(entries);
    tail.push(entry(4));
    expect(await behind(3)).to.deep.equal([4]);
  });

  it('ends at the highest number, in any order of announcement', async () => {
    const { tail, behind } = tailOf(3);
    for (const seq of [1, 3, 2]) tail.push(entry(seq));
    expect(await behind(2)).to.deep.equal([3]);
    expect(await behind(3)).to.deep.equal([]);
  });

  it('is read from the store before the first announcement, and after a gap', async () => {
    const { tail, behind, entries } = tailOf(4);
    expect(await behind(0)).to.deep.equal([1, 2, 3, 4]);
    expect(await behind(4)).to.deep.equal([]);
    tail.push(entry(4));
    expect(await behind(2)).to.deep.equal([3, 4]);
    sinon.assert.calledThrice(entries);
  });

  it('is read from the store to compare journal and chain, because another process may have written entries', async () => {
    const { tail } = tailOf(5);
    for (const seq of [1, 2, 3]) tail.push(entry(seq));
    const read: number[] = [];
    for await (const { after } of tail.from(streamStart('devnet'))) read.push(after.entry);
    expect(read).to.deep.equal([1, 2, 3, 4, 5]);
  });
});
