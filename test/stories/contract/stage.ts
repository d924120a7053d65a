/** The parties of a contract on a real node, and their requests over HTTP. */
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import type { Body, Client, Reply } from '../../node/support/client.js';
import type { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';

export const base = '/api/v1/contracts';

export interface Cast {
  readonly client: Person;
  readonly provider: Person;
  readonly arbiter: Person;
  readonly stranger: Person;
}

export async function castOf(node: TestNode): Promise<Cast> {
  const [client, stranger] = [await node.rich(10_000), await node.rich(10)];
  const [provider, arbiter] = [await node.person(), await node.person()];
  return { client, provider, arbiter, stranger };
}

export const stages = [
  { id: 'one', title: 'One', amount: 30 },
  { id: 'two', title: 'Two', amount: 50 },
];

/** A contract of 100 Tokens with milestones of 30 and 50, unless `more` says otherwise. */
export class Deal {
  private constructor(
    readonly node: TestNode,
    readonly cast: Cast,
    readonly id: string,
  ) {}

  static async draft(node: TestNode, cast: Cast, more: Body = {}): Promise<Deal> {
    const { terms, ...rest } = more;
    const body = {
      provider: cast.provider.did,
      terms: { arbiter: cast.arbiter.did, ...terms },
      payment: { totalAmount: 100 },
      milestones: stages,
      ...rest,
    };
    const { contractId } = expectStatus(await cast.client.write(base, body), 201);
    return new Deal(node, cast, contractId);
  }

  static async active(node: TestNode, cast: Cast, more: Body = {}): Promise<Deal> {
    const deal = await Deal.draft(node, cast, more);
    await deal.does('client', 'sign');
    await deal.does('provider', 'sign');
    await deal.does('client', 'activate', { amount: 100 });
    return deal;
  }

  static async disputed(node: TestNode, cast: Cast, more: Body = {}): Promise<Deal> {
    const deal = await Deal.active(node, cast, more);
    await deal.does('client', 'dispute', { reason: 'quality' });
    return deal;
  }

  ask(who: keyof Cast, action: string, body: Body = {}): Promise<Reply> {
    return this.cast[who].write(`${base}/${this.id}/actions/${action}`, body);
  }

  async does(who: keyof Cast, action: string, body: Body = {}): Promise<Body> {
    return expectStatus(await this.ask(who, action, body));
  }

  on(who: keyof Cast, milestoneId: string, action: string, body: Body = {}): Promise<Reply> {
    return this.cast[who].write(`${base}/${this.id}/milestones/${milestoneId}/actions/${action}`, body);
  }

  async steps(milestoneId: string, ...actions: string[]): Promise<void> {
    for (const action of actions) {
      expectStatus(await this.on(action === 'submit' ? 'provider' : 'client', milestoneId, action));
    }
  }

  /** Read as the client, because others see the public part only. */
  async view(): Promise<Body> {
    return expectStatus(await (await this.reader()).get(`${base}/${this.id}`));
  }

  reader(): Promise<Client> {
    return this.node.keyed({ did: this.cast.client.did });
  }

  /** Where the 100 Tokens went at the end: according to the contract, its escrow and both wallets. */
  async expectPaid(paid: number, refunded: number): Promise<void> {
    const view = await this.view();
    expect(view).to.include({ released: paid, refunded, remaining: 100 - paid - refunded, amount: 100 });
    const escrow = expectStatus(await this.node.client.get(`/api/v1/escrows/${view.escrowId}`));
    expect(escrow).to.include({ released: paid, refunded, remaining: 100 - paid - refunded });
  }
}

/** The balances of both, to compare before and after. */
export async function wallets({ client, provider }: Cast): Promise<readonly [client: number, provider: number]> {
  return [(await client.wallet()).balance, (await provider.wallet()).balance];
}
