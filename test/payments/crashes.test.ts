/** A buyer that ends at any moment pays once for a call (docs/payments.md#pay-for-an-api). */
import { join } from 'node:path';
import { expect } from 'chai';
import { Client, type HeldKey } from '../../packages/client/src/index.js';
import { fetchWithPayment, type KeptPayments, keptIn, PaymentUnanswered } from '../../packages/payments/src/index.js';
import { PaymentMarket } from './support/market.js';

const never = new Promise<never>(() => {});

/** A program that ends at its nth step: after that it does nothing. */
class Ending {
  #step = 0;
  #end!: () => void;
  readonly ended = new Promise<'ended'>((resolve) => {
    this.#end = () => resolve('ended');
  });

  constructor(private readonly last: number) {}

  /** Two steps: before it begins, and when it has ended. */
  around<A extends unknown[], T>(work: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
    return async (...args) => {
      await this.#stepped();
      const result = await work(...args);
      await this.#stepped();
      return result;
    };
  }

  async #stepped(): Promise<void> {
    if (++this.#step < this.last) return;
    this.#end();
    await never;
  }
}

describe('A buyer that ends', () => {
  let market: PaymentMarket;
  before(async () => {
    market = await PaymentMarket.open();
  });
  after(() => market.close());

  function program(key: HeldKey, folder: string, ending: Ending, budget?: number) {
    const fetched = ending.around(fetch);
    const kept = keptIn(folder);
    const all = Object.entries(kept).map(([name, work]) => [name, ending.around(work as () => Promise<unknown>)]);
    const stepped = Object.fromEntries(all) as unknown as KeptPayments;
    const client = new Client({ url: market.node.url, fetch: fetched });
    const options = { key, most: 2, kept: stepped, loopback: true, fetch: fetched };
    return fetchWithPayment(client, { ...options, ...(budget !== undefined && { budget }) });
  }

  it('at any step closes the lease that has too little left, makes one other, and charges it once', async () => {
    const shop = await market.shop({ listing: await market.listing() });
    let last = 0;
    for (let isOver = false; !isOver; ) {
      last++;
      const key = await market.key(10);
      const folder = join(market.folder, `leasing-${last}`);
      await program(key, folder, new Ending(Infinity), 3)(`${shop.url}/before`);
      const [url, call] = [`${shop.url}/${last}`, { identifier: 'this one' }];
      const ending = new Ending(last);
      const first = program(key, folder, ending, 6)(url, {}, call);
      isOver = (await Promise.race([first, ending.ended])) !== 'ended';
      const again = await program(key, folder, new Ending(Infinity), 6)(url, {}, call).catch((error) => error);
      if (again instanceof PaymentUnanswered) expect(again.message).to.include('paid and answered');
      else expect(await (again as Response).json(), `ended at step ${last}`).to.include({ path: `/${last}` });
      const leases = (await market.leases(key.did)).map(({ amount, accrued, status }) => [amount, accrued, status]);
      expect(leases.sort(), `ended at step ${last}`).to.deep.equal([
        [3, 2, 'terminated'],
        [4, 2, 'active'],
      ]);
      expect(shop.served).to.equal(2 * last);
    }
    expect(last).to.be.above(30);
  });

  it('at any step pays once for a call, and the seller serves it once', async () => {
    const shop = await market.shop();
    const key = await market.key(1_000);
    let balance = 1_000;
    for (let last = 1, isOver = false; !isOver; last++) {
      const folder = join(market.folder, `ending-${last}`);
      const url = `${shop.url}/${last}`;
      const call = { identifier: 'this one' };
      const ending = new Ending(last);
      const first = program(key, folder, ending)(url, {}, call);
      isOver = (await Promise.race([first, ending.ended])) !== 'ended';
      const again = await program(key, folder, new Ending(Infinity))(url, {}, call).catch((error: unknown) => error);
      if (again instanceof PaymentUnanswered) expect(again.message).to.include('paid and answered');
      else
        expect(await (again as Response).json(), `ended at step ${last}`).to.include({
          path: `/${last}`,
          number: last,
        });
      balance -= 2;
      expect(await market.balance(key.did), `ended at step ${last}`).to.equal(balance);
      expect(shop.served).to.equal(last);
    }
    expect(shop.served).to.be.above(15);
  });
});
