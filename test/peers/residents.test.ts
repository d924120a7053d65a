import { expect } from 'chai';
import type { Did } from '../../src/core/codecs/did.js';
import { MovedDids } from '../../src/peers/moved-dids.js';
import { Residents } from '../../src/peers/peering/residents.js';
import type { ForeignHome } from '../../src/peers/reading/foreign.js';
import { unseenAccount } from '../../src/store/store.js';
import { ada, didOf } from '../world/people.js';

const [own, old, next] = ['own', 'old', 'next'].map(didOf) as [Did, Did, Did];
const movedAt = 1_000;

describe('Residents of other homes', () => {
  /** By home, what its journal says about Ada's residence. */
  let residences: Map<string, { readonly home: string; readonly epoch: number }>;
  let signedAt: Set<string>;
  let reads: number;
  let moved: MovedDids;
  let residents: Residents;

  const storeOf = (home: string) =>
    ({
      account: async (did: string) => ({ ...unseenAccount(did), nonce: signedAt.has(home) ? 1 : 0 }),
      load: async () => {
        reads++;
        const context = residences.get(home);
        return context && { context, lastHash: 'e', updatedAt: movedAt };
      },
    }) as never;

  beforeEach(() => {
    residences = new Map();
    signedAt = new Set([old]);
    reads = 0;
    const homes = [old, next].map((home) => ({ home, store: storeOf(home) }) as unknown as ForeignHome);
    moved = new MovedDids(own, storeOf(own), { all: () => homes });
    residents = new Residents(storeOf, moved);
  });

  const moves = (journal: string, home: string, epoch: number) => {
    residences.set(journal, { home, epoch });
    moved.saw({ versions: [{ kind: 'residence', id: ada }] } as never);
  };
  const livesAt = (home: Did, time?: number) => residents.isResident(home, ada, time);

  it('are those that have signed there', async () => {
    expect([await livesAt(old), await livesAt(next)]).to.deep.equal([true, false]);
    expect(await residents.isResident(next, next)).to.equal(true);
  });

  it('move: the new home is shown everything, the old one what was written before', async () => {
    await livesAt(old);
    moves(old, next, 1);
    expect(await livesAt(next, movedAt - 1)).to.equal(true);
    expect(await livesAt(next)).to.equal(true);
    expect(await livesAt(old, movedAt - 1)).to.equal(true);
    expect(await livesAt(old, movedAt)).to.equal(false);
    expect(await livesAt(old)).to.equal(false);
  });

  it('are shown at both homes that claim them', async () => {
    moves(old, old, 1);
    moves(next, next, 1);
    expect([await livesAt(old), await livesAt(next)]).to.deep.equal([true, true]);
  });

  it('are looked up once, and again after a move', async () => {
    for (let times = 0; times < 3; times++) await moved.of(ada);
    expect(reads).to.equal(3);
    expect(await moved.refusalOf(ada)).to.equal(undefined);
    moves(next, next, 1);
    expect((await moved.refusalOf(ada))?.detail).to.include(next);
    expect(reads).to.equal(6);
  });

  it('are not remembered as they were while an entry came in', async () => {
    const asked = moved.of(ada);
    moves(next, next, 1);
    await asked;
    expect((await moved.refusalOf(ada))?.code).to.equal('UNPROCESSABLE');
  });
});
