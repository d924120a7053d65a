/** `kill -9` during deliveries: none is lost, and those of each resource arrive in order. */
import { expect } from 'chai';
import { svcNode } from '../cli/support/command.js';
import { NodeProcess } from '../crash/support/process.js';
import { expectStatus } from '../node/support/answers.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { Receiver } from './support/receiver.js';

const kills = isLong ? 20 : 2;
const passphrase = 'correct horse battery staple';

describe('a node that is killed while it delivers', () => {
  let receiver: Receiver;
  after(async () => {
    await tidy();
    await receiver?.close();
  });

  it(`delivers every event at least once, through ${kills} kills`, async () => {
    receiver = await Receiver.open();
    // Slower than entries are written, so that some deliveries are always under way or waiting at the kill.
    receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 80);
    const dir = scratch();
    const start = () => NodeProcess.start(dir, [], { SVC_WEBHOOK_NETWORKS: '127.0.0.0/8' });
    let node = await start();
    const made = await svcNode(['api-key', 'create', '--scope', 'admin', '--label', 'a test', '--data', dir, '--json']);
    const admin = () => node.client.keyed(JSON.parse(made.stdout).key);
    const wanted = { url: receiver.url, types: ['transfer.sent'] };
    const { id } = expectStatus(await admin().post('/api/v1/webhooks', wanted), 201);
    const payers: string[] = [];
    for (let n = 0; n < 3; n++) {
      payers.push(expectStatus(await node.client.post('/api/v1/identities', { passphrase }), 201).did);
      for (let claim = 0; claim < 5; claim++)
        expectStatus(await node.client.post('/api/v1/faucet', { did: payers[n] }));
    }
    const paid: string[] = [];
    for (let kill = 0; kill <= kills; kill++) {
      for (let n = 0; n < 20; n++) {
        const to = payers[(n + 1) % 3];
        const did = payers[n % 3];
        const { nextNonce: nonce } = expectStatus(await node.client.get(`/api/v1/wallets/${did}`));
        const body = { did, passphrase, nonce, to, amount: 1 };
        paid.push(expectStatus(await node.client.post('/api/v1/transfers', body), [200, 201]).eventHash);
      }
      if (kill === kills) break;
      // Some deliveries have been recorded, but far from all.
      const already = receiver.received.length;
      await until('some arrive', () => receiver.received.length, { is: (count) => count >= already + 6 });
      expect(await node.kill()).to.include({ signal: 'SIGKILL' });
      node = await start();
    }
    const hashes = () => new Set(receiver.received.map(({ body }) => body.entry.event.hash));
    await until('all arrive', () => hashes().size, { is: (count) => count >= paid.length });
    expect([...hashes()].sort()).to.deep.equal([...paid].sort());
    // The first deliveries of each payer are in the order of its nonces.
    for (const did of payers) {
      const of = receiver.received.filter(({ body }) => body.entry.event.issuer === did);
      const nonces = [...new Set(of.map(({ body }) => body.entry.event.nonce))];
      expect(nonces).to.deep.equal([...nonces].sort((a, b) => a - b));
    }
    for (const { body } of receiver.received) expect(body.id).to.equal(`${id}-${body.entry.entryHash.slice(0, 32)}`);
    await until('it is noted', async () => {
      const { deliveredUpTo } = expectStatus(await admin().get(`/api/v1/webhooks/${id}`));
      return deliveredUpTo >= Math.max(...receiver.seqs);
    });
    expect((await node.stop()).code).to.equal(0);
  });
});
