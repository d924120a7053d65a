/** What is particular to the market of information: encrypted content, and what was delivered of it. */
import { pathOf, type ReadOptions } from '../http.js';
import type { EncryptedInfoContent, InfoDeliveryRecord, OpenedDelivery } from '../wire.js';
import type { Writes } from '../writes.js';

export class Information {
  constructor(private readonly writes: Writes) {}

  /** The encrypted content of a listing. */
  content(listingId: string, options?: ReadOptions): Promise<EncryptedInfoContent> {
    return this.writes.http.get(pathOf`/markets/info/${listingId}/content`, undefined, options);
  }

  /** What was delivered; for an API key that is bound to buyer or seller. */
  delivery(orderId: string, options?: ReadOptions): Promise<InfoDeliveryRecord> {
    return this.writes.http.get(pathOf`/markets/info/orders/${orderId}/delivery`, undefined, options);
  }

  /** The content in the clear, for a buyer whose key is in the node's keystore. Nothing is written. */
  open(
    orderId: string,
    buyer: { readonly did: string; readonly passphrase: string },
    options?: ReadOptions,
  ): Promise<OpenedDelivery> {
    const path = pathOf`/orders/${orderId}/actions/open`;
    return this.writes.plain(path, buyer, { ...options, idempotencyKey: false });
  }
}
