import { expect } from 'chai';
import fc from 'fast-check';
import { drafts } from './random-moves.js';
import { play } from './random-stream.js';
import { Stage } from './stage.js';

const numRuns = process.env.SVC_TEST_LONG ? 300 : 15;

describe('random streams', () => {
  it('leave accounts, escrows, sums and head as the model says, and what it refuses is refused by that name', async function () {
    this.timeout(numRuns * 5_000);
    const refusals = new Set<string>();
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(drafts, async (all) => {
        const played = await play(await Stage.open(), all);
        accepted += played.accepted;
        for (const error of played.refused) refusals.add(error);
      }),
      { numRuns },
    );
    // Streams that are refused throughout, or never, would show little.
    expect(accepted).to.be.greaterThan(numRuns * 2);
    expect(refusals.size).to.be.at.least(5);
  });
});
