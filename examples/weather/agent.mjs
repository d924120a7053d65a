/** An agent that keeps its key, and buys forecasts until its wallet is used up. */
import { Client } from 'svc-node/client';
import { fetchWithPayment, keptIn } from 'svc-node/payments';

export class Agent {
  #buy;

  /**
   * @param node URL of the API of its home @param key made of a seed that only the agent has
   * @param folder for payments without an answer @param budget Tokens for a lease; without it, each forecast is a transfer
   */
  constructor({ node, key, folder, budget }) {
    this.client = new Client({ url: node }).as({ key });
    // `loopback` because the shop of this example is on this machine; others are called by https alone.
    this.#buy = fetchWithPayment(this.client, { key, most: 4, budget, kept: keptIn(folder), loopback: true });
  }

  async forecast(shop, place) {
    const answer = await this.#buy(`${shop}/forecast/${encodeURIComponent(place)}`);
    return (await answer.json()).tomorrow;
  }

  /** Buys as long as its Tokens last. What it has is all that it can spend: that is its owner's limit. */
  async travel(shop, places) {
    const forecasts = [];
    for (const place of places) {
      try {
        forecasts.push({ place, tomorrow: await this.forecast(shop, place) });
      } catch (error) {
        const isUsedUp = error.refusal === 'INSUFFICIENT_BALANCE' || /too little is left/.test(error.message);
        if (!isUsedUp) throw error;
        break;
      }
    }
    return forecasts;
  }

  /** Gives back what is left, also of a lease. */
  async giveBack(owner, shop) {
    await this.#buy.close(shop);
    const { balance } = await this.client.wallets.get(this.client.did);
    if (balance > 0) await this.client.wallets.transfer({ to: owner, amount: balance }, { most: balance });
    return balance;
  }
}
