/** Thousands of random requests compared with an independent model. `SVC_TEST_LONG=1` runs for minutes instead of seconds. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isLong } from '../support/long.js';
import { type SimulatedCommand, sequence } from './commands.js';
import { Driver } from './driver.js';

/** The short form has a fixed seed; the long form explores new histories. */
const effort = isLong ? { numRuns: 4_000 } : { numRuns: 250, seed: 20_260_615 };
const longest = isLong ? 80 : 40;

describe('simulation: random sequences of requests', () => {
  it('do what the model says: same answers, same books, conservation and audit after every entry', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(sequence(longest), async (commands: SimulatedCommand[]) => {
        const driver = await Driver.open();
        for (const each of commands) {
          const { expected, actual } = await driver.run(each);
          expect(actual, JSON.stringify(each)).to.equal(expected);
          const answer = `${each.do} ${actual}`;
          seen.set(answer, (seen.get(answer) ?? 0) + 1);
          await driver.check();
        }
        await driver.finish();
      }),
      effort,
    );
    // A simulation that reaches few results proves nothing.
    for (const answer of reached) expect(seen.get(answer) ?? 0, answer).to.be.above(0);
  });
});

const reached = [
  'transfer accepted',
  'transfer INSUFFICIENT_BALANCE',
  'transfer TRANSFER_NOT_ALLOWED',
  'transfer UNPROCESSABLE',
  'collect accepted',
  'create accepted',
  'create CONFLICT',
  'create UNPROCESSABLE',
  'create INVALID_REQUEST',
  'create INSUFFICIENT_BALANCE',
  'fund accepted',
  'fund FORBIDDEN',
  'fund ESCROW_INVALID_STATE',
  'release accepted',
  'release FORBIDDEN',
  'release ESCROW_NOT_FOUND',
  'release ESCROW_INVALID_STATE',
  'release ESCROW_RULE_NOT_MET',
  'release UNPROCESSABLE',
  'refund accepted',
  'refund FORBIDDEN',
  'refund UNPROCESSABLE',
  'expire accepted',
  'expire ESCROW_INVALID_STATE',
  'giveUp accepted',
  'giveUp FORBIDDEN',
];
