/**
 * Each guard of contracts and disputes, broken: always yes, then always no. The sessions must notice each time; what
 * they cannot notice is named, with the reason. Long form only: fifty laws take their time.
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
 * Nothing but the dispute's workflow brings `resolve` to a contract: the guard is the second lock of that door. A milestone
 * that is not there, or none that takes it, is refused by `milestoneTakesIt` as well: only the code is another, and the
 * stories look at that.
 */
const unnoticed = [
  'contract.isHeard = true',
  'contract.milestoneIsKnown = true',
  'contract.someMilestoneTakesIt = true',
];
/** Only what is about an order gets there: the sessions of all markets, and the stories of orders. */
const elsewhere = ['dispute.endsByItself = false', 'dispute.hasWaited = true', 'dispute.hasWaited = false'];

const notices = async (): Promise<boolean> => {
  const property = fc.asyncProperty(session, async (commands) => {
    const people = await Session.open();
    for (const each of commands) await people.run(each);
    await people.rest();
  });
  return (await fc.check(property, { numRuns: 600, endOnFailure: true })).failed;
};

(isLong ? describe : () => {})('A guard that is broken', function () {
  this.timeout(120_000);

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
