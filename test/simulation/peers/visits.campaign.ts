/** Residents that act at other homes, with keys that their home keeps (docs/testing.md#several-homes). */
import { isLong } from '../../support/long.js';
import { testHistories } from './campaign.js';
import { visitMutants } from './visit-mutants.js';

describe('simulation: acts at other homes', () => {
  testHistories({
    title: 'are done once, or not at all, as their callers are told',
    ...{ options: { hasVisits: true }, seeds: isLong ? 20_000 : 130, mutants: visitMutants, mutantSeeds: 200 },
    reached: [
      'settled',
      'act done: transfer',
      'act done: escrow',
      'act done: release',
      'act done: refund',
      'act done: order',
      'act done at a liar',
      'act refused',
      'act not signed',
      'act unanswered',
      'fault loseActs',
    ],
  });
});
