/** Repeated `kill -9` of one of three processes while all write: nothing acknowledged is lost or done twice. */
import { expect } from 'chai';
import { addressOf } from '../../../src/core/codecs/address.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { audit } from '../../../src/verify/audit.js';
import { NodeProcess } from '../../crash/support/process.js';
import { below } from '../../crash/support/random.js';
import { isLong } from '../../support/long.js';
import { scratch, tidy } from '../../support/scratch.js';
import { TestDatabase } from '../support/database.js';
import { describeMongo } from '../support/server.js';
import { copyKeys, Traffic } from '../support/traffic.js';

const kills = isLong ? 200 : 2;
const writers = 4;

describeMongo('one of three processes is killed', () => {
  let database: TestDatabase;
  /** The processes that answer. */
  let nodes: NodeProcess[];

  before(async () => {
    database = await TestDatabase.fresh();
  });
  after(async () => {
    await tidy();
    await database.dispose();
  });

  const start = (dir: string) => NodeProcess.start(dir, [], { SVC_STORE: database.url });

  it(`${kills} times, mid-write: every acknowledged write is kept, and no half of another`, async () => {
    nodes = await Promise.all([start(scratch()), start(scratch()), start(scratch())]);
    const home = nodes[0]!.dir;
    const traffic = await Traffic.begin(writers, () => nodes);
    const addresses = new Set(traffic.writers.map(({ did }) => addressOf(did)));
    for (const { dir } of nodes.slice(1)) copyKeys(home, dir, addresses);
    traffic.start();
    const starting: Promise<void>[] = [];
    for (let kill = 1; kill <= kills; kill++) {
      await traffic.goesOn(8);
      while (nodes.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
      const [victim] = nodes.splice(below(nodes.length), 1);
      await victim!.kill();
      // Every fifth time the same node restarts and first resolves its unfinished entries; otherwise a new one takes its place.
      const dir = kill % 5 === 0 ? victim!.dir : scratch();
      if (dir !== victim!.dir) copyKeys(home, dir, addresses);
      starting.push(
        start(dir).then((node) => {
          nodes.push(node);
        }),
      );
    }
    await Promise.all(starting);
    await traffic.goesOn(8);
    await traffic.stop();
    await traffic.compare(nodes);
    expect(traffic.acknowledged).to.be.above(kills * 8);
    for (const node of nodes) expect((await node.stop()).code).to.equal(0);
    const report = await audit(await database.open(), catalogue, 'devnet');
    expect(report.flaw?.what).to.equal(undefined);
    expect(report).to.include({ ok: true, supply: writers * 1_000 });
  });
});
