/** The steps of a resource over HTTP: who may read them, and which actions are available now. */
import { expect } from 'chai';
import { Client as TypedClient } from '../../packages/client/src/index.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { castOf, Deal } from '../stories/contract/stage.js';
import { expectInvalid, expectProblem, expectSoon, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { acts, leases, publishes as publishesCapability } from './support/lessor.js';
import { buys, publishes as publishesInfo } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, bids, delivers, onOrder as onTaskOrder, publishesTask } from './support/requester.js';

const hash = /^[0-9a-f]{64}$/;

describe('The history of a resource', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let cyd: Person;

  before(async () => {
    [ada, ben, cyd] = [await node().rich(1_000), await node().rich(100), await node().person()];
  });

  const of = async (kind: string, id: string, query = '', client: Client = node().client): Promise<Body> =>
    expectStatus(await client.get(`/api/v1/machines/${kind}/${id}/history${query}`));
  const permitted = async (kind: string, id: string): Promise<Body> =>
    expectStatus(await node().client.get(`/api/v1/machines/${kind}/${id}/permitted`));
  const escrow = (more: Body = {}): Promise<Body> =>
    ada.does('/api/v1/escrows', { beneficiary: ben.did, amount: 10, releaseRules: [{ type: 'manual' }], ...more });
  const short = (steps: readonly Body[]) => steps.map(({ step, transition, role }) => [step, transition, role]);

  /** An escrow with five steps: created, funded, and three releases, two of which take the same transition. */
  async function walkedEscrow(): Promise<Body> {
    const made = await escrow();
    expectStatus(await ada.act(made, 'fund', { amount: 10, resourcePrev: made.resourcePrev }));
    for (const amount of [3, 3, 4]) expectStatus(await ada.act(made, 'release', { amount }));
    return made;
  }

  it('has each step of an escrow: loops are separate steps', async () => {
    const { escrowId } = await walkedEscrow();
    const { steps, total, next, hasMore, state, version } = await of('escrow', escrowId);
    expect(short(steps)).to.deep.equal([
      [1, 'create', 'depositor'],
      [2, 'created.open.fund.funded', 'depositor'],
      [3, 'funded.release.funded', 'depositor'],
      [4, 'funded.release.funded', 'depositor'],
      [5, 'funded.release.released', 'depositor'],
    ]);
    expect({ total, next, hasMore, state, version }).to.deep.equal({
      total: 5,
      next: null,
      hasMore: false,
      state: 'released',
      version: 5,
    });
    const { transitions } = expectStatus(await node().client.get('/api/v1/machines/escrow'));
    let from: string | null = null;
    for (const step of steps) {
      expect(transitions.map(({ id }: Body) => id)).to.include(step.transition);
      expect(step.from).to.equal(from);
      from = step.to;
      const entry = expectStatus(await node().client.get(`/api/v1/events/${step.eventHash}`));
      expect(step).to.deep.include({
        signer: entry.event.issuer,
        nonce: entry.event.nonce,
        eventType: entry.event.type,
        entryHash: entry.entryHash,
        seq: entry.seq,
        recordedAt: entry.time,
        postings: entry.postings,
        receipt: entry.receipt,
      });
      expect(step.machine).to.equal(entry.versions.find(({ kind }: Body) => kind === 'escrow').machine);
      expect(step.eventHash).to.match(hash);
      expect(step.postings.reduce((sum: number, [, delta]: [string, number]) => sum + delta, 0)).to.equal(0);
    }
  });

  it('is the same in pages of every size', async () => {
    const { escrowId } = await walkedEscrow();
    const { steps: all } = await of('escrow', escrowId);
    for (const limit of [1, 2, 4]) {
      const steps: Body[] = [];
      for (let after: number | null = 0; after !== null; ) {
        const page: Body = await of('escrow', escrowId, `?limit=${limit}&after=${after}`);
        expect(page.steps.length).to.be.at.most(limit);
        expect(page.total).to.equal(5);
        steps.push(...page.steps);
        after = page.next;
      }
      expect(steps).to.deep.equal(all);
    }
    const { machines } = new TypedClient({ url: node().url });
    const typed: unknown[] = [];
    for await (const step of machines.steps('escrow', escrowId)) typed.push(step);
    expect(typed).to.deep.equal(all);
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['after=-1', 'after'],
      ['after=x', 'after'],
    ]) {
      expectInvalid(await node().client.get(`/api/v1/machines/escrow/${escrowId}/history?${query}`), field!);
    }
  });

  it('goes through two transitions where one request did', async () => {
    const { escrowId } = await escrow({ autoFund: true });
    const { steps } = await of('escrow', escrowId);
    expect(steps).to.have.length(1);
    expect(steps[0]).to.deep.include({
      transitions: ['create', 'created.open.fund.funded'],
      path: ['created.open', 'funded'],
      from: null,
      to: 'funded',
      action: 'create',
    });
  });

  it('names the clock where time passed', async () => {
    const hourMs = 3_600_000;
    const { escrowId } = await escrow({ autoFund: true, expiresAt: node().world.now() + hourMs });
    node().world.skip(hourMs + 1);
    const last = async () => short((await of('escrow', escrowId)).steps.slice(-1));
    await expectSoon(last, [[2, 'funded.expire.expired', 'clock']]);
  });

  it('follows each milestone of a contract, and its escrow, which moves by workflow', async () => {
    const deal = await Deal.active(node(), await castOf(node()));
    await deal.steps('one', 'submit', 'reject', 'submit', 'approve');
    await deal.steps('two', 'submit');
    const { steps } = await of('contract', deal.id);
    const nested = steps.filter((each: Body) => each.nested).map((each: Body) => each.nested);
    const step = (id: string, from: string, action: string, to: string) => ({
      machine: 'milestone',
      id,
      transition: `milestone/${from}.${action}.${to}`,
      from: `milestone/${from}`,
      to: `milestone/${to}`,
    });
    const walk = [
      step('one', 'pending', 'submit', 'submitted'),
      step('one', 'submitted', 'reject', 'rejected'),
      step('one', 'rejected', 'submit', 'submitted'),
      step('one', 'submitted', 'approve', 'approved'),
      step('two', 'pending', 'submit', 'submitted'),
    ];
    expect(nested).to.deep.equal(walk);
    expect(short(steps).slice(0, 5)).to.deep.equal([
      [1, 'create', 'client'],
      [2, 'draft.sign.draft', 'client'],
      [3, 'draft.sign.signed', 'provider'],
      [4, 'signed.activate.active.ongoing', 'client'],
      [5, 'active.ongoing.submit.active.ongoing', 'provider'],
    ]);
    const page = await of('contract', deal.id, `?after=${steps[5].seq}&limit=2`);
    expect(
      page.steps.map((each: Body) => each.nested),
      'a later page knows the earlier ones',
    ).to.deep.equal(walk.slice(2, 4));
    const { escrowId } = await deal.view();
    const { steps: ofEscrow } = await of('escrow', escrowId);
    expect(short(ofEscrow)).to.deep.equal([
      [1, 'created.open.fund.funded', 'workflow'],
      [2, 'funded.release.funded', 'workflow'],
    ]);
  });

  it('names each step of what the workflows of a market move', async () => {
    const task = await publishesTask(ada);
    const [low, high] = [await bids(ben, task, { price: 10 }), await bids(cyd, task, { price: 12 })];
    const order = await delivers(ben, await accepts(ada, low));
    expectStatus(await onTaskOrder(ada, order, 'confirm'));
    const info = await publishesInfo(ben, { stock: 1 });
    const bought = await buys(ada, info);
    const capability = await publishesCapability(ben);
    const lease = await leases(ada, capability, { budget: 10 });
    await acts(ada, lease, 'invoke', { units: 2 });
    await acts(ada, lease, 'terminate');
    const walks = async (kind: string, id: string) => {
      const { steps } = await of(kind, id);
      for (const { action, transitions, transition } of steps) {
        expect(transitions.at(-1)).to.equal(transition);
        expect([action, ...transitions], `${kind}: ${transitions}`).not.to.include(null);
      }
      return steps.map(({ action, transitions, role }: Body) => [action, ...transitions, role].join(' '));
    };
    expect(await walks('task-listing', task.listingId)).to.deep.equal([
      'create create seller',
      'bid active.open.bid.active.open workflow',
      'bid active.open.bid.active.open workflow',
      'award active.open.award.active.awarded workflow',
    ]);
    expect(await walks('bid', high.bidId)).to.deep.equal([
      'create create bidder',
      'reject submitted.reject.rejected workflow',
    ]);
    expect(await walks('task-order', order.orderId)).to.deep.equal([
      'create create open.begin.accepted workflow',
      'deliver accepted.deliver.delivered provider',
      'confirm delivered.confirm.confirmed requester',
    ]);
    expect(await walks('info-listing', info.listingId)).to.deep.equal([
      'create create seller',
      'order active.order.paused workflow',
    ]);
    expect(await walks('info-order', bought.orderId)).to.deep.equal(['create create pending.pay.paid buyer']);
    expect(await walks('escrow', lease.escrowId)).to.deep.equal([
      'create create created.open.fund.funded workflow',
      'release funded.release.funded funded.refund.refunded workflow',
    ]);
    const stocked = await publishesCapability(ben, { stock: 2 });
    await leases(ada, stocked, { budget: 10 });
    expect(await walks('capability-listing', stocked.listingId)).to.deep.equal([
      'create create seller',
      'order active.order.active workflow',
    ]);
  });

  it('is for those who may read the resource', async () => {
    const listing = expectStatus(
      await ada.write('/api/v1/markets/tasks', { ...taskListing.create.example, visibility: 'private' }),
      201,
    );
    const path = `/api/v1/machines/task-listing/${listing.listingId}`;
    const own = await node().keyed({ did: ada.did });
    const others = await node().keyed({ did: ben.did });
    for (const part of ['history', 'permitted']) {
      expectStatus(await own.get(`${path}/${part}`));
      for (const reader of [node().client, others]) {
        expectProblem(await reader.get(`${path}/${part}`), 'LISTING_NOT_FOUND');
      }
    }
  });

  it('is not there for what is unknown, or has no life cycle', async () => {
    const get = (path: string) => node().client.get(`/api/v1/machines/${path}`);
    for (const part of ['history', 'permitted']) {
      expectProblem(await get(`escrow/esc-none/${part}`), 'ESCROW_NOT_FOUND');
      expectProblem(await get(`contract/__proto__/${part}`), 'CONTRACT_NOT_FOUND');
      expectProblem(await get(`nothing/x/${part}`), 'NOT_FOUND');
      expectProblem(await get(`account/${ada.did}/${part}`), 'NOT_FOUND');
    }
  });

  it('carries no secret and no input', async () => {
    const { escrowId } = await walkedEscrow();
    expect(JSON.stringify(await of('escrow', escrowId))).not.to.match(/passphrase|correct horse|input|salt/);
  });

  it('says of every action whom it is permitted, as the view does, and why not otherwise', async () => {
    const made = await escrow();
    const { actions, state } = await permitted('escrow', made.escrowId);
    expect(state).to.equal('created.open');
    const of = (name: string, role: string): Body =>
      actions.find(({ action }: Body) => action === name).roles.find((each: Body) => each.role === role);
    expect(of('fund', 'depositor')).to.deep.equal({ role: 'depositor', permitted: true, open: ['UNPROCESSABLE'] });
    expect(of('release', 'depositor')).to.include({ permitted: false, code: 'ESCROW_INVALID_STATE' });
    expect(of('release', 'arbiter')).to.include({ permitted: false, code: 'FORBIDDEN' });
    expect(of('lapse', 'clock')).to.include({ permitted: false, guard: 'lapseIsDue', code: 'ESCROW_INVALID_STATE' });
    const view = expectStatus(await node().client.get(`/api/v1/escrows/${made.escrowId}`));
    for (const { action, roles } of actions) {
      for (const { role, permitted: may } of roles) {
        if (['clock', 'workflow', 'operator'].includes(role)) continue;
        const inView = (view.permittedActions[role] ?? []).some((each: Body) => each.action === action);
        expect(may, `${action} by ${role}`).to.equal(inView);
      }
    }
  });
});
