/** Orders of information, each with another outcome. */
import { infoListing } from '../../src/machines/info-order/listing.js';
import { reviewIdOf } from '../../src/machines/reputation/record.js';
import { accepted, type Bench } from '../world/bench.js';
import { didOf } from '../world/people.js';
import { dayMs } from '../../src/core/bounds.js';

const buyerPublicKeyHex = '11'.repeat(32);

export async function infoOrders(bench: Bench): Promise<void> {
  const listingId = 'lst-sold';
  accepted(await bench.ask('ben', 'info-listing', listingId, 'create', { ...infoListing.create.example, stock: 4 }));
  const ask = async (who: string, id: string, action: string, body: object = {}) =>
    accepted(await bench.ask(who, 'info-order', id, action, body as never));
  const buy = async (id: string) => {
    const ids = { ids: { escrow: `esc-${id}` } };
    accepted(await bench.ask('ada', 'info-order', id, 'create', { listingId, buyerPublicKeyHex }, ids));
  };
  for (const id of ['ord-1', 'ord-2', 'ord-3']) await buy(id);
  await ask('ben', 'ord-1', 'deliver', { deliveryData: { box: 4 }, expiresAt: bench.world.now() + dayMs });
  await ask('ada', 'ord-1', 'confirm');
  await ask('ben', 'ord-1', 'review', { rating: 4 });
  await ask('ada', 'ord-1', 'review', { rating: 5, comment: 'as promised' });
  const review = { target: didOf('ben'), dimension: 'social', score: 800, ref: 'ord-1' };
  accepted(await bench.ask('ada', 'reputation', reviewIdOf(didOf('ada'), 'ord-1', 'social'), 'review', review));
  await ask('ben', 'ord-2', 'deliver', { deliveryData: { box: 5 } });
  await bench.world.advance(8 * dayMs);
  accepted(await bench.operate('info-order', 'ord-2', 'settle'));
  accepted(await bench.operate('info-order', 'ord-3', 'lapse'));
}
