/** Residents that act at other homes, with keys that their home keeps (docs/testing.md#several-homes). */
import { isLong } from '../../support/long.js';
import { testHistories } from './campaign.js';
import { topUpMutants } from './top-up-mutants.js';
import { visitMutants } from './visit-mutants.js';

describe('simulation: acts at other homes', () => {
  testHistories({
    title: 'are done once, or not at all, as their callers are told',
    ...{ options: { hasVisits: true }, seeds: isLong ? 20_000 : 80, mutants: visitMutants, mutantSeeds: 200 },
    reached: [
      'settled',
      ...['transfer', 'escrow', 'release', 'refund', 'order'].map((what) => `act done: ${what}`),
      ...['act done at a liar', 'act refused', 'act not signed', 'act unanswered', 'fault loseActs'],
    ],
  });
});

describe('simulation: Tokens between homes', () => {
  testHistories({
    title: 'are paid onward or given back, once',
    ...{ options: { hasVisits: true, hasTopUps: true }, seeds: isLong ? 5_000 : 40 },
    ...{ mutants: topUpMutants, mutantSeeds: 1_200 },
    reached: ['settled', 'act done: home', 'paid onward', 'given back', 'with a liar'],
  });
});
