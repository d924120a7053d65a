/** Three nodes under load, of which one is killed again and again: every acknowledged entry is at its home and at its peers. */
import { join } from 'node:path';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { askNode, noNodeRunning } from '../../../src/node/control/client.js';
import type { PeerView } from '../../../src/peers/peering/peer-view.js';
import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import { auditOf, NodeProcess } from '../../crash/support/process.js';
import { below } from '../../crash/support/random.js';
import { Writer } from '../../crash/support/writer.js';
import { expectStatus } from '../../node/support/answers.js';
import { freePort } from '../../support/free-port.js';
import { isLong } from '../../support/long.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';

const kills = isLong ? 1_000 : 4;
const claims = isLong ? 100 : 4;

class KilledHome {
  node!: NodeProcess;
  did!: string;
  readonly writers: Writer[] = [];
  readonly dir = scratch();

  constructor(private readonly port: number) {}

  async start(): Promise<void> {
    this.node = await NodeProcess.start(this.dir, [], {
      SVC_LISTEN: `/ip4/127.0.0.1/tcp/${this.port}`,
      SVC_PEERS_ALONE: '5',
      SVC_RATE_LIMIT_LOOPBACK: 'off',
    });
    this.did = expectStatus(await this.node.client.get('/api/v1/node')).did;
  }

  async settle(): Promise<void> {
    const dids: string[] = [];
    for (let i = 0; i < 2; i++) {
      const writer = await Writer.create(this.node.client, dids);
      this.writers.push(writer);
      dids.push(writer.did);
      for (let claim = 0; claim < claims; claim++) {
        expectStatus(await this.node.client.post('/api/v1/faucet', { did: writer.did }));
      }
    }
  }

  async operator(act: string, input = {}) {
    const answer = await askNode(this.dir, act, input);
    if (answer === noNodeRunning || isRefusal(answer)) expect.fail(`${act}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async peers(): Promise<readonly PeerView[]> {
    return (await this.operator('peers.list')).peers as unknown as readonly PeerView[];
  }

  height = async (): Promise<number> => expectStatus(await this.node.client.get('/api/v1/node')).height;

  get acknowledged(): readonly string[] {
    return this.writers.flatMap(({ acknowledged }) => acknowledged.map(({ hash }) => hash!));
  }
}

describe('Three nodes that are killed', () => {
  after(tidy);

  it(`lose nothing acknowledged, at home and at the peers, in ${kills} kills`, async function () {
    this.timeout(120_000 + kills * 10_000);
    const homes: KilledHome[] = [];
    for (let i = 0; i < 3; i++) homes.push(new KilledHome(await freePort()));
    for (const home of homes) await home.start();
    for (const home of homes) {
      const [address] = (await home.operator('peers.list')).listens as string[];
      for (const other of homes) if (other !== home) await other.operator('peers.add', { address });
      await home.settle();
    }
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
      // Requests without an answer are resolved by their nonce, as a client does.
      for (const writer of victim.writers) {
        const { body } = await victim.node.client.get(`/api/v1/wallets/${writer.did}`);
        for (const asked of writer.asked)
          if (asked.hash === undefined && asked.nonce <= body.nonce) await writer.send(victim.node.client, asked);
        writer.settle(body.nonce);
      }
    }
    for (const home of homes) {
      const height = await home.height();
      for (const other of homes) {
        if (other === home) continue;
        await until(`${other.did} has all of ${home.did}`, () => other.peers(), {
          is: (peers) => peers.find(({ did }) => did === home.did)!.adopted === height,
        });
      }
    }
    for (const { node } of homes) await node.stop();
    let checked = 0;
    for (const home of homes) {
      expect(await auditOf(home.dir)).to.include({ ok: true });
      const places = homes.map(({ dir }) =>
        dir === home.dir ? dir : join(dir, 'peers', home.did.slice('did:svc:'.length)),
      );
      const heads: unknown[] = [];
      for (const place of places) {
        const journal = openFrozen(place);
        heads.push(await journal.head());
        for (const hash of home.acknowledged) {
          expect(await journal.entryByEvent(hash), `${hash} in ${place}`).to.not.equal(undefined);
          checked++;
        }
        await journal.close();
      }
      expect(heads[1]).to.deep.equal(heads[0]);
      expect(heads[2]).to.deep.equal(heads[0]);
    }
    expect(checked, 'there was a load').to.be.above(kills * 10);
  });
});
