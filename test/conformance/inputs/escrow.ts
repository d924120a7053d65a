import { createHash } from 'node:crypto';
import type { Body } from '../../node/support/client.js';
import type { Attempt, Cast, KindInputs } from '../inputs.js';

const minuteMs = 60_000;
const preimage = Buffer.from('a secret').toString('hex');
const hash = createHash('sha256').update('a secret').digest('hex');

const left = ({ remaining, amount }: Body): number => remaining || amount;

/** All, a part, more than there is; each with what else the claim brings. */
const claims = (more: Body): Attempt[] => [
  { name: 'all', body: (view) => ({ amount: left(view), ...more }) },
  { name: 'a part', body: () => ({ amount: 1, ...more }) },
  { name: 'too much', body: (view) => ({ amount: left(view) + 1, ...more }) },
];

const attempts = {
  fund: [
    { name: 'its amount', body: ({ amount }: Body) => ({ amount }) },
    { name: 'another amount', body: ({ amount }: Body) => ({ amount: amount - 1 }) },
  ],
  release: claims({}),
  refund: claims({ reason: 'not needed any more' }),
};

const parties = ({ beneficiary, arbiter }: Cast, now: number): Body => ({
  beneficiary: beneficiary!.did,
  arbiter: arbiter!.did,
  expiresAt: now + 60 * minuteMs,
});

export const inputs: KindInputs = {
  cast: ['depositor', 'beneficiary', 'arbiter', 'named'],
  funds: 100_000,
  laterMs: 61 * minuteMs,
  situation: ({ lapsed, funded, released, refunded }) => {
    const remaining = Number(funded) - Number(released) - Number(refunded);
    return `${lapsed ? 'lapsed' : ''}${remaining > 0 && remaining < Number(funded) ? 'in part' : ''}`;
  },
  settings: {
    'revocable, released by hand': { creator: 'depositor', create: parties, attempts },
    'released for a preimage, taken back after a time': {
      creator: 'depositor',
      create: (cast, now) => ({
        ...parties(cast, now),
        releaseRules: [{ type: 'hash', hash }],
        refundRules: [{ type: 'time', after: now + 30 * minuteMs }],
      }),
      attempts: {
        ...attempts,
        release: [...claims({ evidence: { preimage } }), { name: 'without preimage', body: () => ({ amount: 1 }) }],
      },
    },
    'released by whom a rule names': {
      creator: 'depositor',
      create: (cast, now) => ({
        ...parties(cast, now),
        releaseRules: [{ type: 'manual', by: ['arbiter', cast.named!.did] }],
      }),
      attempts,
    },
  },
};
