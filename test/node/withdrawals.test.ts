/**
 * Withdrawals of Tokens to an address on chain, by default that of the DID's controller
 * (docs/reference/accounts-and-nonces.md#deposits-and-withdrawals).
 */
import { expect } from 'chai';
import { addressOfKey } from '../../src/chain/contracts/controller.js';
import { deriveControllerKey } from '../../src/keys/controller-key.js';
import { signerOf } from '../../src/keys/signing.js';
import { expectInvalid, expectProblem, expectStatus, expectWritten } from './support/answers.js';
import { FakeChain, txHash } from './support/chain.js';
import type { Body, Headers, Reply } from './support/client.js';
import { seedIn } from './support/kdf.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const outside = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('withdrawals', () => {
  const chain = new FakeChain();
  let node: TestNode;
  let ada: Person;
  let ben: Person;

  before(async () => {
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain }, variables: { SVC_MIN_FEE: '0' } });
  });
  beforeEach(async () => {
    chain.verdict = 'confirmed';
    chain.registrations.clear();
    [ada, ben] = [await node.rich(100), await node.rich(100)];
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what).to.equal(undefined);
  });

  const path = (who: Person) => `/api/v1/wallets/${who.did}/actions/withdraw`;
  const withdraw = (who: Person, body: Body = {}, headers?: Headers): Promise<Reply> =>
    who.write(path(who), { amount: 30, ...body }, headers);
  const controllerOf = async (who: Person): Promise<string> =>
    addressOfKey(deriveControllerKey(signerOf(await seedIn(node.dir, who.address, who.passphrase))).key);

  it('pay to the address that they name, and say in which transaction', async () => {
    const body = expectStatus(await withdraw(ada, { to: outside, fee: 2 }));
    expect(body).to.include({ from: ada.did, to: outside, amount: 30, fee: 2, status: 'confirmed', txHash, nonce: 1 });
    expect(await ada.wallet()).to.include({ balance: 68, availableBalance: 68, nextNonce: 2 });
    const { transactions } = expectStatus(await node.client.get(`/api/v1/wallets/${ada.did}/transactions?limit=1`));
    expect(transactions[0]).to.include({ op: 'withdraw', type: 'sent', to: outside, amount: 30, fee: 2 });
    const { moves, event } = expectStatus(await node.client.get(`/api/v1/events/${body.eventHash}`));
    expect(event.type).to.equal('tokens.withdrawn');
    expect(moves).to.deep.equal([{ op: 'withdraw', from: ada.did, to: outside, amount: 30, fee: 2 }]);
  });

  it('take the wallet under either name, and an address in small letters', async () => {
    const reply = await ada.write(`/api/v1/wallets/${ada.address}/actions/withdraw`, {
      amount: 1,
      to: outside.toLowerCase(),
    });
    expect(expectStatus(reply).to).to.equal(outside);
  });

  it('go to the controller that the registry names', async () => {
    chain.registrations.set(ada.did, { registered: true, controller: outside });
    expect(expectStatus(await withdraw(ada)).to).to.equal(outside);
  });

  it('of an unregistered DID go to the controller of its key, which is registered then', async () => {
    const controller = await controllerOf(ada);
    expect(expectStatus(await withdraw(ada)).to).to.equal(controller);
    expect(chain.registrations.get(ada.did)).to.deep.equal({ registered: true, controller });
    expectStatus(await withdraw(ben, { to: outside }));
    expect(chain.registrations.get(ben.did)?.controller, 'also where the address was given').to.equal(
      await controllerOf(ben),
    );
  });

  it('of a DID whose controller was revoked need an address', async () => {
    chain.registrations.set(ada.did, { registered: true, controller: null });
    expectProblem(await withdraw(ada), 'UNPROCESSABLE');
    expectStatus(await withdraw(ada, { to: outside }));
  });

  it('are refused before anything is written', async () => {
    const admin = await node.keyed({ scope: 'admin' });
    const before = await node.state();
    expectInvalid(await withdraw(ada, { to: '0x12' }), 'to');
    expectInvalid(await withdraw(ada, { to: outside.replace('E', 'e') }), 'to');
    expectInvalid(await withdraw(ada, { amount: 0 }), 'amount');
    expectInvalid(await withdraw(ada, { amount: '5' }), 'amount');
    expectProblem(await withdraw(ada, { to: `0x${'0'.repeat(40)}` }), 'UNPROCESSABLE');
    for (const to of Object.values(chain.contracts)) {
      expectProblem(await withdraw(ada, { to: to.toLowerCase() }), 'UNPROCESSABLE');
    }
    expectProblem(await withdraw(ada, { amount: 101, to: outside }), 'INSUFFICIENT_BALANCE');
    expectProblem(await withdraw(ada, { passphrase: 'another passphrase' }), 'TRANSFER_NOT_ALLOWED');
    expectProblem(await ben.write(path(ada), { amount: 1, to: outside }), 'TRANSFER_NOT_ALLOWED');
    expectProblem(await withdraw(ada, { to: outside, nonce: 7_000 }), 'CONFLICT', { nextNonce: 1 });
    expectProblem(await ada.write('/api/v1/wallets/did:svc:zz/actions/withdraw', { amount: 1 }), 'DID_INVALID');
    expectInvalid(await ada.write('/api/v1/wallets/ada/actions/withdraw', { amount: 1 }), 'address');
    expect(await node.state()).to.deep.equal(before);
    expect(chain.registrations.has(ada.did), 'no controller was registered for that').to.equal(false);
    expectStatus(await admin.post(`/api/v1/admin/accounts/${ada.did}/actions/freeze`));
    expectProblem(await withdraw(ada, { to: outside }), 'TRANSFER_NOT_ALLOWED');
  });

  it('wait for an unreachable chain, and a used nonce is still refused', async () => {
    chain.verdict = 'away';
    const before = await node.state();
    expectProblem(await withdraw(ada), 'SERVICE_UNAVAILABLE');
    expectProblem(await withdraw(ada, { to: outside }), 'SERVICE_UNAVAILABLE');
    expectProblem(await withdraw(ada, { nonce: 7_000 }), 'CONFLICT');
    expect(await node.state()).to.deep.equal(before);
  });

  it('are answered again under their Idempotency-Key, also while the chain is unreachable', async () => {
    const key = { 'Idempotency-Key': 'one-withdrawal' };
    const first = expectStatus(await withdraw(ada, {}, key));
    chain.verdict = 'away';
    const again = await withdraw(ada, { nonce: 1 }, key);
    expect(expectStatus(again)).to.deep.equal(first);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect((await ada.wallet()).balance).to.equal(70);
  });

  it('are none where a node settles on no chain, and have their least fee', async () => {
    const alone = await TestNode.start();
    const cyd = await alone.rich(100);
    expectProblem(await cyd.write(path(cyd), { amount: 1, to: outside }), 'UNPROCESSABLE');
    expectProblem(await cyd.write(path(cyd), { amount: 1, to: outside, nonce: 9_000 }), 'CONFLICT');
    await alone.discard();
    const dear = await TestNode.start({
      parts: { settlement: chain, onChain: chain },
      variables: { SVC_MIN_FEE: '3' },
    });
    const dan = await dear.rich(100);
    expectProblem(await dan.write(path(dan), { amount: 1, to: outside }), 'UNPROCESSABLE');
    expectStatus(await dan.write(path(dan), { amount: 1, to: outside, fee: 3 }));
    await dear.discard();
  });

  it('reply like every write', async () => {
    chain.verdict = 'late';
    const body = expectStatus(await withdraw(ada, { to: outside }));
    expectWritten(body, 1);
    expect(body).to.include({ status: 'pending', txHash: `0x${body.eventHash}`, blockNumber: null });
  });
});

describe('POST /api/v1/identities/{did}/actions/register-controller', () => {
  const chain = new FakeChain();
  let node: TestNode;
  before(async () => {
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain } });
  });
  after(() => node?.discard());

  const register = (who: Person, passphrase = who.passphrase) =>
    node.client.post(`/api/v1/identities/${who.did}/actions/register-controller`, { passphrase });

  it('names the controller of the DID’s key, to anyone who can unlock it', async () => {
    const ada = await node.person();
    expectProblem(await register(ada, 'another passphrase'), 'TRANSFER_NOT_ALLOWED');
    const { controller } = expectStatus(await register(ada));
    expect(expectStatus(await register(ada))).to.deep.equal({ did: ada.did, registered: true, controller });
    expect(expectStatus(await node.client.get(`/api/v1/nonce/${ada.did}`)).data).to.include({
      address: controller,
      registered: true,
    });
    expect(expectStatus(await node.client.get(`/api/v1/identities/${ada.did}`)).controller).to.equal(controller);
    chain.verdict = 'away';
    expectProblem(await register(ada), 'SERVICE_UNAVAILABLE');
  });

  it('is notified of each key that is used, the node’s own first', async () => {
    chain.verdict = 'confirmed';
    const [ada, ben] = [await node.rich(10), await node.person()];
    expect(chain.inUse).to.include(node.did);
    await ada.pays(ben.did, 1);
    expect(chain.inUse).to.include(ada.did).and.not.to.include(ben.did);
  });
});
