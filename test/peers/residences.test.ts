import { expect } from 'chai';
import { type ReadJournal, residencesOf } from '../../src/peers/residences.js';
import { unseenAccount } from '../../src/store/store.js';
import { ada, didOf } from '../world/people.js';

const [a, b, c] = ['home a', 'home b', 'home c'].map(didOf) as [string, string, string];

/** @param residence what the journal says about Ada's residence */
const journal = (home: string, nonce: number, residence?: object): ReadJournal => ({
  home,
  store: {
    account: async (did) => (did === ada ? { ...unseenAccount(did), nonce } : undefined),
    load: async (kind, id) =>
      (kind === 'residence' && id === ada && residence ? { context: residence } : undefined) as never,
  },
});

const placesOf = async (did: string, journals: readonly ReadJournal[]) =>
  (await residencesOf(did, journals)).map(({ home, epoch }) => ({ home, epoch }));

describe('The residence of a DID', () => {
  it('is where it has signed; a home lives at itself', async () => {
    const journals = [journal(a, 0), journal(b, 3)];
    expect(await placesOf(ada, journals)).to.deep.equal([{ home: b, epoch: 0 }]);
    expect(await placesOf(a, journals)).to.deep.equal([{ home: a, epoch: 0 }]);
    expect(await placesOf(didOf('stranger'), journals)).to.deep.equal([]);
  });

  it('is that of the highest epoch, whatever other homes go on claiming', async () => {
    const moved = { home: c, epoch: 1 };
    for (const journals of [
      [journal(b, 9, moved), journal(c, 1, moved)],
      [journal(b, 9, moved)],
      [journal(b, 9), journal(c, 1, moved)],
    ])
      expect(await placesOf(ada, journals)).to.deep.equal([moved]);
  });

  it('is shown for each home that claims it in the same epoch', async () => {
    const journals = [journal(a, 1, { home: a, epoch: 2 }), journal(b, 1), journal(c, 1, { home: c, epoch: 2 })];
    expect(await placesOf(ada, journals)).to.deep.equal([
      { home: a, epoch: 2 },
      { home: c, epoch: 2 },
    ]);
  });
});
