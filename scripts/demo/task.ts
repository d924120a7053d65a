/** A task: published, bid on by three people, awarded, delivered, rejected, delivered again, confirmed, reviewed. */
import type { Client, TaskBid, TaskOrder } from '../../packages/client/src/index.js';
import { Person, refused } from './people.js';
import { check, shortName, step } from './stage.js';

export async function taskStory(client: Client): Promise<void> {
  step('A task, and three bids on it');
  const names = ['Lea', 'Max', 'Gus', 'Hal'];
  const people: Person[] = [];
  for (const name of names) people.push(await Person.join(client, name));
  const [lea, max, gus, hal] = people as [Person, Person, Person, Person];
  await lea.claims();
  const taskId = await published(lea);
  const bids: TaskBid[] = [];
  for (const [who, price] of [
    [max, 40],
    [gus, 30],
    [hal, 55],
  ] as const) {
    bids.push(await bid(who, taskId, price));
  }
  await refused('Max bids a second time', bid(max, taskId, 35), 403, 'BID_NOT_ALLOWED');
  await refused('Lea bids on her own task', bid(lea, taskId, 1), 403, 'BID_NOT_ALLOWED');
  const order = await accepted(lea, bids);
  step('It is delivered, rejected once, delivered again');
  await worked({ lea, gus, max }, order);
  step('And reviewed');
  await reviewed(lea, gus, order.orderId);
}

async function published({ client }: Person): Promise<string> {
  const { listingId, status, bidding } = await client.markets.tasks.create({
    title: 'Translate a manual',
    description: 'Forty pages, from Japanese.',
    category: 'translation',
    pricing: { budget: 60 },
    taskType: 'translation',
    task: { pages: 40 },
    timeline: {},
  });
  check('Lea publishes a task', [status, bidding.maxBids, bidding.bidCount], ['active', 100, 0], {
    as: shortName(listingId),
  });
  return listingId;
}

const bid = ({ client }: Person, taskId: string, price: number): Promise<TaskBid> =>
  client.bids.create({ taskId, price, timeline: '5 days', approach: 'twice, by hand' });

async function accepted(lea: Person, bids: readonly TaskBid[]): Promise<TaskOrder> {
  const { taskId, bidId } = bids[1]!;
  const { total } = await lea.client.bids.ofTask(taskId);
  check('three people bid', total, 3, { as: bids.map(({ price }) => price).join(', ') });
  const order = await lea.client.bids.accept(bids[1]!);
  check('Lea accepts the bid of 30', [order.status, order.price, order.bidId], ['accepted', 30, bidId], {
    as: shortName(order.orderId),
  });
  const { bids: after } = await lea.client.bids.ofTask(taskId);
  const states = after.map(({ status }) => status).sort();
  check('the others are rejected', states, ['accepted', 'rejected', 'rejected'], { as: states.join(', ') });
  await lea.has(70, 0, 30);
  return order;
}

type Cast = Readonly<Record<'lea' | 'gus' | 'max', Person>>;

async function worked({ lea, gus, max }: Cast, order: TaskOrder): Promise<void> {
  const { taskId, orderId } = order;
  const deliver = (who: Person, pages: number) =>
    who.client.taskOrders.deliver(orderId, {
      taskId,
      deliverables: [{ name: 'manual-en.txt', pages }],
      delivery: { envelope: { type: 'text', transport: { method: 'inline', data: `${pages} pages` } } },
    });
  await refused('Max delivers', deliver(max, 40), 403, 'SUBMISSION_NOT_ALLOWED');
  const first = await deliver(gus, 20);
  const { producer } = first.submissions[0]?.envelope ?? {};
  check('Gus delivers, in an envelope that he signs', [first.status, producer], ['delivered', gus.did], {
    as: first.status,
    aside: shortName(first.submissionId ?? ''),
  });
  const feedback = 'half of it is missing';
  const judged = { taskId, submissionId: first.submissionId ?? '' };
  const back = await lea.client.taskOrders.confirm(orderId, { ...judged, approved: false, feedback });
  check('Lea rejects it', [back.status, back.rejections, back.submissions[0]?.feedback], ['accepted', 1, feedback], {
    as: back.status,
    aside: feedback,
  });
  await gus.has(0);
  const second = await deliver(gus, 40);
  check('Gus delivers again', [second.status, second.submissions.length], ['delivered', 2], { as: second.status });
  const { status } = await lea.client.taskOrders.confirm(second, { taskId, approved: true });
  check('Lea confirms', status, 'confirmed');
  await gus.has(30);
  await lea.has(70);
}

async function reviewed(lea: Person, gus: Person, orderId: string): Promise<void> {
  const order = await lea.client.taskOrders.get(orderId);
  const rated = await lea.client.taskOrders.review(order, { rating: 5, comment: 'well done' });
  check('Lea gives five stars', [rated.status, rated.reviews[0]?.rating], ['reviewed', 5], { as: rated.status });
  await gus.client.taskOrders.review(rated, { rating: 4 });
  await refused(
    'a second time',
    lea.client.taskOrders.review(orderId, { taskId: order.taskId, rating: 1 }),
    409,
    'ORDER_INVALID_STATE',
  );
  const { averageRating, successRate } = await lea.client.reputations.get(gus.did);
  check('Gus has a name', [averageRating, successRate], [5, 1], { as: `${averageRating} stars` });
}
