/** Idempotency over HTTP (docs/reference/requests.md#idempotency). */
import { expect } from 'chai';
import { until } from '../support/until.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Reply } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const key = (text: string) => ({ 'Idempotency-Key': text });
const isReplay = ({ headers }: Reply): boolean => headers['idempotent-replayed'] === 'true';

describe('Idempotency-Key', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;

  beforeEach(async () => {
    [ada, ben] = [await node().rich(100), await node().person()];
  });

  const pay = (body: Body = {}, headers = key('k')) =>
    node().client.post('/api/v1/transfers', { ...ada.signed, to: ben.did, amount: 1, ...body }, headers);

  it('gives the same reply again, and says so in a header', async () => {
    const first = await pay({ memo: 'once' });
    expectStatus(first);
    expect(isReplay(first)).to.equal(false);
    const again = await pay({ memo: 'once' });
    expect(expectStatus(again)).to.deep.equal(first.body);
    expect(isReplay(again)).to.equal(true);
    expect((await ben.wallet()).balance).to.equal(1);
    expect((await ada.wallet()).nextNonce).to.equal(2);
  });

  it('gives a creation its 201, Location and view again, as they were', async () => {
    const body = { ...ada.signed, beneficiary: ben.did, amount: 9, releaseRules: [{ type: 'manual' }] };
    const create = () => node().client.post('/api/v1/escrows', body, key('escrow'));
    const first = await create();
    ada.nonce += 1;
    const { escrowId } = expectStatus(first, 201);
    expectStatus(await ada.act(first.body, 'cancel'));
    const again = await create();
    expect(expectStatus(again, 201)).to.deep.equal(first.body);
    expect(again.headers.location).to.equal(`/api/v1/escrows/${escrowId}`);
    expect(isReplay(again)).to.equal(true);
  });

  it('with another body is 422, whatever differs', async () => {
    expectStatus(await pay());
    const before = await node().state();
    for (const change of [{ amount: 2 }, { memo: 'x' }, { to: node().did }, { nonce: 2 }]) {
      expectProblem(await pay(change), 'UNPROCESSABLE');
    }
    const rules = { ...ada.signed, nonce: 2, beneficiary: ben.did, amount: 1, releaseRules: [{ type: 'manual' }] };
    expectProblem(await node().client.post('/api/v1/escrows', rules, key('k')), 'UNPROCESSABLE');
    expect(await node().state()).to.deep.equal(before);
    // The passphrase, and members that are ignored on request, are not part of the fingerprint.
    const lenient = { ...key('k'), Prefer: 'handling=lenient' };
    const { client } = node();
    const paid = { ...ada.signed, nonce: 1, to: ben.did, amount: 1 };
    expect(isReplay(await client.post('/api/v1/transfers', { ...paid, colour: 'red' }, lenient))).to.equal(true);
  });

  it('belongs to its signer: another one may use the same', async () => {
    const eve = await node().rich(10);
    expectStatus(await pay());
    const other = await eve.write('/api/v1/transfers', { to: ben.did, amount: 1 }, key('k'));
    expectStatus(other);
    expect(isReplay(other)).to.equal(false);
    expect((await ben.wallet()).balance).to.equal(2);
  });

  it('is the same one through any connection or key of the signer', async () => {
    const first = expectStatus(await pay());
    const through = await node().keyed({ scope: 'write' });
    const body = { ...ada.signed, to: ben.did, amount: 1 };
    const again = await through.post('/api/v1/transfers', body, key('k'));
    expect(expectStatus(again)).to.deep.equal(first);
    expect(isReplay(again)).to.equal(true);
  });

  it('shows nothing to a caller without the passphrase', async () => {
    expectStatus(await pay());
    expectProblem(await pay({ passphrase: 'a wrong passphrase' }), 'TRANSFER_NOT_ALLOWED');
    expectProblem(await pay({ passphrase: 'a wrong passphrase', amount: 2 }), 'TRANSFER_NOT_ALLOWED');
  });

  it('of a refused request stays free', async () => {
    expectProblem(await pay({ amount: 500 }), 'INSUFFICIENT_BALANCE');
    expectProblem(await pay({ nonce: 900 }), 'CONFLICT');
    const accepted = await pay({ amount: 7 });
    expectStatus(accepted);
    expect(isReplay(accepted)).to.equal(false);
  });

  it('holds over a restart, and for a day', async () => {
    const first = expectStatus(await pay());
    await node().restart();
    expect(expectStatus(await pay())).to.deep.equal(first);
    node().world.skip(24 * 3_600_000 - 5_000);
    const again = await pay();
    expect(expectStatus(again)).to.deep.equal(first);
    expect(isReplay(again)).to.equal(true);
    expectProblem(await pay({ amount: 2 }), 'UNPROCESSABLE');
    await node().restart();
    expect(isReplay(await pay())).to.equal(true);
    expect((await node().store.account(ben.did))?.available).to.equal(1);
  });

  it('is free again after two days', async () => {
    expectStatus(await pay());
    node().world.skip(49 * 3_600_000);
    const later = await pay({ nonce: 2, amount: 2 });
    expect(expectStatus(later).amount).to.equal(2);
    expect(isReplay(later)).to.equal(false);
  });

  it('sent fifty times at once is one payment and fifty equal replies', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay()));
    for (const reply of replies) expect(expectStatus(reply)).to.deep.equal(replies[0]!.body);
    expect(replies.filter((reply) => !isReplay(reply))).to.have.length(1);
    expect((await ben.wallet()).balance).to.equal(1);
  });

  it('is 1 to 255 visible ASCII characters', async () => {
    for (const bad of ['', ' ', 'a b', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
      expectInvalid(await pay({}, key(bad)), 'Idempotency-Key');
    }
    expectStatus(await pay({}, key('x'.repeat(255))));
    expectStatus(await pay({ nonce: 2 }, key('!#~"')));
  });

  it('works for writes without an entry too: identities and keys', async () => {
    const make = (passphrase: string, name: string) =>
      node().client.post('/api/v1/identities', { passphrase }, key(name));
    const made1 = await make('correct horse battery', 'identity');
    const first = expectStatus(made1, 201);
    const again = await make('correct horse battery', 'identity');
    expect(expectStatus(again, 201)).to.deep.equal(first);
    expect(isReplay(again)).to.equal(true);
    expect(again.headers.location).to.equal(made1.headers.location).and.be.a('string');
    // A caller with another passphrase does not learn the DID, even from the same address.
    expectProblem(await make('incorrect horse battery', 'identity'), 'UNPROCESSABLE');
    expect(expectStatus(await make('incorrect horse battery', 'another'), 201).did).to.not.equal(first.did);
    const admin = await node().keyed({ scope: 'admin' });
    const create = (label: string) => admin.post('/api/v1/admin/api-keys', { label, scope: 'read' }, key('api-key'));
    const made = expectStatus(await create('a'), 201);
    expect(expectStatus(await create('a'), 201), 'what is secret comes back null').to.deep.equal({
      ...made,
      key: null,
    });
    expectProblem(await create('b'), 'UNPROCESSABLE');
  });

  it('of such writes is forgotten after two days, also by a node that never restarts', async () => {
    const kept = async () => (await node().store.listLocal('local-replies')).length;
    const body = { passphrase: 'correct horse battery' };
    expectStatus(await node().client.post('/api/v1/identities', body, key('old')), 201);
    expect(await kept()).to.be.greaterThan(0);
    node().world.skip(49 * 3_600_000);
    await until('the house is kept', async () => (await kept()) === 0);
  });

  it('sent several times at once makes one identity, and all get it', async () => {
    const make = () =>
      node().client.post('/api/v1/identities', { passphrase: 'correct horse battery' }, key('at-once'));
    const replies = await Promise.all(Array.from({ length: 6 }, make));
    for (const reply of replies) expect(expectStatus(reply, 201)).to.deep.equal(replies[0]!.body);
    expect(replies.filter((reply) => !isReplay(reply))).to.have.length(1);
  });
});
