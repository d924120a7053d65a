/**
 * Breaks each guard of contracts and disputes: always true, then always false. The sessions must notice each; exceptions are
 * listed with their reason. Long form only, because fifty machines take their time.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { AnyStateMachine } from 'xstate';
import { contractMachine } from '../../../src/machines/contract/machine.js';
import { disputeMachine } from '../../../src/machines/dispute/machine.js';
import { isLong } from '../../support/long.js';
import { Session, session } from './session.js';

const machines: { readonly [kind: string]: AnyStateMachine } = { contract: contractMachine, dispute: disputeMachine };

/**
 * Only the dispute's workflow sends `resolve` to a contract, so its guard is a second check there. An unknown milestone, or one
 * that can't take the event, is refused by `milestoneTakesIt` as well: only the code differs, and the stories check that.
 */
const unnoticed = [
  'contract.isHeard = true',
  'contract.milestoneIsKnown = true',
  'contract.someMilestoneTakesIt = true',
];
/** Guards that only disputes of orders reach: tested by the sessions of all markets and the stories of orders. */
const elsewhere = ['dispute.endsByItself = false', 'dispute.hasWaited = true', 'dispute.hasWaited = false'];

const notices = async (): Promise<boolean> => {
  const property = fc.asyncProperty(session, async (commands) => {
    const people = await Session.open();
    for (const each of commands) await people.run(each);
    await people.rest();
  });
  return (await fc.check(property, { numRuns: 600, endOnFailure: true })).failed;
};

(isLong ? describe : () => {})('A guard that is broken', () => {
  for (const [kind, { implementations }] of Object.entries(machines)) {
    const guards = implementations.guards as { [name: string]: unknown };
    for (const name of Object.keys(guards)) {
      for (const answer of [true, false]) {
        const mutant = `${kind}.${name} = ${answer}`;
        if (unnoticed.includes(mutant) || elsewhere.includes(mutant)) continue;
        it(`is noticed: ${mutant}`, async () => {
          const sound = guards[name];
          guards[name] = () => answer;
          try {
            expect(await notices()).to.equal(true);
          } finally {
            guards[name] = sound;
          }
        });
      }
    }
  }
});
