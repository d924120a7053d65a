/**
 * Loopback (docs/reference/access.md#loopback): an unauthenticated caller on this machine acts as the node, but can't move the
 * node's Tokens.
 */
import { expect } from 'chai';
import { addressOf } from '../../src/core/codecs/address.js';
import { catalogue as everyKind } from '../../src/machines/catalogue.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client, Reply } from './support/client.js';
import { nodeForSuite, nodePassphrase } from './support/node.js';
import { Person } from './support/person.js';

/** The escrow with an optional signer, as contracts have: it moves Tokens in the most ways. */
const catalogue = {
  ...everyKind,
  definitions: { ...everyKind.definitions, escrow: { ...escrow, signerOptional: true as const } },
};

describe('a caller on this machine, without a key', () => {
  const node = nodeForSuite({ parts: { catalogue } });
  let owner: Person;
  let ben: Person;
  let requests = 0;

  before(async () => {
    ben = await node().rich(1_000);
    await node().fund(node(), 1_000);
    owner = new Person(node().client, node().did, addressOf(node().did), nodePassphrase, node().dir);
  });

  const asNode = (path: string, body: Body = {}, client: Client = node().client): Promise<Reply> =>
    client.post(`/api/v1${path}`, body, { 'idempotency-key': `loopback-${++requests}` });

  /** Without the node's passphrase the request is refused without a trace; with it, it succeeds. */
  async function takesPassphrase(path: string, body: Body = {}): Promise<Body> {
    const before = await node().state();
    const problem = expectProblem(await asNode(path, body), 'FORBIDDEN');
    expect(problem.detail).to.include('node’s own DID');
    expect(await node().state()).to.deep.equal(before);
    owner.nonce = (await owner.wallet()).nextNonce as number;
    return expectStatus(await owner.write(`/api/v1${path}`, body), [200, 201]);
  }

  const contractOf = async (provider: Person): Promise<string> => {
    const milestones = [
      { id: 'one', title: 'One', amount: 60 },
      { id: 'two', title: 'Two', amount: 40 },
    ];
    const asked = { provider: provider.did, terms: { scope: 'a' }, payment: { totalAmount: 100 }, milestones };
    const { contractId } = expectStatus(await asNode('/contracts', asked), 201);
    expectStatus(await asNode(`/contracts/${contractId}/actions/sign`));
    await provider.does(`/api/v1/contracts/${contractId}/actions/sign`);
    return `/contracts/${contractId}`;
  };

  it('does not lock, pay or give back the node’s Tokens in a contract', async () => {
    const contract = await contractOf(ben);
    await takesPassphrase(`${contract}/actions/activate`, { amount: 100 });
    for (const id of ['one', 'two']) await ben.does(`/api/v1${contract}/milestones/${id}/actions/submit`);
    expectStatus(await asNode(`${contract}/milestones/two/actions/reject`));
    await takesPassphrase(`${contract}/milestones/one/actions/approve`);
    await ben.does(`/api/v1${contract}/actions/consent`);
    await takesPassphrase(`${contract}/actions/terminate`);
  });

  it('does not reserve, fund, release or refund the node’s Tokens in an escrow', async () => {
    const escrow = { beneficiary: ben.did, amount: 10, releaseRules: [{ type: 'manual' }] };
    const { escrowId, resourcePrev } = await takesPassphrase('/escrows', escrow);
    const actions = `/escrows/${escrowId}/actions`;
    const funded = await takesPassphrase(`${actions}/fund`, { amount: 10, resourcePrev });
    const released = await takesPassphrase(`${actions}/release`, { amount: 4, resourcePrev: funded.resourcePrev });
    await takesPassphrase(`${actions}/refund`, { amount: 6, reason: 'enough', resourcePrev: released.resourcePrev });
    expect((await takesPassphrase('/escrows', escrow)).status).to.equal('created');
  });

  it('may earn for the node, and give back what is others’', async () => {
    const milestones = [{ id: 'one', title: 'One', amount: 60 }];
    const asked = { provider: node().did, terms: { scope: 'a' }, payment: { totalAmount: 60 }, milestones };
    const { contractId } = await ben.does('/api/v1/contracts', asked);
    const actions = `/contracts/${contractId}/actions`;
    await ben.does(`/api/v1${actions}/sign`);
    expectStatus(await asNode(`${actions}/sign`));
    await ben.does(`/api/v1${actions}/activate`, { amount: 60 });
    expectStatus(await asNode(`${actions}/terminate`));
  });

  it('moves them with an admin key, or one that is bound to the node’s DID', async () => {
    const admin = await node().keyed({ scope: 'admin' });
    const bound = await node().keyed({ scope: 'write', did: node().did });
    const create = { beneficiary: ben.did, amount: 1, releaseRules: [{ type: 'manual' }] };
    expectStatus(await asNode('/escrows', { ...create, did: node().did }, admin), 201);
    expectStatus(await asNode('/escrows', create, bound), 201);
    const write = await node().keyed({ scope: 'write' });
    expectProblem(await asNode('/escrows', { ...create, did: node().did }, write), 'INVALID_REQUEST');
  });
});
