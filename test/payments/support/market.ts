/** A home, buyers who keep their keys, and sellers, for tests of payments. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type HeldKey, keys, type Lease } from '../../../packages/client/src/index.js';
import { type FakeNode, fakeNode } from '../../../packages/fake-node/src/index.js';
import {
  fetchWithPayment,
  keptIn,
  type PayingOptions,
  type SaleOffer,
  sell,
  usedIn,
} from '../../../packages/payments/src/index.js';

/** What the promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  );

export const secret = 'a secret of the seller that is long enough';

export class PaymentMarket {
  readonly #servers: Server[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-payments-'));
  sellerKey!: HeldKey;

  private constructor(readonly node: FakeNode) {}

  static async open(): Promise<PaymentMarket> {
    const market = new PaymentMarket(await fakeNode());
    market.sellerKey = await keys.generate();
    return market;
  }

  get seller(): string {
    return this.sellerKey.did;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await this.node.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Listens at a free port. @returns its URL */
  async serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  offer(url: string, more: Partial<SaleOffer> = {}): SaleOffer {
    const { did: home } = this.node;
    const used = usedIn(join(this.folder, 'used'));
    return { amount: 2, payTo: this.seller, home, network: 'devnet', url, secret, used, ...more };
  }

  /** Publishes a capability of the seller. @returns its id */
  async listing(pricePerUnit = 1, more: object = {}): Promise<string> {
    const listing = {
      ...{ title: 'Weather', description: 'The weather of today.', category: 'data', tags: [], capabilityType: 'http' },
      ...{ capability: {}, quota: {}, access: {}, pricing: { usagePrice: { unit: 'call', pricePerUnit } } },
    };
    const publisher = this.node.client.as({ key: this.sellerKey });
    return (await publisher.markets.capabilities.create({ ...listing, ...more })).listingId;
  }

  async leases(did: string): Promise<readonly Lease[]> {
    return (await this.node.client.leases.list({ did })).leases;
  }

  /** A server that sells its answers: `what` with the number of the answer. */
  async shop(more: Partial<SaleOffer> = {}) {
    const shop = { url: '', served: 0 };
    let handle: RequestListener;
    shop.url = await this.serve((request, response) => handle(request, response));
    handle = sell(this.offer(shop.url, more)).http((request, response, payment) => {
      shop.served++;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ number: shop.served, path: request.url, body: String(payment.body) }));
    });
    return shop;
  }

  async key(tokens: number): Promise<HeldKey> {
    const key = await keys.generate();
    if (tokens > 0) await this.node.fund(key.did, tokens);
    return key;
  }

  /** A buyer whose key has Tokens. */
  async buyer(tokens: number, more: Partial<PayingOptions> = {}) {
    const key = more.key ?? (await this.key(tokens));
    const kept = keptIn(join(this.folder, `kept-${key.did.slice(-8)}`));
    const options: PayingOptions = { key, most: 2, loopback: true, kept, ...more };
    return { key, kept, buy: fetchWithPayment(this.node.client, options) };
  }

  /** Tokens that are not in an escrow. */
  async available(did: string): Promise<number> {
    return (await this.node.client.wallets.get(did)).available;
  }

  async balance(did: string): Promise<number> {
    return (await this.node.client.wallets.get(did)).balance;
  }
}
