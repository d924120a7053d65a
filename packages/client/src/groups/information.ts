/** Operations that only the information market has: encrypted content and its delivery. */
import { pathOf, type ReadOptions } from '../http.js';
import type { EncryptedInfoContent, InfoDeliveryRecord, OpenedDelivery } from '../wire.js';
import type { Writes } from '../writes.js';

export class Information {
  constructor(private readonly writes: Writes) {}

  /** The encrypted content of a listing. */
  content(listingId: string, options?: ReadOptions): Promise<EncryptedInfoContent> {
    return this.writes.http.get(pathOf`/markets/info/${listingId}/content`, undefined, options);
  }

  /** The delivery record of an order, for an API key that is bound to its buyer or seller. */
  delivery(orderId: string, options?: ReadOptions): Promise<InfoDeliveryRecord> {
    return this.writes.http.get(pathOf`/markets/info/orders/${orderId}/delivery`, undefined, options);
  }

  /** Decrypts the content, for a buyer whose key is in the node's keystore. Writes nothing. */
  open(
    orderId: string,
    buyer: {
      /** The DID that has bought. */
      readonly did: string;
      /** Unlocks the DID's key in the node's keystore. */
      readonly passphrase: string;
    },
    options?: ReadOptions,
  ): Promise<OpenedDelivery> {
    const path = pathOf`/orders/${orderId}/actions/open`;
    return this.writes.plain(path, buyer, { ...options, idempotencyKey: false });
  }
}
