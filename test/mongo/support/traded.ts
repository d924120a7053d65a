/** A journal on MongoDB with listings, one of which was bought, delivered and reviewed. The node has stopped. */
import { capabilityListing } from '../../../src/machines/lease/listing.js';
import { taskListing } from '../../../src/machines/task-order/listing.js';
import { MongoStore } from '../../../src/store/mongo/mongo-store.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { buys, onOrder, publishes } from '../../node/support/market.js';
import { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import type { TestDatabase } from './database.js';

/** @param meanwhile runs before the node stops */
export async function traded(
  database: TestDatabase,
  meanwhile?: (node: TestNode, seller: Person) => Promise<void>,
): Promise<void> {
  const node = await TestNode.start({
    variables: { SVC_CHAIN: 'none' },
    store: () => MongoStore.open({ url: database.url, network: database.network }),
  });
  try {
    const [seller, buyer] = [await node.rich(), await node.rich()];
    const listing = await publishes(seller, { content: { format: 'text/csv', data: 'day,rain' } });
    await publishes(seller, { title: 'Road maps', tags: ['road'], pricing: { price: 7 } });
    const deadline = node.world.now() + 86_400_000;
    await buyer.does('/api/v1/markets/tasks', { ...(taskListing.create.example as Body), timeline: { deadline } });
    await seller.does('/api/v1/markets/capabilities', capabilityListing.create.example as Body);
    const bought = { ...listing, ...(await buys(buyer, listing)) };
    expectStatus(await onOrder(seller, bought, 'deliver'));
    expectStatus(await onOrder(buyer, bought, 'confirm'));
    expectStatus(await onOrder(buyer, bought, 'review', { rating: 4 }));
    await meanwhile?.(node, seller);
  } finally {
    await node.discard();
  }
}
