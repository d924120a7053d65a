/** Many signed writes in one request (docs/reference/requests.md#batches). */
import { expect } from 'chai';
import { cheapKdf } from '../../packages/fake-node/src/cheap-kdf.js';
import { bounds } from '../../src/core/bounds.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client, Reply } from './support/client.js';
import { OwnKey } from './support/independent.js';
import { signedBy } from './support/independent-signing.js';
import { nodeForSuite, TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const path = '/api/v1/transfers';
const send = (client: Client, items: readonly Body[]): Promise<Reply> => client.post('/api/v1/batch', { items });
const answers = async (client: Client, items: readonly Body[]): Promise<Body[]> =>
  expectStatus(await send(client, items)).items;
const statuses = (given: readonly Body[]): number[] => given.map(({ status }) => status);

describe('A batch', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;

  beforeEach(async () => {
    [ada, ben] = [await node().rich(1_000), await node().rich(1_000)];
  });

  const pay = (who: Person, to: Person, amount: number, nonce = who.nonce++): Body => ({
    path,
    body: { ...who.signed, nonce, to: to.did, amount },
  });
  const make = (who: Person, nonce = who.nonce++, more: Body = {}): Body => ({
    path: '/api/v1/escrows',
    body: {
      ...who.signed,
      nonce,
      beneficiary: (who === ben ? ada : ben).did,
      amount: 2,
      releaseRules: [{ type: 'manual' }],
      ...more,
    },
  });

  it('answers each write in its place, as the write alone is answered', async () => {
    const items = [pay(ada, ben, 1), make(ben), pay(ben, ada, 3), make(ada, ada.nonce++, { escrowId: 'esc-mine' })];
    const release = { path: '/api/v1/escrows/esc-mine/actions/cancel', body: { ...ada.signed } };
    ada.nonce += 1;
    const [paid, made, back, mine, cancelled] = await answers(node().client, [...items, release]);
    expect(statuses([paid, made, back, mine, cancelled])).to.deep.equal([200, 201, 200, 201, 200]);
    expect(paid.body).to.include({ from: ada.did, to: ben.did, amount: 1 });
    expect(back.body).to.include({ from: ben.did, amount: 3 });
    expect(made.body).to.include({ depositor: ben.did, status: 'created' });
    expect(cancelled.body).to.include({ escrowId: 'esc-mine', nonce: 3 });
    const { body } = await node().client.get(`/api/v1/escrows/${made.body.escrowId}`);
    expect(body).to.include({ status: 'created', resourcePrev: made.body.eventHash });
    expect(made.headers).to.deep.equal({ Location: `/api/v1/escrows/${made.body.escrowId}` });
  });

  it('refuses each write by itself: no other knows of it', async () => {
    const wrong = { ...pay(ada, ben, 1, 2) };
    const items = [
      pay(ada, ben, 1, 1),
      { ...wrong, body: { ...wrong.body, passphrase: 'not hers' } },
      pay(ada, ben, 5_000, 2),
      { ...wrong, body: { ...wrong.body, colour: 'red' } },
      pay(ada, ben, 1, 2),
    ];
    const given = await answers(node().client, items);
    expect(statuses(given)).to.deep.equal([200, 403, 402, 400, 200]);
    const [, unproven, poor, unknown] = given;
    expect(unproven.body).to.include({ instance: path, code: 'TRANSFER_NOT_ALLOWED' });
    expect(poor.body).to.include({ code: 'INSUFFICIENT_BALANCE', instance: path });
    expect(unknown.body.errors).to.deep.include({ field: 'colour', message: unknown.body.errors[0].message });
    expect(new Set(given.slice(1, 4).map(({ body }) => body.requestId)).size).to.equal(3);
    expect((await ada.wallet()).balance).to.equal(998);
  });

  it('takes writes of one signer in the order in which they stand, and those that are early once they are due', async () => {
    // Both name nonce 1: it is the first that has it, which takes longer to begin.
    const first = await answers(node().client, [make(ada, 1), pay(ada, ben, 1, 1), pay(ada, ben, 1, 2)]);
    expect(statuses(first)).to.deep.equal([201, 409, 200]);
    expect(statuses(await answers(node().client, [pay(ada, ben, 1, 4), pay(ada, ben, 1, 3)]))).to.deep.equal([
      200, 200,
    ]);
    const many = Array.from({ length: bounds.batchItems }, (_, index) => pay(ben, ada, 1, index + 1));
    const given = await answers(node().client, many);
    expect(given.map(({ body }) => body.nonce)).to.deep.equal(many.map(({ body }) => body.nonce));
  });

  it('answers in its place what names no signer', async () => {
    const odd = { toString: 1, valueOf: 1 };
    const items = [
      pay(ada, ben, 1),
      { path, body: { did: odd } },
      { path: '/api/v1/events', body: { event: { issuer: odd } } },
    ];
    expect(statuses(await answers(node().client, [...items, pay(ada, ben, 1)]))).to.deep.equal([200, 400, 400, 200]);
  });

  it('does not wait for the nonce of a write that was refused', async () => {
    const items = [pay(ada, ben, 5_000, 1), pay(ada, ben, 1, 2), pay(ada, ben, 1, 3), pay(ada, ben, 1, 1)];
    const given = await answers(node().client, items);
    expect(statuses(given)).to.deep.equal([402, 409, 409, 200]);
    expect(given[1].body).to.include({ nextNonce: 1 });
  });

  it('knows the signer from the path, too', async () => {
    const credential = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: ada.did,
      credentialSubject: { capability: 'translation' },
    };
    const named = {
      path: `/api/v1/identities/${ada.did}/capabilities`,
      body: { passphrase: ada.passphrase, nonce: 1, credential },
    };
    await node().restart();
    expect(statuses(await answers(node().client, [named, pay(ada, ben, 1, 1)]))).to.deep.equal([201, 409]);
  });

  it('begins no more writes when their answers are long', async () => {
    const releaseRules = Array.from({ length: 10 }, () => ({ type: 'inspected', text: 'x'.repeat(3_000) }));
    const { path: at, body: long } = make(ada, 1, { releaseRules, escrowId: 'esc-long' });
    const { eventHash } = expectStatus(await node().client.post(at, long), 201);
    const item = {
      path: `${at}/esc-long/actions/fund`,
      idempotencyKey: 'one',
      body: { ...ada.signed, nonce: 2, amount: 2, resourcePrev: eventHash },
    };
    const many = Array.from({ length: bounds.batchItems }, () => item);
    const reply = await send(node().client, many);
    const given = expectStatus(reply).items as Body[];
    expect(reply.text.length).to.be.within(bounds.batchReplyBytes / 2, bounds.batchReplyBytes * 1.5);
    expect(given[0]).to.include({ status: 200 });
    expect(given.at(-1)).to.include({ status: 503 });
    expect(given.at(-1)!.body.detail).to.include('not begun');
  });

  it('may be sent again, as each of its writes may: none takes effect twice', async () => {
    const items = [pay(ada, ben, 1), pay(ben, ada, 2), pay(ada, ben, 9_000)].map((each, index) => ({
      ...each,
      idempotencyKey: `write-${index}`,
    }));
    const first = await answers(node().client, items);
    expect(statuses(first)).to.deep.equal([200, 200, 402]);
    const again = await answers(node().client, items);
    const replayed = { 'Idempotent-Replayed': 'true' };
    expect(again.map(({ status, headers }) => [status, headers])).to.deep.equal([
      [200, replayed],
      [200, replayed],
      [402, undefined],
    ]);
    expect(again[0].body).to.deep.equal(first[0].body);
    const alone = await node().client.post(path, items[1]!.body, { 'Idempotency-Key': 'write-1' });
    expect(expectStatus(alone)).to.deep.equal(first[1].body);
    expect(alone.headers['idempotent-replayed']).to.equal('true');
    const other = { ...items[0]!, body: { ...items[0]!.body, amount: 7 } };
    expect((await answers(node().client, [other]))[0].body).to.include({ code: 'UNPROCESSABLE' });
    expect((await ada.wallet()).balance).to.equal(1_001);
  });

  it('takes events that their issuers have signed', async () => {
    const own = OwnKey.fresh();
    await ada.pays(own.did, 5);
    const asked = { did: own.did, prepare: true, to: ben.did, amount: 2 };
    const [{ status, body }] = await answers(node().client, [{ path, body: asked }]);
    expect(status).to.equal(200);
    const event = { path: '/api/v1/events', body: signedBy(own, body.prepared) };
    const given = await answers(node().client, [event, pay(ada, ben, 1)]);
    expect(statuses(given)).to.deep.equal([200, 200]);
    expect(given[0].body).to.include({ from: own.did, amount: 2 });
  });

  it('has signed writes only', async () => {
    const before = await node().state();
    const refused = await answers(node().client, [
      { path: '/api/v1/batch', body: { items: [pay(ada, ben, 1, 1)] } },
      { path: '/api/v1/faucet', body: { did: ada.did } },
      { path: '/api/v1/identities', body: { passphrase: ada.passphrase } },
      { path: '/api/v1/webhooks', body: { url: 'http://127.0.0.1:9' } },
      { path: '/api/v1/audit', body: {} },
      { path: `/api/v1/admin/accounts/${ada.did}/actions/freeze`, body: {} },
      { path: `/api/v1/wallets/${ada.did}`, body: {} },
      { path: `${path}?to=${ben.did}`, body: {} },
      { path: 'transfers', body: {} },
      { path: `${path}%00`, body: {} },
    ]);
    expect(refused.map(({ body }) => body.code)).to.deep.equal([
      ...Array.from({ length: 6 }, () => 'UNPROCESSABLE'),
      ...Array.from({ length: 2 }, () => 'NOT_FOUND'),
      ...Array.from({ length: 2 }, () => 'INVALID_REQUEST'),
    ]);
    expect(await node().state()).to.deep.equal(before);
  });

  it('that is not well formed is refused as a whole', async () => {
    const { client } = node();
    const item = pay(ada, ben, 1, 1);
    expectInvalid(await send(client, []), 'items');
    expectInvalid(
      await send(
        client,
        Array.from({ length: bounds.batchItems + 1 }, () => item),
      ),
      'items',
    );
    expectInvalid(await send(client, [item, { body: {} }]), 'items.1.path');
    expectInvalid(await send(client, [item, { path }]), 'items.1.body');
    expectInvalid(await send(client, [{ ...item, method: 'GET' }]), 'items.0.method');
    const keyed = await client.post('/api/v1/batch', { items: [item] }, { 'Idempotency-Key': 'k' });
    expectInvalid(keyed, 'Idempotency-Key');
    expectProblem(
      await client.post('/api/v1/batch', { items: [{ path, body: { pad: 'x'.repeat(bounds.bodyBytes) } }] }),
      'PAYLOAD_TOO_LARGE',
    );
    expect((await ada.wallet()).nextNonce).to.equal(1);
  });

  it('ignores what each write may ignore, and is counted by the route of each', async () => {
    const counted = async () => {
      const { text } = await node().client.get('/metrics');
      const [, count = '0'] =
        /svc_http_requests_total\{route="\/api\/v1\/transfers",method="POST",status="200"\} (\d+)/.exec(text) ?? [];
      return Number(count);
    };
    const before = await counted();
    const item = pay(ada, ben, 1);
    const lenient = node().client.with({ Prefer: 'handling=lenient' });
    const [given] = await answers(lenient, [{ ...item, body: { ...item.body, colour: 'red' } }, pay(ada, ben, 1)]);
    expect(given.body.ignored).to.deep.equal(['colour']);
    expect((await counted()) - before).to.equal(2);
  });
});

describe('A batch', () => {
  it('counts as many requests as it has writes, and needs a key that may write', async () => {
    const node = await TestNode.start({ variables: { SVC_RATE_LIMIT_LOOPBACK: 'on' } });
    const ada = await node.rich(100, await node.keyed({ scope: 'admin' }));
    const item = (nonce: number) => ({ path, body: { ...ada.signed, nonce, to: node.did, amount: 1 } });
    const five = await node.keyed({ scope: 'write', limits: { writes: 5 } });
    const given = await answers(five, [1, 2, 3, 4, 5, 6, 7].map(item));
    expect(statuses(given)).to.deep.equal([200, 200, 200, 200, 200, 429, 429]);
    expectProblem(await send(five, [item(6)]), 'RATE_LIMITED');
    expectProblem(await send(await node.keyed({ scope: 'read' }), [item(6)]), 'FORBIDDEN');
    await node.discard();
  });

  it('stops to begin writes when it has taken too long', async () => {
    let begun = () => {};
    const derive: typeof cheapKdf.derive = (...given) => {
      begun();
      return cheapKdf.derive(...given);
    };
    const node = await TestNode.start({ parts: { kdf: { derive } } });
    const ada = await node.rich(100);
    await node.restart();
    begun = () => node.world.outrun(bounds.batchMs + 1);
    const item = (nonce: number) => ({ path, body: { ...ada.signed, nonce, to: node.did, amount: 1 } });
    const given = await answers(node.client, [item(1), item(2)]);
    expect(statuses(given)).to.deep.equal([200, 503]);
    expect(given[1]).to.deep.include({ headers: { 'Retry-After': '1' } });
    expect(given[1].body.detail).to.include('not begun');
    await node.discard();
  });
});
