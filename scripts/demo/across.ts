/**
 * What residents of one home do at another, each with one request to their own node: information is bought, opened,
 * disputed, decided at a third home and reviewed; a bid wins a task; a contract is signed by both; a capability is metered.
 */
import type { InfoOrder } from '../../packages/client/src/index.js';
import type { Person } from './people.js';
import { check, DemoFailed, shortName, step } from './stage.js';

export interface AcrossHomes {
  /** Sells at the first home. */
  readonly ada: Person;
  /** Lives at the second home. */
  readonly eve: Person;
  /** Decides disputes, and lives at the last home. */
  readonly ruth: Person;
  /** DID of the first home. */
  readonly home: string;
  /** Resolves when the homes of Eve and Ruth have read the first home's journal as it is now. */
  readonly seen: () => Promise<void>;
}

/** The plaintext that Ada has published encrypted. */
export async function disputed(order: InfoOrder, { ada, eve, ruth, home, seen }: AcrossHomes, plaintext: string) {
  step('She opens it at her own node, disputes it, and Ruth decides at the third home');
  await ada.client.infoOrders.deliver(order.orderId, { listingId: order.listingId } as never);
  const delivered = await eve.client.infoOrders.waitFor(order, 'delivered');
  const opened = await eve.opens(`${order.orderId}~${home}`);
  check('the content came encrypted, and she reads it', opened.content, plaintext, {
    as: `${plaintext.length} bytes`,
    aside: shortName(opened.contentHash ?? ''),
  });
  const dispute = await eve.client.infoOrders.dispute(delivered, {
    reason: 'quality',
    description: 'half of it is dry',
  });
  check('she disputes it', [dispute.status, dispute.arbiter], ['open', ruth.did], { as: 'Ruth is the arbiter' });
  await seen();
  const ruling = await ruth.client.disputes.resolve(`${dispute.id}~${home}`, {
    resolution: 'release',
    note: 'it is rain',
  });
  check('Ruth rules, with one request to her own node', ruling.resolvedBy, ruth.did, { as: ruling.status });
  const ended = await eve.client.infoOrders.waitFor(order, 'confirmed');
  const reviewed = await eve.client.infoOrders.review(ended, { rating: 4, comment: 'a dry rain' });
  check('and Eve reviews it', [reviewed.status, reviewed.home], ['reviewed', home], { as: '4 stars' });
}

export async function worked({ ada, eve, home, seen }: AcrossHomes): Promise<void> {
  step('Eve wins a task of Ada, and delivers it');
  const { listingId } = await ada.client.markets.tasks.create({
    ...{ title: 'Translate a manual', description: 'Forty pages.', category: 'translation', taskType: 'translation' },
    ...{ pricing: { budget: 40 }, task: { pages: 40 }, timeline: {} },
  });
  await seen();
  const bid = await eve.client.bids.create({
    ...{ taskId: `${listingId}~${home}`, price: 30, timeline: '5 days', approach: 'by hand' },
  });
  check('she bids', [bid.status, bid.home], ['submitted', home], { as: '30 Tokens' });
  const { orderId } = await ada.client.bids.accept(bid.bidId, { taskId: listingId });
  await seen();
  const done = await eve.client.taskOrders.deliver(await eve.client.taskOrders.get(`${orderId}~${home}`), {
    deliverables: [{ name: 'manual-en.txt' }],
    delivery: { envelope: { type: 'text', transport: { method: 'inline', data: 'forty pages' } } },
  });
  check('she delivers, in an envelope that she signs', done.submissions[0]?.envelope?.producer, eve.did, {
    as: done.status,
  });
  await ada.client.taskOrders.confirm(orderId, { taskId: listingId, approved: true } as never);
  const { status } = await eve.client.taskOrders.waitFor(done, 'confirmed');
  check('Ada confirms, and Eve is paid there', status, 'confirmed');
}

export async function contracted({ ada, eve, home, seen }: AcrossHomes): Promise<void> {
  step('A contract that both sign, each at home');
  const draft = await ada.client.contracts.create({
    ...{ provider: eve.did, terms: { scope: 'a poster' }, payment: { totalAmount: 20 } },
    milestones: [{ id: 'sketch', title: 'Sketch', amount: 20 }],
  });
  await seen();
  const { contracts } = eve.client;
  const read = await contracts.get(draft.id);
  await contracts.sign(read, { termsHash: read.termsHash });
  const signed = await ada.client.contracts.sign(draft.id, { termsHash: draft.termsHash });
  check('both have signed', [signed.state, signed.signatures.length], ['signed', 2], { as: signed.state });
  await ada.client.contracts.activate(draft.id, { amount: 20 });
  await contracts.waitFor(read, 'active');
  const handed = await contracts.submit(`${draft.id}~${home}`, { milestoneId: 'sketch', notes: 'in pencil' });
  check('Eve hands the sketch in', handed.status, 'submitted');
  await ada.client.contracts.approve(draft.id, { milestoneId: 'sketch' });
  await ada.client.contracts.complete(draft.id);
  const { paid, state } = await contracts.waitFor(read, 'completed');
  check('Ada approves it, and the contract is completed', [state, paid], ['completed', 20], { as: '20 Tokens paid' });
}

export async function metered({ ada, eve, home, seen }: AcrossHomes): Promise<void> {
  step('A lease of Ada’s capability, metered from Eve’s node');
  const { listingId } = await ada.client.markets.capabilities.create({
    ...{ title: 'Speech to text', description: 'Thirty languages.', category: 'speech', tags: ['audio'] },
    ...{ capabilityType: 'transcription', capability: { languages: 30 }, access: { type: 'endpoint' } },
    ...{
      pricing: { usagePrice: { unit: 'minute of audio', pricePerUnit: 2 } },
      quota: { maxCalls: 4, period: 'hour' },
    },
  });
  await seen();
  const { leases } = eve.client;
  const lease = await leases.create({ listingId: `${listingId}~${home}`, plan: { budget: 20 } });
  check('Eve leases it with a budget of 20', [lease.status, lease.amount], ['active', 20], { as: lease.status });
  const called = await leases.invoke(lease, { units: 3 });
  check('a call of three minutes', [called.accrued, called.remaining], [6, 14], { as: `${called.remaining} are left` });
  const ended = await leases.terminate(called);
  check('she ends it', [ended.paid, ended.refunded], [6, 14], { as: `${ended.refunded} come back` });
  if (ended.home !== home) throw new DemoFailed('the lease is of the first home');
}
