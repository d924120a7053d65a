/**
 * What only the parties and the arbiter may read of contracts, disputes, escrows and orders
 * (docs/reference/contracts-and-disputes.md#confidentiality). Unique texts are planted in every text member of their actions,
 * and searched for in every documented route, the stream, webhooks, log and metrics.
 */
import { expect } from 'chai';
import { canonical } from '../../src/core/canonical.js';
import { createLog } from '../../src/core/log.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { until } from '../support/until.js';
import { Receiver } from '../webhooks/support/receiver.js';
import { expectProblem, expectStatus } from './support/answers.js';
import { Canaries } from './support/canaries.js';
import type { Body, Client } from './support/client.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, bids, publishesTask } from './support/requester.js';
import { EventStream } from './support/stream.js';

const api = '/api/v1';
/** Members that are not texts of the caller: the claimed rule, and what the node adds to an envelope. */
const notWords = ['ruleId', 'rule', 'contextId', 'signature'];
const envelope = { type: 'text', transport: { method: 'inline' } };
const definitions = Object.fromEntries(machinesOf(catalogue).map((each) => [each.kind, each]));

/** A reply without the id and the time of its request. */
const withoutRequest = (text: string): string => text.replace(/req-[0-9a-z-]+|"time":\d+/g, '');

describe('What is confidential', () => {
  const canaries = new Canaries(notWords);
  const logged: string[] = [];
  let node: TestNode;
  let receiver: Receiver;
  let client: Person;
  let provider: Person;
  let arbiter: Person;
  let stranger: Person;
  /** Values for the path parameters in the OpenAPI document. */
  const ids: { [parameter: string]: string } = {};
  /** Writes as they were sent, which strangers then try. */
  const written: { readonly path: string; readonly body: Body }[] = [];

  before(async () => {
    receiver = await Receiver.open();
    const log = createLog({ level: 'trace', destination: { write: (line) => void logged.push(line) } });
    const quick = { bounds: { firstRestMs: 40, gatherMs: 5, noteMs: 20, lookMs: 50 } };
    const variables = { SVC_WEBHOOK_NETWORKS: '127.0.0.0/8' };
    node = await TestNode.start({ variables, parts: { log, webhooks: quick } });
    [client, stranger] = [await node.rich(1_000), await node.rich(10)];
    [provider, arbiter] = [await node.person(), await node.person()];
    const admin = await node.keyed({ scope: 'admin' });
    expectStatus(await admin.post(`${api}/webhooks`, { url: receiver.url }), 201);
    await plantAll();
  });
  after(async () => {
    await node?.discard();
    await receiver?.close();
  });

  /** One write with a text in every member that its schema permits. */
  async function says(who: Person, kind: string, action: string, path: string, given: Body = {}): Promise<Body> {
    const definition = definitions[kind]!;
    const { input } = action === 'create' ? definition.create : definition.actions[action]!;
    const body = canaries.plant(input.schema, given, `${kind}.${action}`);
    written.push({ path, body });
    return expectStatus(await who.write(`${api}${path}`, body), [200, 201]);
  }

  async function contractWith(terms: Body): Promise<string> {
    const stages = [
      { id: 'one', amount: 30 },
      { id: 'two', amount: 50 },
    ];
    const agreed = { provider: provider.did, terms, payment: { totalAmount: 100 }, milestones: stages };
    const { contractId } = await says(client, 'contract', 'create', '/contracts', agreed);
    await says(client, 'contract', 'update', `/contracts/${contractId}/actions/update`, {
      ...agreed,
      provider: undefined,
    });
    for (const who of [client, provider]) await who.does(`${api}/contracts/${contractId}/actions/sign`);
    await client.does(`${api}/contracts/${contractId}/actions/activate`, { amount: 100 });
    return contractId;
  }

  async function plantContract(): Promise<void> {
    const contractId = await contractWith({ arbiter: arbiter.did });
    const on = (who: Person, action: string, given: Body = {}) =>
      says(who, 'contract', action, `/contracts/${contractId}/actions/${action}`, given);
    const stage = (who: Person, action: string, given: Body = {}) =>
      says(who, 'contract', action, `/contracts/${contractId}/milestones/one/actions/${action}`, given);
    await stage(provider, 'submit', { delivery: { envelope } });
    await stage(client, 'reject');
    await stage(provider, 'submit', { delivery: { envelope } });
    await stage(client, 'approve', { rating: 4 });
    const { disputeId } = await on(client, 'dispute', { reason: 'quality' });
    await on(provider, 'resolve', { resolution: 'release' });
    await says(arbiter, 'dispute', 'resolve', `/disputes/${disputeId}/actions/resolve`, { resolution: 'refund' });
    const { escrowId } = expectStatus(await node.client.get(`${api}/contracts/${contractId}`));
    const dropped = await contractWith({ arbiter: arbiter.did });
    await says(provider, 'contract', 'terminate', `/contracts/${dropped}/actions/terminate`);
    Object.assign(ids, { contractId, disputeId, milestoneId: 'one', escrowId });
  }

  async function plantEscrow(): Promise<void> {
    const rules = { beneficiary: provider.did, arbiter: arbiter.did, amount: 9, releaseRules: [{ type: 'manual' }] };
    const made = await client.does(`${api}/escrows`, { ...rules, autoFund: true });
    const path = `/escrows/${made.escrowId}/actions`;
    const { resourcePrev } = await says(client, 'escrow', 'release', `${path}/release`, { amount: 4 });
    await says(provider, 'escrow', 'refund', `${path}/refund`, { amount: 5, resourcePrev });
    ids.escrowId = made.escrowId;
  }

  async function plantTask(): Promise<void> {
    const order = await accepts(client, await bids(provider, await publishesTask(client)));
    const { orderId, taskId } = order;
    const on = (who: Person, action: string, given: Body = {}) =>
      says(who, 'task-order', action, `/markets/tasks/${taskId}/actions/${action}`, { orderId, ...given });
    for (let times = 0; times < 3; times++) {
      await on(provider, 'deliver', { delivery: { envelope } });
      await on(client, 'reject');
    }
    await says(client, 'task-order', 'dispute', `/orders/${orderId}/actions/dispute`, { reason: 'quality' });
    await says(client, 'task-order', 'resolve', `/orders/${orderId}/actions/resolve`, { resolution: 'refund' });
    Object.assign(ids, { orderId, taskId, listingId: taskId, bidId: order.bidId });
  }

  async function plantAll(): Promise<void> {
    await plantContract();
    await plantEscrow();
    await plantTask();
    Object.assign(ids, { did: client.did, address: client.address, resolution: 'x', format: 'json' });
  }

  const found = (text: string): string[] => canaries.planted.filter((each) => text.includes(each));

  /** Every documented GET, for each resource with planted texts. */
  async function paths(): Promise<string[]> {
    const { paths: described } = expectStatus(await node.client.get('/openapi.json'));
    const { events } = expectStatus(await node.client.get(`${api}/events?limit=100`));
    const kinds = { contract: ids.contractId, dispute: ids.disputeId, escrow: ids.escrowId, 'task-order': ids.orderId };
    const all = Object.keys(described).filter((path) => described[path].get && !path.endsWith('/stream'));
    return all.flatMap((path) => {
      if (path.includes('{kind}')) {
        return Object.entries(kinds).map(([kind, id]) => path.replace('{kind}', kind).replace('{id}', id!));
      }
      if (path.includes('{hash}')) return events.map(({ event }: Body) => path.replace('{hash}', event.hash));
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? 'none');
      const queries = ['', `?did=${client.did}`, '?role=all&include=permittedActions', '?limit=100'];
      return queries.map((query) => filled + query);
    });
  }

  it('is planted in every text that can be said', () => {
    for (const action of [
      'contract.create',
      'dispute.resolve',
      'escrow.release',
      'escrow.refund',
      'task-order.deliver',
    ]) {
      expect(
        canaries.planted.some((each) => each.includes(action)),
        action,
      ).to.equal(true);
    }
    for (const member of [
      'terms.words',
      'description',
      'criteria',
      'transport.data',
      'evidence',
      'reason',
      'note',
      'feedback',
    ]) {
      expect(
        canaries.planted.some((each) => each.includes(`.${member}`)),
        member,
      ).to.equal(true);
    }
  });

  it('is in no reply to a third party, on any route', async () => {
    // Some hundred routes for four readers.
    const all = await paths();
    const own = (scope: 'read' | 'admin') => node.keyed({ scope });
    const readers: Client[] = [node.client, await own('read'), await own('admin')];
    for (const reader of [...readers, await node.keyed({ did: stranger.did })]) {
      for (const path of all) expect(found((await reader.get(path)).text), path).to.deep.equal([]);
    }
    expect(all.length).to.be.greaterThan(200);
  });

  it('is in no reply to what a third party asks for', async () => {
    for (const { path, body } of written.filter((each) => each.path !== '/contracts')) {
      const reply = await stranger.write(`${api}${path}`, body);
      expect(reply.status, path).to.be.greaterThan(399);
      expect(found(reply.text), path).to.deep.equal([]);
    }
  });

  it('is not replayed to another signer who knows the Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'shared-by-chance' };
    const path = `${api}/contracts/${ids.contractId}/actions/complete`;
    const one = await client.write(path, {}, headers);
    const other = await stranger.write(path, {}, headers);
    expect([one.headers, other.headers].some((each) => 'idempotent-replayed' in each)).to.equal(false);
    expect(found(other.text)).to.deep.equal([]);
  });

  it('is in no stream, webhook, log line or metric', async () => {
    const { head } = expectStatus(await node.client.get(`${api}/events?limit=1`));
    const stream = await EventStream.open(`${node.url}${api}/events/stream?after=0`);
    const streamed = await stream.take(head);
    stream.close();
    await until('all are delivered', () => receiver.received.some(({ body }) => body.seq === head));
    const { text: metrics } = await node.client.get('/metrics');
    const said = [JSON.stringify(streamed), ...receiver.received.map(({ text }) => text), ...logged, metrics];
    expect(logged.length).to.be.greaterThan(0);
    for (const text of said) expect(found(text)).to.deep.equal([]);
  });

  it('is shown whole to each party and the arbiter', async () => {
    const read = async (reader: Client, path: string) => found((await reader.get(`${api}${path}`)).text);
    for (const { did } of [client, provider, arbiter]) {
      const reader = await node.keyed({ did });
      const shown = await read(reader, '/events?limit=100');
      const theirs = canaries.planted.filter((each) => did !== arbiter.did || !each.includes('task-order'));
      expect(theirs.filter((each) => !shown.includes(each))).to.deep.equal([]);
      for (const path of [`/contracts/${ids.contractId}`, `/disputes/${ids.disputeId}`]) {
        expect(await read(reader, path), path).not.to.deep.equal([]);
      }
      expect(await read(reader, `/machines/contract/${ids.contractId}/state`)).not.to.deep.equal([]);
    }
  });

  it('and a caller who proves to have the key of a party reads as a key that is bound to it, on every route', async () => {
    for (const who of [provider, stranger]) {
      const key = await who.key();
      const statement = { did: who.did, exp: node.world.now() + 240_000, home: node.did, network: 'devnet' };
      const text = canonical(statement);
      const encoded = [text, key.sign(`svc:reader:v1:${text}`)].map((each) => Buffer.from(each).toString('base64url'));
      const proving = (await node.keyed({ scope: 'read' })).with({ 'Svc-Reader': ['v1', ...encoded].join('.') });
      const bound = await node.keyed({ did: who.did });
      // What changes by itself, and what is about the key.
      const all = (await paths()).filter(
        (path) => !/metrics|readyz|healthz|\/node$|\/node\/activity$|api-keys/.test(path.split('?')[0]!),
      );
      for (const path of all) {
        const [one, other] = [await bound.get(path), await proving.get(path)];
        expect([other.status, withoutRequest(other.text)], path).to.deep.equal([one.status, withoutRequest(one.text)]);
      }
      expect(all.length).to.be.greaterThan(200);
    }
  });

  it('leaves parties, amounts, states, times and hashes visible to all callers', async () => {
    const view = expectStatus(await node.client.get(`${api}/contracts/${ids.contractId}`));
    expect(view).to.include({
      client: client.did,
      provider: provider.did,
      arbiter: arbiter.did,
      amount: 100,
      released: 30,
    });
    expect(view).to.include.keys('state', 'termsHash', 'signatures', 'createdAt', 'escrowId', 'permittedActions');
    expect(view.payment).to.deep.equal({ totalAmount: 100 });
    expect(view.milestones[0]).to.include({ id: 'one', amount: 30, status: 'approved', submissionCount: 2 });
    expect(view.milestones[0].envelopeDigest).to.match(/^[0-9a-f]{64}$/);
    const dispute = expectStatus(await node.client.get(`${api}/disputes/${ids.disputeId}`));
    expect(dispute).to.include({ reason: 'quality', amount: 70, resolution: 'refund', clientRefund: 70 });
    expectProblem(await node.client.get(`${api}/machines/contract/${ids.contractId}/state`), 'FORBIDDEN');
    expectStatus(await node.client.get(`${api}/machines/escrow/${ids.escrowId}/state`));
    const { steps } = expectStatus(await node.client.get(`${api}/machines/contract/${ids.contractId}/history`));
    expect(steps.some(({ nested }: Body) => nested?.to === 'milestone.approved' || nested?.id === 'one')).to.equal(
      true,
    );
  });

  it('and a list of all is, for a bound key, of what its DID is a party to', async () => {
    const list = async (reader: Client, query = ''): Promise<Body[]> =>
      expectStatus(await reader.get(`${api}/contracts${query}`)).contracts;
    expect(await list(node.client)).to.have.length(2);
    expect(await list(await node.keyed({ did: client.did }), '?role=all')).to.have.length(2);
    expect(await list(await node.keyed({ did: stranger.did }))).to.deep.equal([]);
    const ofAnother = await list(await node.keyed({ did: stranger.did }), `?did=${client.did}`);
    expect(ofAnother.map(({ terms }) => terms)).to.deep.equal([undefined, undefined]);
  });
});
