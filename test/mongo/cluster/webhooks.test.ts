/** Webhooks of several processes on one database: one delivers, and another takes over without a gap. */
import { expect } from 'chai';
import { svcNode } from '../../cli/support/command.js';
import { NodeProcess } from '../../crash/support/process.js';
import { expectStatus } from '../../node/support/answers.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { isGenuine, Receiver } from '../../webhooks/support/receiver.js';
import { TestDatabase } from '../support/database.js';
import { Leases } from '../support/leases.js';
import { describeMongo } from '../support/server.js';

const root = '/api/v1/webhooks';

describeMongo('webhooks of two processes on one database', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  after(async () => {
    await tidy();
    await receiver?.close();
    await database?.dispose();
  });

  it('are delivered by one of them, in order, and by the other when the first is killed', async () => {
    receiver = await Receiver.open();
    database = await TestDatabase.fresh();
    const variables = { SVC_STORE: database.url, SVC_WEBHOOK_NETWORKS: '127.0.0.1' } as const;
    const dirs = [scratch(), scratch()];
    const nodes = [await NodeProcess.start(dirs[0]!, [], variables), await NodeProcess.start(dirs[1]!, [], variables)];
    const args = ['api-key', 'create', '--scope', 'admin', '--label', 'a test', '--data', dirs[0]!, '--json'];
    const { key } = JSON.parse((await svcNode(args, { env: variables })).stdout);
    const claim = async (node: NodeProcess): Promise<string> => {
      const passphrase = 'correct horse battery staple';
      const { did } = expectStatus(await node.client.post('/api/v1/identities', { passphrase }), 201);
      return expectStatus(await node.client.post('/api/v1/faucet', { did }), [200, 201]).eventHash;
    };
    const { id } = expectStatus(
      await nodes[0]!.client.keyed(key).post(root, { url: receiver.url, types: ['faucet.claimed'] }),
      201,
    );
    const claimed: string[] = [];
    for (let n = 0; n < 10; n++) claimed.push(await claim(nodes[n % 2]!));
    const hashes = () => receiver.received.map(({ body }) => body.entry.event.hash);
    await until('all arrive', () => receiver.received.length, { is: (count) => count >= 10 });
    expect(hashes().sort(), 'once each: one of two delivers').to.deep.equal([...claimed].sort());

    const leases = new Leases(
      () => database,
      () => nodes,
    );
    const { node: holder } = await leases.holderOf('webhooks');
    const other = nodes.find((node) => node !== holder)!;
    // Through the process that does not deliver.
    const rotated = await other.client.keyed(key).post(`${root}/${id}/actions/rotate-secret`);
    const { secret } = expectStatus(rotated);
    const isHeardOf = async () => {
      claimed.push(await claim(other));
      await new Promise((resolve) => setTimeout(resolve, 100));
      return receiver.received.some((received) => isGenuine(received, secret));
    };
    await until('the one that delivers signs with the new secret', isHeardOf);
    await until('all arrive', () => new Set(hashes()).size, { is: (count) => count >= claimed.length });
    await holder.kill();
    for (let n = 0; n < 5; n++) claimed.push(await claim(other));
    await until('the other one delivers', () => new Set(hashes()).size, {
      is: (count) => count >= claimed.length,
    });
    expect([...new Set(hashes())].sort()).to.deep.equal([...claimed].sort());

    expectStatus(await other.client.keyed(key).delete(`${root}/${id}`), 204);
    await claim(other);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(new Set(hashes()).size, 'deleted: nothing more').to.equal(claimed.length);
    expect((await other.stop()).code).to.equal(0);
  });
});
