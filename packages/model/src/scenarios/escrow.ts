/** Escrows under each type of rule. */
import { sha256Hex } from '../../../../src/core/canonical.js';
import type { Attempt, Body, Known, Scenario, View } from '../scenario.js';

const minuteMs = 60_000;
const secret = 'a secret';
const preimage = Buffer.from(secret).toString('hex');
const hash = sha256Hex(secret);

const left = ({ remaining, amount }: View): number => remaining || amount;

/** Claims of the whole amount, of a part, and of too much; each with the other members that the claim needs. */
const claims = (more: Body): Attempt[] => [
  { name: 'all', body: (view) => ({ amount: left(view), ...more }) },
  { name: 'a part', body: () => ({ amount: 1, ...more }) },
  { name: 'too much', body: (view) => ({ amount: left(view) + 1, ...more }) },
];

const attempts = {
  fund: [
    { name: 'its amount', body: ({ amount }: View) => ({ amount }) },
    { name: 'another amount', body: ({ amount }: View) => ({ amount: amount - 1 }) },
  ],
  release: claims({}),
  refund: claims({ reason: 'not needed any more' }),
};

const parties = ({ dids, now }: Known): Body => ({
  beneficiary: dids.beneficiary,
  arbiter: dids.arbiter,
  expiresAt: now + 60 * minuteMs,
});

export const escrowScenario: Scenario = {
  cast: ['depositor', 'beneficiary', 'arbiter', 'named'],
  payer: { name: 'depositor', tokens: 25 },
  laterMs: 61 * minuteMs,
  situation: ({ funded, released, refunded }) => {
    const remaining = Number(funded) - Number(released) - Number(refunded);
    return remaining > 0 && remaining < Number(funded) ? 'in part' : '';
  },
  settings: {
    'revocable, released by hand': { creator: 'depositor', create: parties, attempts },
    'released for a preimage, taken back after a time': {
      creator: 'depositor',
      create: (known) => ({
        ...parties(known),
        releaseRules: [{ type: 'hash', hash }],
        refundRules: [{ type: 'time', after: known.now + 30 * minuteMs }],
      }),
      attempts: {
        ...attempts,
        release: [...claims({ evidence: { preimage } }), { name: 'without preimage', body: () => ({ amount: 1 }) }],
      },
    },
    'released by whom a rule names': {
      creator: 'depositor',
      create: (known) => ({
        ...parties(known),
        releaseRules: [{ type: 'manual', by: ['arbiter', known.dids.named] }],
      }),
      attempts,
    },
  },
};
