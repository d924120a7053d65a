/** Three nodes under load, of which one is killed again and again: every acknowledged entry is at its home and at its peers. */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { below } from '../../crash/support/random.js';
import { onMongo } from '../../node/support/shared-store.js';
import { isLong, killCount } from '../../support/long.js';
import { tidy } from '../../support/scratch.js';
import { acquaintKilled, KilledHome } from './killed-home.js';

/** On MongoDB a start waits until the process that was killed has been silent for some seconds. */
const kills = killCount(4, onMongo ? 100 : 1_000);
const claims = isLong ? 100 : 4;

describe('Three nodes that are killed', () => {
  const homes: KilledHome[] = [];

  after(async () => {
    await tidy();
    for (const { options } of homes) await options.database?.dispose();
  });

  it(`lose nothing acknowledged, at home and at the peers, in ${kills} kills`, async function () {
    this.timeout(120_000 + kills * 10_000);
    while (homes.length < 3) homes.push(await KilledHome.withOwnStore());
    for (const home of homes) await home.start();
    await acquaintKilled(homes);
    for (const home of homes) await home.settle(claims);
    for (let kill = 1; kill <= kills; kill++) {
      let isOver = false;
      const victim = homes[below(homes.length)]!;
      const running = homes.map(({ node, writers }) =>
        writers.map((writer) => writer.run(node.client, 2, () => isOver)),
      );
      await pause(realEnvironment, 50 + below(300));
      expect(await victim.node.kill()).to.include({ signal: 'SIGKILL' });
      isOver = true;
      await Promise.all(running.flat());
      await victim.start();
      await victim.hear();
    }
    for (const home of homes) for (const other of homes) if (other !== home) await other.sees(home);
    for (const { node } of homes) await node.stop();
    let checked = 0;
    for (const home of homes) {
      expect(await home.audit()).to.include({ ok: true });
      const heads: unknown[] = [];
      for (const holder of [home, ...homes.filter((other) => other !== home)]) {
        await holder.reads(home.did, async (journal) => {
          heads.push(await journal.head());
          for (const hash of home.acknowledged) {
            expect(await journal.entryByEvent(hash), `${hash} at ${holder.did}`).to.not.equal(undefined);
            checked++;
          }
        });
      }
      expect(heads[1]).to.deep.equal(heads[0]);
      expect(heads[2]).to.deep.equal(heads[0]);
    }
    expect(checked, 'there was a load').to.be.above(kills * 10);
  });
});
