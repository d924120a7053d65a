/** Whole homes on a simulated clock, network and disk (docs/testing.md#several-homes). */
import { isLong } from '../../support/long.js';
import { testHistories } from './campaign.js';
import { mutants } from './mutants.js';

describe('simulation: several homes', () => {
  testHistories({
    title: 'keep what they acknowledge, follow each other, and prove what is forked',
    ...{ options: {}, seeds: isLong ? 50_000 : 500, mutants, mutantSeeds: 500 },
    reached: [
      'acknowledged',
      'settled',
      'forked',
      'opened alone',
      'opened level',
      'died killed',
      'died its store failed',
      'died its start is refused',
      'died its writes are refused',
    ],
  });
});
