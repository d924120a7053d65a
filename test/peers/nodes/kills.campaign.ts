/**
 * Three homes that write and follow each other while they are killed again and again, in a start as well: what is acknowledged
 * is in the home's journal, each journal is followed to its end, and a kill never looks like a second journal.
 */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { below } from '../../crash/support/random.js';
import { onMongo } from '../../node/support/shared-store.js';
import { isLong, killCount } from '../../support/long.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { acknowledgedBy, acquaintKilled, KilledHome } from './killed-home.js';

/** On MongoDB a start waits until the process that was killed has been silent for some seconds. */
const kills = onMongo ? killCount(2, 50) : killCount(20, 500);
const lanes = 2;
/** Enough that no writer runs out of Tokens before the last kill. */
const claims = Math.max(10, Math.ceil(kills / 4));

const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!;

describe('Three homes that follow each other and are killed', () => {
  const homes: KilledHome[] = [];

  after(async () => {
    await tidy();
    for (const { options } of homes) await options.database?.dispose();
  });

  /** Kills a home under load and starts it again; in every second case its first start is killed as well. @returns kills */
  async function killed(home: KilledHome): Promise<number> {
    const enough = home.acknowledged.length + 2 + below(30);
    const running = home.writers.map((writer) => writer.run(home.node.client, lanes));
    await until('it acknowledges writes', () => home.acknowledged.length >= enough, { everyMs: 1 + below(20) });
    expect(await home.node.kill()).to.include({ signal: 'SIGKILL' });
    await Promise.all(running);
    expect(home.writers.flatMap(({ refused }) => refused)).to.deep.equal([]);
    const isTwice = below(2) === 0;
    if (isTwice) {
      const node = home.spawn();
      await pause(realEnvironment, below(1_000));
      await node.kill();
    }
    await home.start();
    await home.hear();
    return isTwice ? 2 : 1;
  }

  it(`lose nothing acknowledged, and are followed to the end, in ${kills} kills`, async () => {
    while (homes.length < 3) homes.push(await KilledHome.withOwnStore());
    await Promise.all(homes.map((home) => home.start()));
    await acquaintKilled(homes);
    for (const home of homes) await home.settle(claims);
    for (let done = 0; done < kills; ) {
      const victims = [oneOf(homes)];
      if (below(4) === 0) victims.push(oneOf(homes.filter((each) => !victims.includes(each))));
      // A start asks the peers for its own head, so all start at the same time.
      const counts = await Promise.all(victims.map(killed));
      done += counts.reduce((sum, count) => sum + count, 0);
    }
    for (const home of homes) {
      for (const other of homes) {
        if (other === home) continue;
        await home.sees(other);
        // A connection that was lost with a process is made again within seconds.
        const { followed, violation } = await until('it is current', () => home.peer(other.did), {
          is: ({ status }) => status === 'current',
        });
        expect({ followed, violation }).to.deep.equal({ followed: await other.height(), violation: undefined });
      }
    }
    for (const { code, stderr } of await Promise.all(homes.map(({ node }) => node.stop())))
      expect(code, stderr).to.equal(0);
    for (const home of homes) {
      expect(await home.missing(acknowledgedBy(home.writers))).to.deep.equal([]);
      expect((await home.audit()).flaw).to.equal(undefined);
    }
    if (isLong)
      process.stdout.write(`      ${homes.map(({ acknowledged }) => acknowledged.length).join(', ')} writes\n`);
  });
});
