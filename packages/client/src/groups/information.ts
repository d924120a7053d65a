/** Operations that only the information market has: encrypted content and its delivery. */
import { pathOf, type ReadOptions } from '../http.js';
import { openedDelivery } from '../signing/opening.js';
import type { EncryptedInfoContent, InfoDeliveryRecord, OpenedDelivery } from '../wire.js';
import type { SignerCredentials, Writes } from '../writes.js';

export class Information {
  constructor(private readonly writes: Writes) {}

  /** The encrypted content of a listing. */
  content(listingId: string, options?: ReadOptions): Promise<EncryptedInfoContent> {
    return this.writes.http.get(pathOf`/markets/info/${listingId}/content`, undefined, options);
  }

  /** The delivery record of an order, for its buyer or seller: with their key, or an API key that is bound to their DID. */
  delivery(orderId: string, options?: ReadOptions): Promise<InfoDeliveryRecord> {
    return this.writes.http.get(pathOf`/markets/info/orders/${orderId}/delivery`, undefined, options);
  }

  /**
   * Decrypts the content for its buyer, who is the signer unless stated: at the node if it keeps the buyer's key, otherwise here.
   * Writes nothing. An id that names a home which the signer accepts (`ord-…~did:svc:…`) is opened there.
   */
  open(orderId: string, buyer?: SignerCredentials, options?: ReadOptions): Promise<OpenedDelivery> {
    const path = (id: string) => pathOf`/orders/${id}/actions/open`;
    return this.writes.opened(orderId, { path, here: openedDelivery, owner: buyer, options });
  }
}
