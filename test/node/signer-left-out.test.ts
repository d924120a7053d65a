/** Where a kind's signer is optional, no caller can act for another DID whose key is unlocked. */
import { expect } from 'chai';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

/** The escrow with an optional signer, as contracts have. */
const relaxed = { ...escrow, signerOptional: true as const };
const catalogue = catalogueOf([
  ...Object.values(everyKind.definitions).filter(({ kind }) => kind !== 'escrow'),
  relaxed,
]);

describe('a signer that is left out', () => {
  let node: TestNode;
  let ada: Person;
  let ben: Person;

  before(async () => {
    node = await TestNode.start({ parts: { catalogue } });
    [ada, ben] = [await node.rich(100), await node.rich(100)];
    const admin = await node.keyed({ scope: 'admin' });
    expectStatus(
      await admin.post(`/api/v1/admin/identities/${ada.did}/actions/unlock`, { passphrase: ada.passphrase }),
    );
  });
  after(() => node.stop());

  const create = () => ({ beneficiary: ben.did, amount: 1, releaseRules: [{ type: 'manual' }] });
  const key = (name: string) => ({ 'idempotency-key': name });

  it('is the DID that the key is bound to, while the operator keeps it unlocked', async () => {
    const bound = await node.keyed({ scope: 'write', did: ada.did });
    const made = expectStatus(await bound.post('/api/v1/escrows', create(), key('bound')), 201);
    expect(made.depositor).to.equal(ada.did);
    expectInvalid(await bound.post('/api/v1/escrows', create()), 'Idempotency-Key');
  });

  it('is the node’s own DID for a local caller, with an Idempotency-Key or without', async () => {
    expectStatus(await node.client.post('/api/v1/faucet', { did: node.running.did }), 200);
    const made = expectStatus(await node.client.post('/api/v1/contracts', { provider: ben.did, terms: {} }), 201);
    expect(made.client).to.equal(node.running.did);
    const path = `/api/v1/contracts/${made.contractId}/actions/sign`;
    const signed = expectStatus(await node.client.post(path));
    expect(signed.nonce).to.equal(made.nonce + 1);
    expect(signed.signatures.map(({ signer }: { signer: string }) => signer)).to.deep.equal([node.running.did]);
  });

  it('is no DID for an unbound key, and never one that the caller merely names', async () => {
    const unbound = await node.keyed({ scope: 'write' });
    expectInvalid(await unbound.post('/api/v1/escrows', create(), key('a')), 'did');
    for (const client of [unbound, node.client]) {
      const before = await node.state();
      for (const did of [ada.did, ben.did]) {
        expectInvalid(await client.post('/api/v1/escrows', { ...create(), did, nonce: 1 }, key('b')), 'passphrase');
      }
      expect(await node.state()).to.deep.equal(before);
    }
  });

  it('is refused where the bound DID is locked', async () => {
    const bound = await node.keyed({ scope: 'write', did: ben.did });
    expectProblem(await bound.post('/api/v1/escrows', create(), key('c')), 'TRANSFER_NOT_ALLOWED');
  });
});
