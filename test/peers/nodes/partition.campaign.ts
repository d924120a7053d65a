/** Nodes of which some cannot reach the others for a while: both sides answer, and every feed is followed to its end afterwards. */
import { expect } from 'chai';
import { Network } from '../../mongo/support/network.js';
import type { Person } from '../../node/support/person.js';
import { isLong } from '../../support/long.js';
import { until } from '../../support/until.js';
import { discard, Home } from './network.js';

const [side, otherSide] = isLong ? [2, 3] : [1, 2];
const rounds = isLong ? 20 : 1;
const entriesPerSide = isLong ? 1_000 : 30;
/** Not the goal of 5 s, which needs a quiet machine. */
const patienceMs = 120_000;

describe('Nodes on a partitioned network', () => {
  const homes: Home[] = [];
  /** The networks between nodes of different sides. */
  const across: Network[] = [];
  const between: Network[] = [];

  after(async () => {
    await discard(homes);
    for (const network of between) await network.dispose();
  });

  async function acquaintOverNetworks(): Promise<void> {
    for (const [from, home] of homes.entries()) {
      for (const [to, other] of homes.entries()) {
        if (from === to) continue;
        const address = await other.address();
        const port = /tcp\/(\d+)/.exec(address)![1]!;
        const network = await Network.to(`http://127.0.0.1:${port}`);
        between.push(network);
        if (from < side !== to < side) across.push(network);
        await home.operator('peers.add', { address: address.replace(`/tcp/${port}/`, `/tcp/${network.port}/`) });
      }
    }
  }

  const isEqual = async (): Promise<boolean> => {
    const heads = await Promise.all(homes.map(async ({ did, node }) => [did, (await node.store.head()).seq] as const));
    const seen = await Promise.all(homes.map((home) => home.peers()));
    return seen.every((peers) =>
      peers.every(({ did, followed, status }) => status === 'current' && followed === new Map(heads).get(did)),
    );
  };

  it(`answer on both sides of ${side}|${otherSide}, and are equal after the heal, ${rounds} times`, async () => {
    while (homes.length < side + otherSide) homes.push(await Home.start());
    await acquaintOverNetworks();
    const payers: Person[] = [];
    for (const { node } of homes) payers.push(await node.rich(rounds * entriesPerSide));
    await until('all are equal', isEqual, { longestMs: patienceMs });
    for (let round = 1; round <= rounds; round++) {
      for (const network of across) network.close();
      await Promise.all(
        homes.map(async ({ did }, index) => {
          const entries = Math.ceil(entriesPerSide / (index < side ? side : otherSide));
          for (let left = entries; left > 0; left--) await payers[index]!.pays(did, 1);
        }),
      );
      // Each side is followed on that side only.
      const [one, other] = [homes[0]!, homes[side]!];
      await until('the loss is noticed', () => one.peer(other), { is: ({ status }) => status === 'unreachable' });
      expect((await one.peer(other)).followed).to.be.below((await other.node.store.head()).seq);
      for (const network of across) network.open();
      const since = performance.now();
      await until('all are equal', isEqual, { longestMs: patienceMs });
      if (isLong) process.stdout.write(`        equal after ${Math.round(performance.now() - since)} ms\n`);
    }
    for (const home of homes) {
      expect(await home.node.audit()).to.include({ ok: true });
      for (const peer of await home.peers()) expect(peer.violation).to.equal(undefined);
    }
  });
});
