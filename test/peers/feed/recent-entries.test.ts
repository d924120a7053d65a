import { expect } from 'chai';
import { RecentEntries } from '../../../src/peers/feed/recent-entries.js';
import type { NumberedEntry } from '../../../src/store/entry.js';
import { life } from '../../world/history.js';

describe('The newest entries of a journal', () => {
  let entries: readonly NumberedEntry[];
  let recent: RecentEntries;
  before(async () => {
    entries = await (await life()).store.entries({ after: 0, limit: 20 });
  });
  beforeEach(() => {
    recent = new RecentEntries();
  });
  const seen = (after: number, limit = 100) => recent.after(after, limit).map(({ seq }) => seq);

  it('are given after a number, at most so many, and none where the next one is missing', () => {
    for (const entry of entries.slice(4, 8)) recent.saw(entry);
    expect(seen(4)).to.deep.equal([5, 6, 7, 8]);
    expect(seen(6, 1)).to.deep.equal([7]);
    for (const after of [0, 3, 8, 20]) expect(seen(after), `after ${after}`).to.deep.equal([]);
  });

  it('are without gaps: another process may have written those between', () => {
    for (const entry of [...entries.slice(0, 3), ...entries.slice(5, 7)]) recent.saw(entry);
    expect(seen(0)).to.deep.equal([]);
    expect(seen(5)).to.deep.equal([6, 7]);
  });

  it('are bounded', () => {
    const [entry] = entries;
    for (let seq = 1; seq <= 10_000; seq++) recent.saw({ ...entry!, seq });
    expect(seen(0)).to.deep.equal([]);
    expect(seen(9_998)).to.deep.equal([9_999, 10_000]);
  });
});
