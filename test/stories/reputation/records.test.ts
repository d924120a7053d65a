/** Reputation records: what a finished deal records, and who may review it. */
import { expect } from 'chai';
import {
  aboutLabel,
  dealRecordIdOf,
  dimensions,
  reviewIdOf,
  reviewsLabel,
} from '../../../src/machines/reputation/record.js';
import { reviewPart } from '../../../src/machines/reputation/trade.js';
import { accepted, Bench, codeOf } from '../../world/bench.js';
import { didOf } from '../../world/people.js';
import { withToyDeals } from '../../world/toy-deal.js';

describe('Reputation records', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open({ catalogue: withToyDeals });
  });

  /** A deal between Ada and Ben. */
  async function deal(ref: string, price = 5): Promise<void> {
    accepted(await bench.ask('ada', 'toy-deal', ref, 'open', { provider: didOf('ben'), price }));
  }
  const finish = async (ref: string, ending: { inTime: boolean; loser?: string }) =>
    accepted(await bench.ask('ada', 'toy-deal', ref, 'finish', ending));
  async function finished(ref: string, ending: { inTime: boolean; loser?: string } = { inTime: true }, price = 5) {
    await deal(ref, price);
    return finish(ref, ending);
  }
  const review = (who: string, target: string, more: { [field: string]: unknown } = {}) => {
    const body = { target: didOf(target), dimension: 'quality', score: 900, ref: 'toy-1', ...more };
    const id = reviewIdOf(didOf(who), body.ref, body.dimension as 'quality');
    return bench.ask(who, 'reputation', id, 'review', body as never);
  };

  /** The records about a person, oldest first: `fulfillment 500 of toy-1 by ben`. */
  async function recorded(name: string, label = aboutLabel): Promise<string[]> {
    const found = await bench.store.find({
      kind: 'reputation',
      anyLabel: [label(didOf(name))],
      page: { limit: 100, offset: 0 },
    });
    const nameOf = (did: unknown) => ['ada', 'ben', 'cyd'].find((each) => didOf(each) === did);
    return found.items.map(({ context: c }) => `${c.dimension} ${c.score} of ${c.ref} by ${nameOf(c.issuer)}`).sort();
  }

  describe('of a finished deal', () => {
    it('are a transaction of both and the fulfillment of the provider, each by the other party', async () => {
      await finished('toy-1');
      expect(await recorded('ada')).to.deep.equal(['transaction 1000 of toy-1 by ben']);
      expect(await recorded('ben')).to.deep.equal([
        'fulfillment 1000 of toy-1 by ada',
        'transaction 1000 of toy-1 by ada',
      ]);
    });

    it('give 500 to the provider that was late', async () => {
      await finished('toy-1', { inTime: false });
      expect(await recorded('ben')).to.include('fulfillment 500 of toy-1 by ada');
    });

    it('give 200 to the loser of a dispute, for either party', async () => {
      await finished('toy-1', { inTime: true, loser: didOf('ben') });
      await finished('toy-2', { inTime: true, loser: didOf('ada') });
      expect(await recorded('ben')).to.include.members([
        'fulfillment 200 of toy-1 by ada',
        'fulfillment 1000 of toy-2 by ada',
      ]);
      expect(await recorded('ada')).to.include('fulfillment 200 of toy-2 by ben');
    });

    it('are none where nothing was paid', async () => {
      const { snapshots } = await finished('toy-1', { inTime: true }, 0);
      expect(snapshots.map(({ kind }) => kind)).to.deep.equal(['toy-deal']);
    });

    it('are written with the deal in one entry, and once', async () => {
      const { entry } = await finished('toy-1');
      expect(entry.core.versions.map(({ kind }) => kind)).to.deep.equal([
        'toy-deal',
        'reputation',
        'reputation',
        'reputation',
      ]);
      const again = await bench.ask('ada', 'toy-deal', 'toy-1', 'finish', { inTime: true });
      expect(codeOf(again)).to.equal('CONFLICT');
      expect(await recorded('ben')).to.have.length(2);
    });

    it('of two deals with one provider share no version', async () => {
      const [one, two] = [await finished('toy-1'), await finished('toy-2')];
      const ids = [one, two].map(({ entry }) => entry.core.versions.map(({ kind, id }) => `${kind}/${id}`));
      expect(ids[0]!.filter((id) => ids[1]!.includes(id))).to.deep.equal([]);
    });
  });

  describe('of a review', () => {
    it('hold what the signer says, about the other party', async () => {
      await finished('toy-1');
      const { snapshots } = accepted(await review('ada', 'ben', { comment: 'fine', aspects: { speed: 5 } }));
      expect(bench.told(snapshots[0]!.context)).to.deep.equal({
        issuer: didOf('ada'),
        target: didOf('ben'),
        dimension: 'quality',
        score: 900,
        ref: 'toy-1',
        comment: 'fine',
        aspects: { speed: 5 },
        source: 'review',
      });
      accepted(await review('ben', 'ada', { score: 100 }));
      expect(await recorded('ada', reviewsLabel)).to.deep.equal(['quality 100 of toy-1 by ben']);
    });

    it('need a finished deal between signer and target', async () => {
      await deal('toy-1');
      expect(codeOf(await review('ada', 'ben'))).to.equal('UNPROCESSABLE');
      await finish('toy-1', { inTime: true });
      expect(codeOf(await review('cyd', 'ben'))).to.equal('UNPROCESSABLE');
      expect(codeOf(await review('ada', 'cyd'))).to.equal('UNPROCESSABLE');
      expect(codeOf(await review('ada', 'ben', { ref: 'toy-2' }))).to.equal('UNPROCESSABLE');
      expect(codeOf(await review('ada', 'ben', { ref: 'esc-1' }))).to.equal('UNPROCESSABLE');
      expect(codeOf(await review('ada', 'ben'))).to.equal('accepted');
    });

    it('are not about the signer', async () => {
      await finished('toy-1');
      expect(codeOf(await review('ada', 'ada'))).to.equal('FORBIDDEN');
    });

    it('are once for each signer, deal and dimension', async () => {
      await finished('toy-1');
      await finished('toy-2');
      accepted(await review('ada', 'ben'));
      expect(codeOf(await review('ada', 'ben', { score: 1 }))).to.equal('CONFLICT');
      accepted(await review('ada', 'ben', { dimension: 'social' }));
      accepted(await review('ada', 'ben', { ref: 'toy-2' }));
      accepted(await review('ben', 'ada'));
      expect(await recorded('ben', reviewsLabel)).to.have.length(3);
    });

    it('are of all dimensions, beside what the deal has recorded itself', async () => {
      await finished('toy-1');
      for (const dimension of dimensions) {
        for (const [who, target] of [
          ['ada', 'ben'],
          ['ben', 'ada'],
        ] as const) {
          accepted(await review(who, target, { dimension, score: 400 }));
          expect(codeOf(await review(who, target, { dimension, score: 1 })), `${dimension} again`).to.equal('CONFLICT');
        }
      }
      expect(await recorded('ben', reviewsLabel)).to.have.members(
        dimensions.map((dimension) => `${dimension} 400 of toy-1 by ada`),
      );
      const noted = bench.store.tables.snapshot('reputation', dealRecordIdOf('toy-1', 'fulfillment', didOf('ben')));
      expect(noted?.context).to.include({ source: 'deal', score: 1000 });
    });

    it('have one id, whatever the request says', async () => {
      await finished('toy-1');
      const body = { target: didOf('ben'), dimension: 'quality', score: 900, ref: 'toy-1' };
      expect(codeOf(await bench.ask('ada', 'reputation', 'rev-1', 'review', body))).to.equal('UNPROCESSABLE');
    });

    it('with stars, as the workflows of orders add it, counts as the review of quality', () => {
      const comment = { leaf: 'ab'.repeat(32), size: 6 };
      const part = reviewPart({ ref: 'toy-1', signer: didOf('ada'), target: didOf('ben'), rating: 4, comment });
      expect(part).to.deep.include({ id: reviewIdOf(didOf('ada'), 'toy-1', 'quality'), action: 'review' });
      expect(part.input).to.deep.equal({
        target: didOf('ben'),
        dimension: 'quality',
        score: 800,
        ref: 'toy-1',
        comment,
      });
    });
  });

  it('pass the audit', async () => {
    await finished('toy-1', { inTime: false, loser: didOf('ben') });
    accepted(await review('ada', 'ben'));
    expect((await bench.audit()).flaw).to.equal(undefined);
  });
});
