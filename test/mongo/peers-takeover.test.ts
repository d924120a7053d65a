/**
 * Two processes on one database, of which the one with the home's key serves and follows. It is killed under load, and a
 * process with the same key elsewhere takes over, as an orchestrator would start it.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { tagOf } from '../../src/peers/tag.js';
import { NodeProcess } from '../crash/support/process.js';
import { below } from '../crash/support/random.js';
import { acknowledgedBy, acquaintKilled, KilledHome } from '../peers/nodes/killed-home.js';
import { freePort } from '../support/free-port.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';
import { Traffic } from './support/traffic.js';

const takeovers = 20;
const claims = 40;
/** Longer than it takes until a killed process counts as dead. */
const patienceMs = 30_000;
/** The peer writes to the embedded database, far faster than its copy on the test's server can follow. */
const restMs = 40;

/** A process of the same home on another machine: it has the key and the passphrase, and nothing else. */
async function elsewhere(home: KilledHome): Promise<KilledHome> {
  const dir = scratch();
  for (const part of ['keystore', 'node.json', 'passphrase'])
    await cp(join(home.dir, part), join(dir, part), { recursive: true });
  return new KilledHome({ ...home.options, dir });
}

/** Entries that a home may have sent and a killed follower not adopted; fewer than those that it had adopted. */
const onTheWay = 80;

async function sentBy({ node }: KilledHome): Promise<number> {
  const { text } = await node.client.get('/metrics');
  return Number(/^svc_feed_sent_entries_total (\d+)/m.exec(text)?.[1]);
}

// A takeover may take a minute while other suites run: only in the long form.
(isLong ? describeMongo : () => {})('a home of two processes on one database', () => {
  let database: TestDatabase;

  before(async () => {
    database = await TestDatabase.fresh();
  });
  after(async () => {
    await tidy();
    await database.dispose();
  });

  it(`whose key-holder is killed continues after its cursors, and lacks nothing acknowledged, ${takeovers} times`, async function () {
    this.timeout(120_000 + takeovers * 60_000);
    let home = new KilledHome({ port: await freePort(), database });
    const peer = new KilledHome({ port: await freePort() });
    for (const each of [home, peer]) await each.start();
    const second = await NodeProcess.start(scratch(), [], {
      SVC_STORE: database.url,
      SVC_RATE_LIMIT_LOOPBACK: 'off',
    });
    await acquaintKilled([home, peer]);
    await home.settle(claims);
    const { writers } = home;
    const [here, there] = [
      await Traffic.begin(2, () => [second], patienceMs),
      await Traffic.begin(2, () => [peer.node], patienceMs, restMs),
    ];
    for (const traffic of [here, there]) traffic.start();
    for (let takeover = 1; takeover <= takeovers; takeover++) {
      const running = writers.map((writer) => writer.run(home.node.client, 2));
      await until('the home follows', () => home.peer(peer.did), { is: ({ adopted }) => adopted > 100 });
      await pause(realEnvironment, 200 + below(300));
      const { adopted } = await home.peer(peer.did);
      const sent = await sentBy(peer);
      expect(await home.node.kill()).to.include({ signal: 'SIGKILL' });
      await Promise.all(running);
      // The second process orders the journal now, and continues without being followed.
      await here.goesOn(20, patienceMs);
      home = await elsewhere(home);
      await home.start();
      // The new process continues after the entries that the killed one had adopted: none of them is sent again.
      const copied = await until('its copy is open', () => home.peer(peer.did), { is: (view) => view.adopted > 0 });
      expect(copied.adopted).to.be.at.least(adopted);
      await until('it reads on', () => home.peer(peer.did), { is: (view) => view.adopted > copied.adopted });
      // Entries that were being sent when the process was killed are sent twice.
      const again = (await sentBy(peer)) - sent;
      expect(again).to.be.below((await peer.height()) - adopted + onTheWay);
      await home.hear(writers);
      await here.goesOn(5, patienceMs);
    }
    for (const traffic of [here, there]) await traffic.stop();
    await home.sees(peer);
    await peer.sees(home);
    for (const [one, other] of [
      [home, peer],
      [peer, home],
    ] as const)
      await until('the checkpoint of what is adopted is new', () => one.peer(other.did), {
        is: ({ lagMs }) => lagMs !== null && lagMs < 5_000,
      });
    const [newest] = there.writers;
    await until(
      'the second process shows what was adopted',
      () => second.client.get(`/api/v1/wallets/${newest!.did}?home=${tagOf(peer.did, [])}`),
      { is: ({ status, body }) => status === 200 && body.nonce === newest!.asked.at(-1)!.nonce },
    );
    await here.compare([second, home.node]);
    for (const node of [second, home.node, peer.node]) await node.stop();
    const ours = [...acknowledgedBy(writers), ...acknowledgedBy(here.writers)];
    const theirs = acknowledgedBy(there.writers);
    for (const [hashes, { did }] of [
      [ours, home],
      [theirs, peer],
    ] as const) {
      const heads: unknown[] = [];
      for (const holder of [home, peer]) {
        await holder.reads(did, async (journal) => {
          heads.push(await journal.head());
          for (const hash of hashes)
            expect(await journal.entryByEvent(hash), `${hash} at ${holder.did}`).to.not.equal(undefined);
        });
      }
      expect(heads[1]).to.deep.equal(heads[0]);
    }
    for (const each of [home, peer]) expect((await each.audit()).report).to.include({ ok: true });
    expect(Math.min(ours.length, theirs.length), 'there was a load').to.be.above(takeovers * 20);
  });
});
