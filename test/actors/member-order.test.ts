/** Members of an entry are made in the order in which they are hashed: sorting them costs more than the signature. */
import { expect } from 'chai';
import type { NumberedEntry } from '../../src/store/entry.js';
import { accepted, Bench } from '../world/bench.js';
import { life } from '../world/history.js';

describe('the members of an entry', () => {
  const unsorted: string[] = [];
  let seen = 0;
  const look = ({ core, coreText }: NumberedEntry): void => {
    seen++;
    if (JSON.stringify(core) !== coreText) unsorted.push(core.event.type);
  };

  it('are in the order of its text, whatever it is about', async () => {
    await life(look);
    expect(unsorted).to.deep.equal([]);
    expect(seen).to.be.above(10);
  });

  it('are so with every optional member of the event', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    bench.actors.committer.listen(look);
    const until = bench.world.now() + 60_000;
    accepted(await bench.transfer('ada', 'ben', 1, { most: 1 }));
    accepted(await bench.transfer('ada', 'ben', 1, { until }));
    accepted(await bench.transfer('ada', 'ben', 1, { most: 1, until, key: 'k' }));
    expect(unsorted).to.deep.equal([]);
  });
});
