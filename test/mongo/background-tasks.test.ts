/**
 * Each background task meets a store that first refuses at random, then always, and then works again: none of them ends the
 * process, and each catches up.
 */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { aboutLabel } from '../../src/machines/reputation/record.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { MongoStore } from '../../src/store/mongo/mongo-store.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store.js';
import { settled } from '../chain/support/settled-node.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { until } from '../support/until.js';
import { Receiver } from '../webhooks/support/receiver.js';
import { TestDatabase } from './support/database.js';
import { Refusals } from './support/refusing-store.js';
import { describeMongo } from './support/server.js';

const tasks = '/api/v1/markets/tasks';
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The first call of each task to the store: alarm clock, webhooks, settler and anchors. */
const asked = ({ shared }: Store): readonly string[] => [shared ? 'holds' : 'due', 'entries', 'listLocal', 'putLocal'];

let key = 0;

/** Repeats a request under one Idempotency-Key until it is accepted. */
async function insist(who: Person, path: string, body: Body = {}, on503: (reply: Reply) => void = () => {}) {
  const headers = { 'Idempotency-Key': `insist-${++key}` };
  const { nonce } = who;
  for (;;) {
    const reply = await who.write(path, { ...body, nonce }, headers);
    if (reply.status !== 503) {
      who.nonce = nonce + 1;
      return expectStatus(reply, [200, 201]);
    }
    on503(reply);
    await rest(10);
  }
}

function tasksGoOn(open: (dir: string) => Promise<Store>, tellsUnknown: boolean): void {
  let node: TestNode;
  let receiver: Receiver;
  let store: Store;
  const refusals = new Refusals();

  before(async () => {
    receiver = await Receiver.open();
    node = await TestNode.start({
      variables: { SVC_CHAIN: 'embedded', SVC_WEBHOOK_NETWORKS: '127.0.0.1', SVC_SETTLEMENT_WAIT_MS: '0' },
      store: async (dir) => {
        store = await open(dir);
        return refusals.of(store);
      },
    });
  });
  after(async () => {
    refusals.percent = 0;
    refusals.always.clear();
    await node?.discard();
    await receiver?.close();
  });

  it('continue', async () => {
    const { key: admin } = await node.key({ scope: 'admin' });
    const hook = { url: receiver.url, types: ['escrow.expired', 'escrow.created'] };
    expectStatus(await node.client.keyed(admin).post('/api/v1/webhooks', hook), 201);
    const [requester, provider] = [await node.rich(), await node.person()];
    const timeline = { deadline: node.world.now() + 2 * dayMs };
    const { listingId } = await requester.does(tasks, { ...(taskListing.create.example as Body), timeline });
    const { bidId } = expectStatus(await provider.write(`${tasks}/${listingId}/bids`, { price: 40 }), 201);
    const accepted = await requester.write(`${tasks}/${listingId}/bids/${bidId}/actions/accept`);
    const { orderId } = expectStatus(accepted);
    await settled(node);

    const unclear: string[] = [];
    const note = ({ body }: Reply) => {
      if (tellsUnknown && !/unknown/.test(body.detail)) unclear.push(body.detail);
    };
    refusals.percent = 30;
    const act = (who: Person, action: string, body: Body = {}) =>
      insist(who, `${tasks}/${listingId}/actions/${action}`, { orderId, ...body }, note);
    await act(provider, 'deliver', { deliverables: [{ name: 'a.pdf' }] });
    await act(requester, 'confirm', { approved: true });
    const escrow = { beneficiary: provider.did, amount: 10, releaseRules: [{ type: 'manual' }], autoFund: true };
    const expiresAt = node.world.now() + 60_000;
    // Keeps the webhooks reading, because a dispatcher that has read everything makes no calls.
    refusals.always.add('entries');
    const { escrowId } = await insist(requester, '/api/v1/escrows', { ...escrow, expiresAt }, note);
    refusals.percent = 100;
    // Long enough for hourly tasks, and for an anchor of entries that have waited long.
    for (let minutes = 0; minutes < 90; minutes += 15) await refusedAgain();
    refusals.percent = 50;
    // Some hours. A task that gets through has nothing left to do, so no further refusal of it can be waited for.
    for (let look = 0; look < 20; look++) {
      node.world.skip(900_000);
      await rest(50);
    }
    refusals.percent = 0;
    refusals.always.clear();

    await until('the alarm has rung', async () => (await store.load('escrow', escrowId))?.state === 'expired');
    await settled(node);
    await until('its owner is ranked', async () => (await ranked(provider)) && (await ranked(requester)));
    await until('the journal is anchored', async () => (await store.listLocal('anchors')).length > 0);
    await until('both are delivered', () => new Set(receiver.received.map(({ text }) => text)).size >= 2);
    expect(node.faults).to.deep.equal([]);
    expect(unclear).to.deep.equal([]);
  });

  /** Lets quarters of an hour pass until each background task has met a refusal once more. */
  async function refusedAgain(): Promise<void> {
    const before = new Map(refusals.refused);
    const met = (call: string) => refusals.refused.get(call) ?? 0;
    // Calls to the store and the chain have their deadlines on the same clock: a busy machine needs longer pauses.
    let pauseMs = 20;
    await until('each task is refused', async () => {
      node.world.skip(900_000);
      pauseMs = Math.min(2_000, 1.5 * pauseMs);
      await rest(pauseMs);
      return asked(store).every((call) => met(call) > (before.get(call) ?? 0));
    });
  }

  /** Whether the ranking's cursor has passed the records about them. */
  async function ranked({ did }: Person): Promise<boolean> {
    const { items } = await store.find({
      kind: 'reputation',
      anyLabel: [aboutLabel(did)],
      page: { limit: 1, offset: 0 },
    });
    const at = Number((await store.getLocal('search', 'reputation'))?.value.at ?? 0);
    return items.length > 0 && at >= items[0]!.createdAt;
  }
}

describeMongo('the tasks of a node while its database refuses at random', () => {
  let database: TestDatabase;
  before(async () => {
    database = await TestDatabase.fresh();
  });
  tasksGoOn(() => MongoStore.open({ url: database.url, network: 'devnet' }), true);
  // mocha runs hooks in this order: the node stops before its database is dropped.
  after(() => database.dispose());
});

describe('the tasks of a node while its embedded store refuses at random', () => {
  tasksGoOn((dir) => SqliteStore.open({ dir, isChained: true }), false);
});
