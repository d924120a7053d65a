/** Networks that are cut or lose replies, one for each process, and a server that is killed, while three processes write. */
import { expect } from 'chai';
import { addressOf } from '../../../src/core/codecs/address.js';
import { MongoStore } from '../../../src/store/mongo/mongo-store.js';
import { below } from '../../crash/support/random.js';
import { TestNode } from '../../node/support/node.js';
import { isLong } from '../../support/long.js';
import { TestDatabase } from '../support/database.js';
import { Network } from '../support/network.js';
import { describeMongo, givenUrl, JavaServer } from '../support/server.js';
import { copyKeys, Traffic } from '../support/traffic.js';

const rounds = isLong ? 60 : 1;
const serverKills = 10;
const writers = 4;

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Faults of the network between a process and the database, each for a limited time. */
const harms: { readonly [harm: string]: (network: Network) => Promise<void> } = {
  async 'cuts all connections'(network) {
    for (let cut = 0; cut < 8; cut++) {
      network.cut();
      await rest(below(60));
    }
  },
  async 'swallows replies'(network) {
    network.swallowReplies();
    await rest(100 + below(300));
    network.open();
  },
  async 'is down'(network) {
    network.close();
    await rest(300 + below(900));
    network.open();
  },
};

class Site {
  readonly networks: Network[] = [];
  readonly nodes: TestNode[] = [];

  constructor(readonly database: TestDatabase) {}

  async open(): Promise<Traffic> {
    while (this.nodes.length < 3) {
      const network = await Network.to(this.database.url);
      const url = network.through(this.database.url);
      this.networks.push(network);
      this.nodes.push(await TestNode.start({ store: () => MongoStore.open({ url, network: 'devnet' }) }));
    }
    const traffic = await Traffic.begin(writers, () => this.nodes);
    const addresses = new Set(traffic.writers.map(({ did }) => addressOf(did)));
    for (const { dir } of this.nodes.slice(1)) copyKeys(this.nodes[0]!.dir, dir, addresses);
    traffic.start();
    return traffic;
  }

  /** Everything acknowledged is on every node, and the journal is sound. */
  async conclude(traffic: Traffic): Promise<void> {
    await traffic.goesOn(12);
    await traffic.stop();
    for (const node of this.nodes) expect(node.faults).to.deep.equal([]);
    await traffic.compare(this.nodes);
    const report = await this.nodes[1]!.audit();
    expect(report.flaw?.what).to.equal(undefined);
    expect(report.supply).to.equal(writers * 1_000);
  }

  async discard(): Promise<void> {
    for (const network of this.networks) network.open();
    for (const node of this.nodes) await node.discard();
    for (const network of this.networks) await network.dispose();
    await this.database.dispose();
  }
}

describeMongo('three processes that all write', () => {
  let site: Site;
  let server: JavaServer | undefined;

  afterEach(async () => {
    await site.discard();
    await server?.dispose();
    server = undefined;
  });

  it(`lose and repeat nothing that was acknowledged when networks are cut, ${rounds} times each way`, async () => {
    site = new Site(await TestDatabase.fresh());
    const traffic = await site.open();
    for (let round = 0; round < rounds; round++) {
      for (const harm of Object.values(harms)) {
        await traffic.goesOn(6);
        const harmed = [site.networks[round % 3]!, ...(round % 3 === 2 ? [site.networks[0]!] : [])];
        await Promise.all(harmed.map(harm));
      }
    }
    await site.conclude(traffic);
  });

  // The short form is server-outage.campaign.ts.
  if (givenUrl === undefined && isLong) {
    it(`lose and repeat nothing that was acknowledged when the server is killed, ${serverKills} times`, async () => {
      server = new JavaServer();
      await server.start();
      site = new Site(await TestDatabase.on(server.url));
      const traffic = await site.open();
      for (let kill = 0; kill < serverKills; kill++) {
        await traffic.goesOn(40);
        await server.kill();
        await rest(below(500));
        await server.start();
      }
      await site.conclude(traffic);
    });
  }
});
