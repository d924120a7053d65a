/** A corrected clock where several nodes write one journal, and while other writes are in flight. */
import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { Tables } from '../../src/store/memory/tables.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld, noon } from '../world/fake-world.js';
import { didOf } from '../world/people.js';

const minutes = 60_000;

const correct = async (bench: Bench): Promise<Accepted> => {
  const correction = { reason: 'it was ahead', operator: 'a test' };
  return accepted(await bench.operate('node', didOf(bench.node), 'correct-clock', correction));
};

/** Two nodes, each with its own key and clock, on one database. */
async function two(): Promise<readonly [Bench, Bench]> {
  const tables = new Tables();
  const open = (node: string) => {
    const world = new FakeWorld(node);
    return Bench.open({ world, store: new MemoryStore({ world, tables, exclusive: false }), node });
  };
  return [await open('node'), await open('other node')];
}

/** What a shared store does with an entry of another process. */
const learns = (bench: Bench, { entry, snapshots }: Accepted): void =>
  bench.actors.committer.adoptForeign({ entry, snapshots, alarms: [] });

const sound = async (bench: Bench): Promise<void> => {
  expect((await bench.audit()).flaw).to.equal(undefined);
};

/** The clock is an hour ahead, and the operator takes it for right. */
function wronglyAccepted({ actors, world }: Bench): void {
  world.setWall(60 * minutes);
  actors.clock.accept();
}

const timeOf = ({ entry }: Accepted): number => entry.core.time;

describe('a correction of the clock', () => {
  it('leaves the times of another node, which never go back', async () => {
    const [one, other] = await two();
    one.world.setWall(5 * minutes);
    learns(other, await one.mint('ada', 1));
    expect(timeOf(await other.mint('ben', 1))).to.equal(noon + 5 * minutes);
    one.world.setWall(-5 * minutes);
    learns(other, await correct(one));
    await other.mint('ben', 1);
    expect(timeOf(await one.mint('ada', 1))).to.be.below(noon + minutes);
    await sound(one);
  });

  it('is needed by a node that starts again with a lower clock, also after another’s entries', async () => {
    const [one, other] = await two();
    wronglyAccepted(other);
    await other.mint('ben', 1);
    other.world.setWall(-60 * minutes);
    for (let n = 0; n < 40; n++) await one.mint('ada', 1);
    const again = await other.restart();
    expect(codeOf(await again.transfer('ben', 'ada', 1))).to.equal('SERVICE_UNAVAILABLE');
    await correct(again);
    expect(timeOf(await again.mint('ben', 1))).to.be.below(noon + minutes);
    await sound(one);
  });

  it('is not needed by a node that starts after an entry of one whose clock is wrong', async () => {
    const [one, other] = await two();
    wronglyAccepted(one);
    await one.mint('ada', 1);
    const again = await other.restart();
    expect(timeOf(await again.mint('ben', 1))).to.be.below(noon + minutes);
    await sound(one);
  });

  for (const outcome of ['refuse', undefined] as const) {
    it(`holds for writes beside it, ${outcome ? 'also if it has to be made again' : 'on a slow store'}`, async () => {
      const world = new FakeWorld();
      const disturb = (): { readonly delayMs: number; readonly outcome?: 'refuse' } => {
        const isFirst = disturbed++ === 0;
        return isFirst && outcome ? { delayMs: 5, outcome } : { delayMs: 5 };
      };
      let disturbed = 1;
      const bench = await Bench.open(
        { world, store: new MemoryStore({ world, exclusive: false, disturb }) },
        { ada: 10, ben: 10, cyd: 10 },
      );
      world.setWall(9 * minutes);
      accepted(await bench.transfer('ada', 'ben', 1));
      world.setWall(-9 * minutes);
      disturbed = 0;
      const correction = correct(bench);
      const beside = (['ada', 'ben', 'cyd'] as const).map((name) => bench.startTransfer(name, 'dan', 1));
      await correction;
      for (const result of await world.settle(Promise.all(beside))) accepted(result);
      for (const name of ['ada', 'ben', 'cyd']) {
        expect(timeOf(accepted(await bench.transfer(name, 'dan', 1)))).to.be.below(noon + minutes);
      }
      await sound(bench);
    });
  }
});
