/**
 * The refusals of the contract's guards: the code, and a message about what is missing
 * (docs/reference/errors.md#codes).
 */

import type { GuardDefinition } from '../kernel/definition.js';
import { functionsFor } from '../kernel/machine-functions.js';
import { type ContractContext, type ContractEvent, namedIn, updated, waiting } from './machine.js';
import { milestoneActions, milestoneStates } from './milestone.js';
import { misfit, misfitOf, partyAsArbiter, sumOf, totalOf } from './terms.js';

const { wordsOn } = functionsFor<ContractContext, ContractEvent>();

const progressOf = ({ milestones }: ContractContext): string => {
  const counts = milestoneStates.map((state) => [milestones.filter((each) => each.state === state).length, state]);
  const some = counts.filter(([count]) => count !== 0);
  return some.length === 0 ? 'it has none' : some.map((each) => each.join(' ')).join(', ');
};

const milestoneNamed = wordsOn(milestoneActions, (held, event) => {
  const { id, state } = namedIn(held, event)!;
  return `${id} is ${state}`;
});

export const contractGuards = {
  isUnsigned: { code: 'CONTRACT_INVALID_STATE', over: 'state', says: 'terms are frozen once a party has signed' },
  milestonesFitBudget: {
    code: 'CONTRACT_MILESTONE_INVALID',
    over: 'input',
    says: misfit,
    about: wordsOn(['update'], (held, { input }) => misfitOf(updated(held, input))),
  },
  arbiterIsNoParty: { code: 'UNPROCESSABLE', over: 'input', says: partyAsArbiter },
  hasNotSigned: { code: 'CONTRACT_INVALID_STATE', over: 'state', says: 'this party has signed already' },
  termsAreCurrent: {
    code: 'CONFLICT',
    over: 'input',
    says: [
      'termsHash is not the hash of the terms, which have changed',
      ({ termsHash }) => `the terms have changed: their hash is ${termsHash}`,
    ],
  },
  signsLast: { code: 'CONTRACT_INVALID_STATE', over: 'state', says: 'another party is still to sign' },
  amountIsAgreed: {
    code: 'UNPROCESSABLE',
    over: 'input',
    says: 'amount must be payment.totalAmount, or without that at least the sum of the milestones',
    about: (held) => `${totalOf(held) ?? sumOf(held.milestones)}`,
  },
  milestoneIsKnown: {
    code: 'CONTRACT_MILESTONE_INVALID',
    over: 'input',
    says: 'the contract has no such milestone',
    about: wordsOn(milestoneActions, (_, { input }) => input.milestoneId),
  },
  someMilestoneTakesIt: {
    code: 'CONTRACT_INVALID_STATE',
    over: 'state',
    says: 'no milestone is in a state for it',
    about: progressOf,
  },
  milestoneTakesIt: {
    code: 'CONTRACT_INVALID_STATE',
    over: 'input',
    says: 'the milestone is not in a state for it',
    about: milestoneNamed,
  },
  envelopeHolds: {
    code: 'CONTRACT_MILESTONE_INVALID',
    over: 'input',
    says: 'the envelope is not the provider’s, not for this milestone, not signed, or not what envelopeDigest says',
  },
  allApproved: {
    code: 'CONTRACT_INVALID_STATE',
    over: 'state',
    says: 'not all milestones are approved',
    about: progressOf,
  },
  mayTerminate: {
    code: 'CONTRACT_INVALID_STATE',
    over: 'state',
    says: 'the client may terminate past a deadline, with the provider’s consent, or where there is no deadline and nothing is handed in',
  },
  nothingWaits: {
    code: 'CONTRACT_INVALID_STATE',
    over: 'state',
    says: 'a milestone waits for review, or may be submitted again',
    about: (held, { time }) =>
      waiting(held, time)
        .map(({ id, state, waitsUntil }) => {
          const until = new Date(waitsUntil!).toISOString();
          return state === 'submitted'
            ? `${id} is paid unless it is rejected by ${until}`
            : `${id} may be submitted again until ${until}`;
        })
        .join(', '),
  },
  reviewIsOver: { code: 'CONTRACT_INVALID_STATE', over: 'state', says: 'no time for review is over' },
  hadConsented: { code: 'CONTRACT_INVALID_STATE', over: 'state', says: 'the provider had not consented' },
  deadlineHasPassed: { code: 'CONTRACT_INVALID_STATE', over: 'state', says: 'no further deadline has passed' },
  paysProvider: { code: 'CONTRACT_INVALID_STATE', over: 'input', says: 'the ruling does not pay the provider' },
  paysClientBack: { code: 'CONTRACT_INVALID_STATE', over: 'input', says: 'the ruling does not pay the client back' },
  letsGoOn: { code: 'CONTRACT_INVALID_STATE', over: 'input', says: 'the ruling does not let the contract go on' },
  isHeard: { code: 'CONTRACT_INVALID_STATE', over: 'input', says: 'its dispute decides' },
} as const satisfies { readonly [guard: string]: GuardDefinition<ContractContext, ContractEvent> };
