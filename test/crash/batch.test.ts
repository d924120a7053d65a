/** A batch that a kill cuts: what of it is in the journal is there once, and the same batch again completes it. */
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { expectStatus } from '../node/support/answers.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { auditOf, NodeProcess } from './support/process.js';

const passphrase = 'correct horse battery staple';
const writes = bounds.batchItems;

describe('a batch that is cut', () => {
  afterEach(tidy);

  it('is completed by the same batch, where each write has its key', async () => {
    let node = await NodeProcess.start(scratch());
    const made = () => node.client.post('/api/v1/identities', { passphrase });
    const [{ did }, { did: to }] = [expectStatus(await made(), 201), expectStatus(await made(), 201)];
    expectStatus(await node.client.post('/api/v1/faucet', { did }));
    const items = Array.from({ length: writes }, (_, index) => ({
      path: '/api/v1/transfers',
      idempotencyKey: `payment-${index}`,
      body: { did, passphrase, nonce: index + 1, to, amount: 1 },
    }));
    const balance = async () => (await node.client.get(`/api/v1/wallets/${to}`)).body.balance as number;
    const cut = node.client.post('/api/v1/batch', { items }).catch(() => undefined);
    await until('a write of it is in the journal', async () => (await balance()) > 0, { everyMs: 1 });
    await node.kill();
    await cut;

    node = await NodeProcess.start(node.dir);
    const before = await balance();
    expect(before).to.be.within(1, writes);
    const { items: answers } = expectStatus(await node.client.post('/api/v1/batch', { items }));
    expect(answers.map(({ status }: { status: number }) => status)).to.deep.equal(items.map(() => 200));
    expect(answers.filter(({ headers }: { headers?: object }) => headers)).to.have.lengthOf(before);
    expect(await balance()).to.equal(writes);
    expect((await node.stop()).code).to.equal(0);
    expect(await auditOf(node.dir)).to.include({ ok: true });
  });
});
