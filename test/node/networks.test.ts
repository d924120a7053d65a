/** Mainnet always requires a key, and networks are separate (docs/reference/configuration.md#networks). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { StartRefused } from '../../src/node/identity.js';
import { withGifts } from '../world/gift.js';
import { expectProblem, expectStatus } from './support/answers.js';
import { OwnKey } from './support/independent.js';
import { nodeForSuite, TestNode } from './support/node.js';

const sample: { readonly [name: string]: string } = {
  did: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
  address: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
};
const filled = (path: string): string => path.replace(/:(\w+)/g, (_, name: string) => sample[name] ?? 'esc-x');

describe('On mainnet', () => {
  const variables = { SVC_NETWORK: 'mainnet', SVC_TRUSTED_PROXIES: '127.0.0.1' };
  const node = nodeForSuite({ variables, parts: { catalogue: withGifts } });

  it('every request under /api needs a key, from this machine too, before anything else is looked at', async () => {
    const api = node().running.routes.filter(({ path }) => path.startsWith('/api/'));
    expect(api.length).to.be.greaterThan(20);
    for (const [index, { method, path }] of api.entries()) {
      const url = filled(path);
      // From several remote addresses, because there are more routes than one address may try in a minute.
      const from = index % 4 === 0 ? {} : { 'X-Forwarded-For': `198.51.100.${index}` };
      const client = node().client.with(from);
      expectProblem(await client.send({ method, path: url }), 'UNAUTHORIZED');
      const keyed = client.keyed('svck_unknown');
      expectProblem(await keyed.send({ method, path: url, body: '{' }), 'UNAUTHORIZED');
    }
    expectProblem(await node().client.get('/api/v1/nowhere'), 'UNAUTHORIZED');
    expectProblem(await node().client.post('/api/v2/node'), 'UNAUTHORIZED');
  });

  it('a key opens what its scope says', async () => {
    const read = await node().keyed({ scope: 'read' });
    expect(expectStatus(await read.get('/api/v1/node')).network).to.equal('mainnet');
    expectProblem(await read.post('/api/v1/transfers', {}), 'FORBIDDEN');
    const write = await node().keyed({ scope: 'write' });
    const remote = write.with({ 'X-Forwarded-For': '203.0.113.9' });
    expectProblem(await remote.post('/api/v1/identities', { passphrase: 'a good long passphrase' }), 'FORBIDDEN');
    const admin = await node().keyed({ scope: 'admin' });
    const [ada, ben] = [await node().person(admin), await node().person(admin)];
    await node().operate('gift', ada.did, 'give', { amount: 10 });
    expectStatus(await ada.through(write).write('/api/v1/transfers', { to: ben.did, amount: 1 }));
  });

  it('Tokens exist by deposit only', async () => {
    const minted = await node().operate('account', node().did, 'mint', { amount: 1 });
    expect(isRefusal(minted) && minted.code).to.equal('FORBIDDEN');
  });

  it('health, errors and the description of the API need none', async () => {
    for (const path of ['/healthz', '/readyz', '/errors', '/errors/conflict', '/openapi.json', '/docs']) {
      expectStatus(await node().client.get(path));
    }
  });
});

describe('Networks', () => {
  const devnet = nodeForSuite();
  const testnet = nodeForSuite({ variables: { SVC_NETWORK: 'testnet', SVC_LOOPBACK: 'on' } });

  it('know nothing of each other’s identities, escrows, keys and events', async () => {
    const [ada, ben] = [await devnet().rich(100), await devnet().person()];
    const rules = { beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }] };
    const { escrowId, eventHash } = await ada.does('/api/v1/escrows', rules);
    const there = testnet().client;
    expectProblem(await there.get(`/api/v1/identities/${ada.did}`), 'DID_NOT_FOUND');
    expectProblem(await there.get(`/api/v1/escrows/${escrowId}`), 'ESCROW_NOT_FOUND');
    expectProblem(await there.get(`/api/v1/events/${eventHash}`), 'NOT_FOUND');
    expect(expectStatus(await there.get(`/api/v1/wallets/${ada.did}`)).balance).to.equal(0);
    const { key } = await devnet().key({ scope: 'admin' });
    expectProblem(await there.keyed(key).get('/api/v1/node'), 'UNAUTHORIZED');
    const stray = { ...ada.signed, to: ben.did, amount: 1, nonce: 1 };
    expectProblem(await there.post('/api/v1/transfers', stray), 'TRANSFER_NOT_ALLOWED');
  });

  it('a signature made for one is none on the other', async () => {
    const signer = OwnKey.fresh();
    const made = { releaseRules: [{ type: 'signature', signers: [signer.did] }], autoFund: true, amount: 5 };
    for (const [node, name, other] of [
      [testnet(), 'testnet', 'devnet'],
      [devnet(), 'devnet', 'testnet'],
    ] as const) {
      const [ada, ben] = [await node.rich(10), await node.person()];
      const escrow = await ada.does('/api/v1/escrows', { ...made, beneficiary: ben.did });
      const { resourcePrev, escrowId } = escrow;
      const release = (network: string, home = node.did) => {
        const message = `svc:escrow-release:v2:${network}:${home}:${escrowId}:${resourcePrev}:5`;
        const evidence = { signatures: [{ did: signer.did, signature: signer.sign(message).toString('base64url') }] };
        return ben.act(escrow, 'release', { amount: 5, resourcePrev, evidence });
      };
      expectProblem(await release(other), 'ESCROW_RULE_NOT_MET');
      // Another node of the same network is another home.
      expectProblem(await release(name, signer.did), 'ESCROW_RULE_NOT_MET');
      expectStatus(await release(name));
    }
  });

  it('do not share a data directory: the start is refused', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-test-networks-'));
    try {
      const first = await TestNode.start({ dir });
      await first.stop();
      const second = await TestNode.start({ dir, variables: { SVC_NETWORK: 'testnet' } }).then(
        async (node) => {
          await node.stop();
          return undefined;
        },
        (error: unknown) => error,
      );
      expect(second, 'a testnet node on a devnet directory').to.be.instanceOf(StartRefused);
      expect(String(second)).to.match(/devnet/);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
