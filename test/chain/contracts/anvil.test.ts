import { expect } from 'chai';
import fc from 'fast-check';
import { anvilBinary } from '../support/anvil-binary.js';
import { AnvilEvm } from './anvil-evm.js';
import { drafts } from './random-moves.js';
import { play } from './random-stream.js';
import { Stage } from './stage.js';

const binary = anvilBinary();

describe('anvil and the EVM in the process', () => {
  it('give the same results, to the last unit of gas', async function () {
    if (!binary) return this.skip();
    const anvil = await AnvilEvm.start(binary);
    try {
      const all = fc.sample(drafts, { numRuns: 1, seed: 7 })[0]!;
      const there = await play(await Stage.open(anvil), all);
      const here = await play(await Stage.open(), all);
      expect(there).to.deep.equal(here);
      expect(there.accepted).to.have.length.greaterThan(5);
      expect(there.refused).to.not.deep.equal([]);
    } finally {
      await anvil.close();
    }
  });
});
