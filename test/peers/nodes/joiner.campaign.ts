/** A node that reads a long journal for the first time, and is killed on the way. */
import { expect } from 'chai';
import { formatMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import type { LineWriter } from '../../../src/peers/transport/transport.js';
import { expectStatus } from '../../node/support/answers.js';
import { isLong } from '../../support/long.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { Bench } from '../../world/bench.js';
import { ServingHome } from '../feed/homes.js';
import { KilledHome } from './killed-home.js';

const kills = isLong ? 20 : 2;
const entries = isLong ? 20_000 : 1_500;

describe('A late joiner', () => {
  let home: ServingHome;
  let node: KilledHome;
  /** Entry numbers from which the joiner has requested the feed. */
  const asked: number[] = [];
  let isFast = false;

  before(async () => {
    const bench = await Bench.open({}, { ada: entries, ben: 1 });
    while ((await bench.store.head()).seq < entries) await bench.transfer('ada', 'ben', 1);
    home = await ServingHome.open(bench);
    await home.listen(async (request, reply) => {
      if (request.path === '/feed') {
        asked.push(Number(request.query.get('after')));
        // Slow enough to be killed on the way.
        const slow = (writer: LineWriter): LineWriter => ({
          write: async (lines) => {
            await pause(realEnvironment, isFast ? 0 : 2_000);
            return writer.write(lines);
          },
          end: () => writer.end(),
        });
        return home.server.serve(request, { send: (...sent) => reply.send(...sent), open: () => slow(reply.open()) });
      }
      // The home knows nothing of the joiner's journal. Refusals would count as the joiner's bad input, and bar it.
      await request.body();
      await (request.path === '/head' ? reply.send(200, '{}') : reply.send(204));
    });
  });
  after(async () => {
    await home?.close();
    await tidy();
    await node?.options.database?.dispose();
  });

  it(`that is killed ${kills} times continues after what it has followed, and is not synced before the end`, async () => {
    const { did } = home.signer;
    node = await KilledHome.withOwnStore();
    await node.start();
    await node.operator('peers.add', { address: formatMultiaddr(home.address) });
    /** Reads are served meanwhile. @returns how many entries are followed */
    const progress = async (): Promise<number> => {
      const { synced } = expectStatus(await node.node.client.get('/api/v1/node'));
      const { followed } = await node.peer(did);
      if (followed < entries) expect(synced, `synced with ${followed} entries`).to.equal(false);
      return followed;
    };
    for (let kill = 1; kill <= kills; kill++) {
      const threshold = (kill * entries) / (kills + 1);
      const followed = await until(`${threshold} entries are followed`, progress, { is: (seq) => seq >= threshold });
      expect(await node.node.kill()).to.include({ signal: 'SIGKILL' });
      asked.splice(0);
      await node.start();
      await until('it asks for the rest', progress, { is: () => asked.length > 0 });
      expect(asked[0]).to.be.at.least(followed);
    }
    expect(asked[0], 'the last kill was on the way').to.be.below(entries);
    isFast = true;
    await until('all is followed', progress, { is: (seq) => seq === entries });
    await until('it is synced', () => node.node.client.get('/api/v1/node'), { is: ({ body }) => body.synced });
    await node.node.stop();
  });
});
