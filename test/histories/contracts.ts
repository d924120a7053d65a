/** Contracts through all their actions, and disputes with every outcome. */
import { infoListing } from '../../src/machines/info-order/listing.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { reviewIdOf } from '../../src/machines/reputation/record.js';
import { accepted, type Bench } from '../world/bench.js';
import { ada, ben, cyd } from '../world/people.js';
import { dayMs } from '../../src/core/bounds.js';

const hourMs = 3_600_000;
const milestones = [
  { id: 'first', title: 'First', amount: 30 },
  { id: 'second', title: 'Second', amount: 50, criteria: ['complete'] },
];

export async function contracts(bench: Bench): Promise<void> {
  const ask = async (who: string, id: string, action: string, body: object = {}, ids?: object) =>
    accepted(await bench.ask(who, 'contract', id, action, body as never, ids ? ({ ids } as never) : {}));
  const draft = (id: string, terms: object = {}) =>
    ask('ada', id, 'create', {
      ...{ provider: ben, milestones, payment: { totalAmount: 101 } },
      terms: { arbiter: cyd, fallback: 'refund', ...terms },
    });
  const begin = async (id: string, terms: object = {}) => {
    await draft(id, terms);
    await ask('ada', id, 'sign');
    await ask('ben', id, 'sign');
    await ask('ada', id, 'activate', { amount: 101 }, { escrow: `esc-${id}` });
  };
  const dispute = (id: string, name: string) =>
    ask('ben', id, 'dispute', { reason: 'other', evidence: ['a letter'] }, { dispute: name });

  await draft('ctr-1');
  await ask('ada', 'ctr-1', 'update', { terms: { scope: 'another' } });
  await ask('ben', 'ctr-1', 'terminate', {});

  await begin('ctr-2', { deadline: bench.world.now() + hourMs });
  await ask('ben', 'ctr-2', 'submit', { milestoneId: 'first', notes: 'here', deliverables: [{ name: 'a' }] });
  await ask('ada', 'ctr-2', 'reject', { milestoneId: 'first', feedback: 'not so' });
  await ask('ben', 'ctr-2', 'submit', { milestoneId: 'first' });
  await ask('ada', 'ctr-2', 'approve', { milestoneId: 'first', rating: 5 });
  await bench.world.advance(2 * hourMs);
  accepted(await bench.operate('contract', 'ctr-2', 'overdue'));
  await ask('ben', 'ctr-2', 'submit', { milestoneId: 'second' });
  await ask('ada', 'ctr-2', 'approve', { milestoneId: 'second' });
  await ask('ada', 'ctr-2', 'complete');

  const review = { target: ben, dimension: 'quality', score: 900, ref: 'ctr-2' } as const;
  const reviewId = reviewIdOf(ada, 'ctr-2', 'quality');
  accepted(await bench.ask('ada', 'reputation', reviewId, 'review', review));

  await begin('ctr-late', { deadline: bench.world.now() + hourMs });
  await ask('ben', 'ctr-late', 'submit', { milestoneId: 'first' });
  await bench.world.advance(7 * dayMs);
  accepted(await bench.operate('contract', 'ctr-late', 'settle'));
  await ask('ada', 'ctr-late', 'terminate');

  await begin('ctr-3');
  await ask('ben', 'ctr-3', 'consent');
  await ask('ada', 'ctr-3', 'terminate', { reason: 'agreed' });

  await begin('ctr-4');
  await dispute('ctr-4', 'dsp-1');
  await ask('cyd', 'ctr-4', 'resolve', { resolution: 'resume' });
  await dispute('ctr-4', 'dsp-2');
  await ask('ada', 'ctr-4', 'resolve', { resolution: 'split', clientRefund: 51, providerPayment: 50 });
  await ask('ben', 'ctr-4', 'resolve', { resolution: 'split', clientRefund: 51, providerPayment: 50 });

  await begin('ctr-5');
  await dispute('ctr-5', 'dsp-3');
  accepted(await bench.ask('cyd', 'dispute', 'dsp-3', 'resolve', { resolution: 'release', note: 'it is done' }));

  await begin('ctr-6');
  await dispute('ctr-6', 'dsp-4');
  await bench.world.advance(60 * dayMs);
  await ask('ben', 'ctr-6', 'resolve', { resolution: 'fallback' });

  await disputedOrder(bench);
}

/** An order whose parties agree to split the amount in half. */
async function disputedOrder(bench: Bench): Promise<void> {
  const listingId = 'lst-disputed';
  accepted(await bench.ask('ben', 'info-listing', listingId, 'create', infoListing.create.example));
  const buying = { ids: { escrow: 'esc-ord-disputed' } };
  const purchase = { listingId, buyerPublicKeyHex: '11'.repeat(32) };
  accepted(await bench.ask('ada', 'info-order', 'ord-disputed', 'create', purchase, buying));
  const claim = { reason: 'non_delivery', description: 'nothing came' };
  const asked = { ids: { dispute: 'dsp-order' } };
  accepted(await bench.ask('ada', 'info-order', 'ord-disputed', 'dispute', claim, asked));
  const { price } = bench.store.tables.snapshot('info-order', 'ord-disputed')!.context as { price: number };
  const ruling = { resolution: 'split', clientRefund: 1, providerPayment: price - 1 };
  accepted(await bench.ask('ada', 'dispute', 'dsp-order', 'resolve', ruling));
  accepted(await bench.ask('ben', 'info-order', 'ord-disputed', 'resolve', { resolution: 'refund' }));
  accepted(await bench.ask('ben', 'info-order', 'ord-disputed', 'resolve', ruling));

  await disputedTask(bench);
}

/** A task whose requester gets the price back with the provider's consent. */
async function disputedTask(bench: Bench): Promise<void> {
  const ask = async (...asked: Parameters<Bench['ask']>) => accepted(await bench.ask(...asked));
  const task = { ...taskListing.create.example, timeline: {} };
  const bid = { taskId: 'lst-task-disputed', price: 40, timeline: '5 days', approach: 'twice' };
  await ask('ada', 'task-listing', bid.taskId, 'create', task as never);
  await ask('ben', 'bid', 'bid-disputed', 'create', bid);
  const order = 'task-ord-disputed';
  await ask('ada', 'bid', 'bid-disputed', 'accept', {}, { ids: { order, escrow: 'esc-task-disputed' } });
  const rejects = async (id: string) => {
    for (const submissionId of [1, 2, 3].map((i) => `sub-${id}-${i}`)) {
      await ask('ben', 'task-order', id, 'deliver', { deliverables: ['x'], submissionId });
      await ask('ada', 'task-order', id, 'reject', { feedback: 'once more' });
    }
  };
  await rejects(order);
  await ask('ben', 'task-order', order, 'dispute', { reason: 'other' }, { ids: { dispute: 'dsp-task' } });
  await ask('ben', 'task-order', order, 'resolve', { resolution: 'refund' });
  await ask('ada', 'task-order', order, 'resolve', { resolution: 'refund' });

  await ask('ada', 'task-listing', 'lst-task-left', 'create', task as never);
  await ask('ben', 'bid', 'bid-left', 'create', { ...bid, taskId: 'lst-task-left' });
  const left = { ids: { order: 'task-ord-left', escrow: 'esc-task-left' } };
  await ask('ada', 'bid', 'bid-left', 'accept', {}, left);
  await rejects('task-ord-left');
  await ask('ada', 'task-order', 'task-ord-left', 'dispute', { reason: 'other' }, { ids: { dispute: 'dsp-left' } });
  await bench.world.advance(60 * dayMs);
  accepted(await bench.operate('dispute', 'dsp-left', 'settle'));
}
