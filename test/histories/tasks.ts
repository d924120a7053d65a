/** Tasks, bids on them, and the orders of accepted bids with every outcome. */
import { taskListing } from '../../src/machines/task-order/listing.js';
import { reviewIdOf } from '../../src/machines/reputation/record.js';
import { accepted, type Bench } from '../world/bench.js';
import { ada, ben } from '../world/people.js';
import { dayMs } from '../../src/core/bounds.js';


export async function tasks(bench: Bench): Promise<void> {
  const ask = async (...[who, kind, id, action, body, stated]: Parameters<Bench['ask']>) =>
    accepted(await bench.ask(who, kind, id, action, body, stated));
  for (const name of ['paid', 'settled', 'cancelled']) {
    const [taskId, orderId] = [`lst-${name}`, `task-ord-${name}`];
    const onOrder = (who: string, action: string, body: object) =>
      ask(who, 'task-order', orderId, action, body as never, { ids: { submission: `sub-${name}` } });
    await ask('ada', 'task-listing', taskId, 'create', { ...taskListing.create.example, timeline: {} } as never);
    for (const who of ['ben', 'cyd', 'dan']) {
      await ask(who, 'bid', `bid-${name}-${who}`, 'create', { taskId, price: 40, timeline: '5 days', approach: 'twice' });
    }
    await ask('cyd', 'bid', `bid-${name}-cyd`, 'withdraw', { reason: 'no time' });
    if (name === 'paid') await ask('ada', 'bid', `bid-${name}-dan`, 'reject', {});
    await ask('ada', 'bid', `bid-${name}-ben`, 'accept', {}, { ids: { order: orderId, escrow: `esc-${name}` } });
    if (name === 'cancelled') {
      await bench.world.advance(31 * dayMs);
      accepted(await bench.operate('task-order', orderId, 'cancel'));
      continue;
    }
    await onOrder('ben', 'deliver', { deliverables: [{ pages: 20 }], notes: 'half of it', submissionId: `sub-${name}-1` });
    await onOrder('ada', 'reject', { feedback: 'half is missing' });
    await onOrder('ben', 'deliver', { deliverables: [{ pages: 40 }] });
    if (name === 'settled') {
      await bench.world.advance(7 * dayMs);
      accepted(await bench.operate('task-order', orderId, 'settle'));
      continue;
    }
    await onOrder('ada', 'confirm', { submissionId: `sub-${name}`, feedback: 'fine' });
    await onOrder('ada', 'review', { rating: 5, comment: 'well done', aspects: { speed: 4 } });
    await onOrder('ben', 'review', { rating: 4 });
    const social = { target: ben, dimension: 'social', score: 900, ref: orderId };
    await ask('ada', 'reputation', reviewIdOf(ada, orderId, 'social'), 'review', social);
  }
}
