/** Webhooks of a real node, with a receiver written from docs/webhooks.md alone. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import sinon from 'sinon';
import { bounds } from '../../src/core/bounds.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { expectInvalid, expectPage, expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body, Client } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { until } from '../support/until.js';
import { elapsed, expectWithin } from '../support/within.js';
import { isGenuine, ok, Receiver, silence, status } from './support/receiver.js';

const root = '/api/v1/webhooks';
const quick = { bounds: { firstRestMs: 40, longestRestMs: 400, gatherMs: 5, noteMs: 20, lookMs: 50 } };

describe('Webhooks', () => {
  let node: TestNode;
  let admin: Client;
  let ada: Person;
  let ben: Person;
  const receivers: Receiver[] = [];

  before(async () => {
    node = await TestNode.start({ variables: { SVC_WEBHOOK_NETWORKS: '127.0.0.0/8' }, parts: { webhooks: quick } });
    admin = await node.keyed({ scope: 'admin' });
    [ada, ben] = [await node.rich(10_000), await node.person()];
  });
  afterEach(async () => {
    for (const { id } of expectStatus(await admin.get(`${root}?limit=100`)).webhooks)
      await admin.delete(`${root}/${id}`);
    for (const each of receivers.splice(0)) await each.close();
  });
  after(() => node?.discard());

  async function receiver(): Promise<Receiver> {
    const opened = await Receiver.open();
    receivers.push(opened);
    return opened;
  }
  const make = async (wanted: Body): Promise<Body> => expectStatus(await admin.post(root, wanted), 201);
  const view = async ({ id }: Body): Promise<Body> => expectStatus(await admin.get(`${root}/${id}`));
  const lines = async ({ id }: Body): Promise<Body[]> =>
    expectStatus(await admin.get(`${root}/${id}/deliveries?limit=100`)).deliveries;
  const escrow = (more: Body = {}): Promise<Body> =>
    ada.does('/api/v1/escrows', {
      beneficiary: ben.did,
      amount: 3,
      releaseRules: [{ type: 'manual' }],
      autoFund: true,
      ...more,
    });
  const release = ({ escrowId }: Body, amount = 1) =>
    ada.does(`/api/v1/escrows/${escrowId}/actions/release`, { amount });

  it('carry what the feed shows everyone, signed, timed and named', async () => {
    const to = await receiver();
    const { id, secret } = await make({ url: to.url });
    const { eventHash } = await ada.pays(ben.did, 2, { memo: 'for tea' });
    await until('it arrives', () => to.received.length);
    const [received] = to.received;
    const entry = expectStatus(await node.client.get(`/api/v1/events/${eventHash}`));
    const { seq, time } = entry;
    expect(received!.body).to.deep.equal({
      ...{
        id: `${id}-${entry.entryHash.slice(0, 32)}`,
        webhookId: id,
        network: 'devnet',
        type: 'transfer.sent',
        seq,
        time,
        entry,
      },
    });
    expect(received!.headers).to.include({
      'svc-webhook-id': `${id}-${entry.entryHash.slice(0, 32)}`,
      'svc-webhook-attempt': '1',
    });
    expect(received!.headers['content-type']).to.match(/^application\/json/);
    expect(isGenuine(received!, secret, node.world.now())).to.equal(true);
    expect(isGenuine(received!, `${secret}x`, node.world.now())).to.equal(false);
    expect(isGenuine({ ...received!, text: received!.text.replace('tea', 'gin') }, secret, node.world.now())).to.equal(
      false,
    );
    expect(isGenuine(received!, secret, node.world.now() + 400_000)).to.equal(false);
  });

  it('show their secret once, and sign with one that was given', async () => {
    const to = await receiver();
    const given = 'a secret of my own, 24 or more'.replaceAll(' ', '-');
    const once = { 'Idempotency-Key': 'hook' };
    const reply = await admin.post(root, { url: to.url, secret: given }, once);
    const made = expectStatus(reply, 201);
    expect(made.secret).to.equal(given);
    expect(reply.headers.location).to.equal(`${root}/${made.id}`);
    const again = expectStatus(await admin.post(root, { url: to.url, secret: given }, once), 201);
    expect(again).to.include({ id: made.id, secret: null });
    expectProblem(await admin.post(root, { url: to.url, secret: `${given}!` }, once), 'UNPROCESSABLE');
    for (const path of [root, `${root}/${made.id}`, '/api/v1/admin/log?limit=100']) {
      expect((await admin.get(path)).text).not.to.include(given);
    }
    for (const table of await node.store.localTables()) {
      expect(JSON.stringify(await node.store.listLocal(table)), table).not.to.include(given);
    }
    await ada.pays(ben.did, 1);
    await until('it arrives', () => to.received.length);
    expect(isGenuine(to.received[0]!, given, node.world.now())).to.equal(true);
  });

  it('take another secret, and for a while are signed with both', async () => {
    const to = await receiver();
    const { id, secret: first } = await make({ url: to.url });
    const rotate = (body: Body, headers: { [name: string]: string } = {}) =>
      admin.post(`${root}/${id}/actions/rotate-secret`, body, headers);
    // An earlier delivery may come again, because a rotation interrupts those not yet recorded.
    const arrived = async () => {
      const { eventHash } = await ada.pays(ben.did, 1);
      const that = () => to.received.find(({ body }) => body.entry.event.hash === eventHash);
      await until('it arrives', () => that() !== undefined);
      return that()!;
    };
    const knows = async (secrets: readonly string[]) => {
      const received = await arrived();
      const all = [first, second.secret, given];
      expect(String(received.headers['svc-webhook-signature']).split(',')).to.have.length(secrets.length);
      expect(all.filter((secret) => isGenuine(received, secret, node.world.now()))).to.deep.equal(secrets);
    };
    const given = 'another-secret-of-24-or-more';
    const once = { 'Idempotency-Key': 'rotated' };
    const second = expectStatus(await rotate({}, once));
    expect(second.secret)
      .to.match(/^whsec_/)
      .and.not.equal(first);
    expect(second.previousSecretUntil).to.be.closeTo(node.world.now() + bounds.webhookOverlapMs, 60_000);
    expect((await rotate({}, once)).body).to.include({ secret: null, id });
    expect(await view({ id })).to.not.have.any.keys('secret', 'rotations', 'sealedBefore');
    await knows([first, second.secret]);
    // After a third secret, the first one is forgotten.
    expect(expectStatus(await rotate({ secret: given, overlapMs: 60_000 })).secret).to.equal(given);
    await knows([second.secret, given]);
    // The same request again, as after a broken connection, keeps both secrets.
    expect(expectStatus(await rotate({ secret: given, overlapMs: 60_000 })).secret).to.equal(given);
    await knows([second.secret, given]);
    node.world.outrun(61_000);
    await knows([given]);
    expect(expectStatus(await rotate({ secret: given })).previousSecretUntil).to.equal(null);
    await knows([given]);
    expectStatus(await rotate({ secret: first, overlapMs: 0 }));
    expect(await view({ id })).to.include({ previousSecretUntil: null });
    await knows([first]);
    for (const body of [{ overlapMs: -1 }, { overlapMs: bounds.webhookLongestOverlapMs + 1 }]) {
      expectInvalid(await rotate(body), 'overlapMs');
    }
    expectInvalid(await rotate({ secret: 'short' }), 'secret');
    for (const path of [root, `${root}/${id}`, '/api/v1/admin/log?limit=100']) {
      expect((await admin.get(path)).text).not.to.include(given);
    }
    expect((await admin.get('/api/v1/admin/log?limit=1')).text).to.include('webhook.rotate-secret');
    expectProblem(await admin.post(`${root}/whk-none/actions/rotate-secret`), 'NOT_FOUND');
    expectProblem(await node.client.post(`${root}/${id}/actions/rotate-secret`), 'FORBIDDEN');
  });

  it('pick events by type, kind, DID and resource', async () => {
    const all: { [name: string]: Receiver } = {};
    const deal = await escrow();
    const filters = {
      everything: {},
      type: { types: ['escrow.released', 'clock.*'] },
      sort: { types: ['escrow.*'] },
      kind: { kinds: ['escrow'] },
      did: { did: ben.address },
      resource: { resource: `escrow/${deal.escrowId}` },
      both: { types: ['transfer.sent'], resource: `escrow/${deal.escrowId}` },
    };
    const { seq: head } = await node.store.head();
    for (const [name, filter] of Object.entries(filters)) {
      all[name] = await receiver();
      await make({ url: all[name].url, ...filter });
    }
    await release(deal); // 1
    await ada.pays(node.did, 1); // 2
    await escrow(); // 3
    await ben.pays(ada.did, 1); // 4
    await until('all arrive', () => all.everything!.received.length, { is: (count) => count === 4 });
    const seen = () =>
      Object.fromEntries(Object.entries(all).map(([name, { seqs }]) => [name, seqs.map((seq) => seq - head).sort()]));
    const expected = {
      everything: [1, 2, 3, 4],
      type: [1],
      sort: [1, 3],
      kind: [1, 3],
      did: [1, 4],
      resource: [1],
      both: [],
    };
    await until('each has its own', seen, { is: (now) => isDeepStrictEqual(now, expected) });
  });

  it('never show what is private', async () => {
    const to = await receiver();
    await make({ url: to.url, kinds: ['info-listing'] });
    const title = 'not known to others';
    for (const more of [{ title, visibility: 'private' }, { title: 'known to all' }]) {
      expectStatus(await ada.write('/api/v1/markets/info', { ...infoListing.create.example, ...more }), 201);
    }
    await until('both arrive', () => to.received.length, { is: (count) => count === 2 });
    expect(to.received[0]!.text).not.to.include(title);
    expect(to.received[0]!.body.entry).not.to.have.property('payload');
    expect(to.received[1]!.text).to.include('known to all');
  });

  it('come in the order of each resource, however slow some are', async () => {
    const to = await receiver();
    const deals = [await escrow(), await escrow(), await escrow()];
    to.answer = (received, response) =>
      void setTimeout(() => ok(received, response), received.body.seq % 3 === 0 ? 25 : 1);
    await make({ url: to.url, types: ['escrow.*'] });
    for (let round = 0; round < 3; round++) for (const deal of deals) await release(deal);
    await until('all arrive', () => to.received.length, { is: (count) => count === 9 });
    for (const { escrowId } of deals) {
      const of = to.received.filter(({ body }) => body.entry.versions[0].id === escrowId);
      expect(of.map(({ body }) => body.entry.versions[0].version)).to.deep.equal([2, 3, 4]);
    }
  });

  it('that fail come again under the same id, and what follows of the resource waits', async () => {
    const to = await receiver();
    const deal = await escrow();
    let tries = 0;
    to.answer = (received, response) => (++tries < 4 ? status(500) : ok)(received, response);
    const made = await make({ url: to.url, resource: `escrow/${deal.escrowId}` });
    await release(deal);
    await release(deal);
    await until('they arrive in the end', () => to.received.length, { is: (count) => count === 5 });
    const ids = to.received.map(({ body }) => body.id);
    expect(new Set(ids.slice(0, 4)).size).to.equal(1);
    expect(ids[4]).not.to.equal(ids[0]);
    expect(to.received.map(({ headers }) => headers['svc-webhook-attempt'])).to.deep.equal(['1', '2', '3', '4', '1']);
    await until('the log has them', () => lines(made), { is: ({ length }) => length === 5 });
    const deliveries = await lines(made);
    expect(deliveries.map(({ outcome, status: code }) => `${outcome} ${code}`).reverse()).to.deep.equal([
      ...['failed 500', 'failed 500', 'failed 500', 'delivered 204', 'delivered 204'],
    ]);
    for (const line of deliveries) {
      expect(line).to.have.all.keys(
        'id',
        'type',
        'seq',
        'attempt',
        'outcome',
        'status',
        'error',
        'sentAt',
        'durationMs',
      );
    }
    expect(await view(made)).to.include({ failingSince: null, waiting: 0, reason: null });
    const page = expectStatus(await admin.get(`${root}/${made.id}/deliveries?limit=2`));
    expectPage(page.pagination, { total: 5, limit: 2, hasMore: true });
  });

  it('a receiver that never answers slows neither writes nor other webhooks', async () => {
    const [dead, alive] = [await receiver(), await receiver()];
    dead.answer = silence;
    const stuck = await make({ url: dead.url });
    await make({ url: alive.url });
    await expectWithin(8_000, (round) =>
      elapsed(async () => {
        for (let n = 0; n < 30; n++) await ada.pays(ben.did, 1);
        const all = 30 * (round + 1);
        await until('the other one has all', () => alive.received.length, { is: (count) => count === all });
      }),
    );
    expect(dead.received.length).to.be.at.most(bounds.webhookInFlight);
    expect((await view(stuck)).deliveredUpTo).to.be.below((await node.store.head()).seq);
  });

  it('continue where they were when a node stops and starts', async () => {
    const to = await receiver();
    to.answer = status(503);
    const { seq: head } = await node.store.head();
    const made = await make({ url: to.url });
    for (let n = 0; n < 3; n++) await ada.pays(ben.did, 1);
    await until('it is tried', () => to.received.length);
    await node.restart();
    admin = await node.keyed({ scope: 'admin' });
    [ada, ben] = [ada.through(node.client), ben.through(node.client)];
    to.answer = ok;
    to.received.splice(0);
    await until('all arrive', () => to.received.length, { is: (count) => count === 3 });
    expect(to.seqs).to.deep.equal([head + 1, head + 2, head + 3]);
    await until('it is noted', () => view(made), { is: ({ deliveredUpTo }) => deliveredUpTo >= head + 3 });
    await node.restart();
    admin = await node.keyed({ scope: 'admin' });
    [ada, ben] = [ada.through(node.client), ben.through(node.client)];
    await ada.pays(ben.did, 1);
    await until('what is new arrives', () => to.received.length, { is: (count) => count === 4 });
    expect(to.seqs[3], 'and nothing a second time').to.equal(head + 4);
  });

  it('that are deleted or disabled get nothing more, not even what is on its way', async () => {
    for (const end of ['delete', 'disable'] as const) {
      const to = await receiver();
      const broken = sinon.spy();
      to.answer = (_, response) => response.on('close', broken);
      const made = await make({ url: to.url });
      await ada.pays(ben.did, 1);
      await until('it is on its way', () => to.received.length, { is: (count) => count === 1 });
      if (end === 'delete') expectStatus(await admin.delete(`${root}/${made.id}`), 204);
      else expectStatus(await admin.post(`${root}/${made.id}/actions/disable`));
      await until('it is broken off', () => broken.called);
      to.answer = ok;
      await ada.pays(ben.did, 1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(to.received, end).to.have.length(1);
      if (end === 'delete') {
        for (const path of ['', '/deliveries'])
          expectProblem(await admin.get(`${root}/${made.id}${path}`), 'NOT_FOUND');
        expect(await node.store.listLocal(`webhook-deliveries.${made.id}`)).to.deep.equal([]);
      } else {
        expect(await view(made)).to.include({ status: 'disabled', reason: 'disabled by an operator' });
        expectStatus(await admin.post(`${root}/${made.id}/actions/enable`));
        await until('both wait for who enables it', () => to.received.length, { is: (count) => count === 3 });
      }
    }
  });

  it('begin behind any entry that is asked for, at first and when they are enabled', async () => {
    const to = await receiver();
    await ada.pays(ben.did, 1);
    const { seq: head } = await node.store.head();
    const made = await make({ url: to.url, after: head - 2 });
    await until('the last two arrive', () => to.received.length, { is: (count) => count === 2 });
    expect([...to.seqs].sort()).to.deep.equal([head - 1, head].sort());
    expectStatus(await admin.post(`${root}/${made.id}/actions/enable`, { after: head - 1 }));
    await until('the last one arrives again', () => to.received.length, { is: (count) => count === 3 });
    expect(to.seqs[2]).to.equal(head);
    expectInvalid(await admin.post(root, { url: to.url, after: head + 1_000 }), 'after');
    expectInvalid(await admin.post(`${root}/${made.id}/actions/enable`, { after: head + 1_000 }), 'after');
  });

  it('are tried by hand, and the result is shown', async () => {
    const to = await receiver();
    const made = await make({ url: to.url, types: ['clock.corrected'] });
    const tested = expectStatus(await admin.post(`${root}/${made.id}/actions/test`));
    expect(tested).to.include({ type: 'webhook.test', seq: null, outcome: 'delivered', status: 204 });
    expect(isGenuine(to.received[0]!, made.secret, node.world.now())).to.equal(true);
    expect(to.received[0]!.body).to.include({ type: 'webhook.test', seq: null, entry: null });
    const { eventHash } = await ada.pays(ben.did, 1);
    const { seq } = expectStatus(await node.client.get(`/api/v1/events/${eventHash}`));
    expect(expectStatus(await admin.post(`${root}/${made.id}/actions/redeliver`, { seq }))).to.include({
      seq,
      outcome: 'delivered',
    });
    expect(to.received[1]!.body.entry.event.hash).to.equal(eventHash);
    expectProblem(await admin.post(`${root}/${made.id}/actions/redeliver`, { seq: seq + 1_000 }), 'NOT_FOUND');
    to.answer = status(302, { Location: 'http://127.0.0.1:1/' });
    expect(expectStatus(await admin.post(`${root}/${made.id}/actions/test`))).to.include({
      outcome: 'failed',
      status: 302,
    });
    expect((await lines(made)).map(({ outcome }) => outcome)).to.deep.equal(['failed', 'delivered', 'delivered']);
  });

  it('are for admins, and refuse what they could not serve', async () => {
    const write = await node.keyed({ scope: 'write' });
    for (const client of [write, node.client]) {
      expectProblem(await client.get(root), 'FORBIDDEN');
      expectProblem(await client.post(root, { url: 'https://example.org/' }), 'FORBIDDEN');
    }
    for (const [body, field] of [
      [{}, 'url'],
      [{ url: 'http://10.0.0.1/' }, 'url'],
      [{ url: 'http://169.254.169.254/latest/meta-data/' }, 'url'],
      [{ url: 'ftp://example.org/' }, 'url'],
      [{ url: 'https://example.org/', types: ['*'] }, 'types'],
      [{ url: 'https://example.org/', types: [] }, 'types'],
      [{ url: 'https://example.org/', kinds: ['Escrow'] }, 'kinds'],
      [{ url: 'https://example.org/', did: 'me' }, 'did'],
      [{ url: 'https://example.org/', resource: 'escrow' }, 'resource'],
      [{ url: 'https://example.org/', secret: 'short' }, 'secret'],
    ] as const) {
      const refused = await admin.post(root, body);
      expect(refused.status, JSON.stringify(body)).to.equal(400);
      expect(JSON.stringify(refused.body.errors), JSON.stringify(body)).to.include(field);
    }
    for (const path of ['', '/deliveries']) expectProblem(await admin.get(`${root}/whk-none${path}`), 'NOT_FOUND');
    for (const action of ['enable', 'disable', 'test']) {
      expectProblem(await admin.post(`${root}/whk-none/actions/${action}`), 'NOT_FOUND');
    }
    expectProblem(await admin.delete(`${root}/whk-none`), 'NOT_FOUND');
  });

  it('are so many at most', async () => {
    const wanted = { url: 'http://hooks.invalid/', types: ['clock.corrected'] };
    for (let n = 0; n < bounds.webhooks - 1; n++) await make(wanted);
    const atOnce = await Promise.all([1, 2, 3].map(() => admin.post(root, wanted)));
    expect(atOnce.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409]);
    expectProblem(await admin.post(root, { url: 'http://hooks.invalid/' }), 'CONFLICT');
  });

  it('are counted', async () => {
    const to = await receiver();
    await make({ url: to.url });
    await ada.pays(ben.did, 1);
    await until('it arrives', () => to.received.length);
    await until('the gauge', async () => /^svc_webhooks 1$/m.test((await node.client.get('/metrics')).text));
    const { text } = await node.client.get('/metrics');
    expect(Number(/^svc_webhook_deliveries_total (\d+)$/m.exec(text)![1])).to.be.above(0);
    for (const name of [
      'webhooks_failing',
      'webhook_lag_entries',
      'webhook_deliveries_in_flight',
      'webhook_given_up_total',
    ]) {
      expect(text).to.match(new RegExp(`^svc_${name} \\d+$`, 'm'));
    }
  });
});
