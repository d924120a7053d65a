/** Pays the calls of one host from a lease: its budget is in escrow, and what is not used comes back (docs/payments.md#by-lease). */
import { paymentBounds } from '../../../src/core/bounds.js';
import { canonical, sha256Hex } from '../../../src/core/canonical.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { ApiError, type Lease } from '../../client/src/index.js';
import { LeaseUnsuitable, PaymentRefused, PaymentUnanswered, PriceOver } from './errors.js';
import type { KeptPayment } from './kept.js';
import type { BoundRequest, PaymentTerms } from './messages.js';
import type { BegunPayment, Payer } from './payer.js';

export class HostLeases {
  constructor(
    private readonly payer: Payer,
    private readonly budget = 0,
  ) {}

  /** Charges the lease with a call. @param resource what it says that it is for @param until when its price is over */
  async charged(
    request: BoundRequest,
    begun: BegunPayment,
    { resource, listing, until }: { readonly resource: string; readonly listing: string; readonly until: number },
  ): Promise<KeptPayment> {
    const { terms } = begun;
    const made = await this.#withLease(request, async (id) => {
      // Other calls have had their turns before.
      if (realEnvironment.now() > until) throw new PriceOver('the price is over');
      const { lease, units } = await this.#leaseFor(id, terms, listing).catch(unsuitable);
      const { entry, checkpoint } = lease.proof!.payload;
      return this.payer.made(
        { ...begun, lease: { entry, checkpoint } },
        (payer) =>
          payer.leases.invoke(lease.write.payload.id, { resource, units, cost: Number(terms.amount) }, { until }),
        until,
      );
    });
    return this.payer.proven(made);
  }

  /** Sends no lease that is only kept: it is made by now, or refused. */
  close(request: BoundRequest): Promise<number> {
    return this.#withLease(request, async (id) => {
      const kept = await this.payer.options.kept.get(id);
      const view = kept && (await this.payer.client.leases.get(kept.write.payload.id).catch(unlessMade));
      return view && isRunning(view) ? (await this.#ended(view)).refunded : 0;
    });
  }

  /** One at a time: each sees what is left. @param work gets the id under which the lease is kept */
  async #withLease<T>({ url }: BoundRequest, work: (id: string) => Promise<T>): Promise<T> {
    const lessee = this.payer.options.key.did;
    const id = sha256Hex(canonical({ leaseWith: new URL(url).origin, lessee, ...(await this.payer.place()) }));
    return this.payer.inTurn(id, () =>
      work(id).catch((error: unknown) => {
        // Its payment is the lease: a caller that gives up a call must not drop it.
        if (!(error instanceof PaymentUnanswered && error.payment.id === id)) throw error;
        throw new PaymentRefused('whether the lease was made is unknown: call again', { cause: error.cause });
      }),
    );
  }

  /** That which pays the call: a new one if the newest can't, and the budget allows it. */
  async #leaseFor(id: string, terms: PaymentTerms, listingId: string) {
    const amount = Number(terms.amount);
    const before = await this.payer.options.kept.get(id);
    const last = before && (await this.payer.paidAgain(before, true));
    const view = last && (await this.payer.client.leases.get(last.write.payload.id));
    if (view && view.listingId === listingId && isFit(view, terms))
      return { lease: last, units: amount / view.unitPrice };
    if (view?.status === 'paused') throw new PaymentRefused(`${view.id} is paused`);
    const price = await this.#priceOf(listingId, terms);
    const earlier = before?.spent ?? 0;
    this.#checkLeft(earlier + (view?.accrued ?? 0), amount);
    const spent = earlier + (view ? (await this.#ended(view)).accrued : 0);
    const left = this.#checkLeft(spent, amount);
    const plan = { type: 'pay_per_use', budget: left, maxUnitsPerCall: Math.floor(left / price) } as const;
    const begun = { id, turn: (before?.turn ?? 0) + 1, terms, secret: '', spent };
    const lease = await this.payer.settled(begun, (payer) =>
      payer.leases.create({ listingId, plan, expectedPrice: price }, { most: left }),
    );
    if (before) await this.payer.options.kept.drop(before);
    return { lease, units: amount / price };
  }

  /** @throws PaymentRefused if it is not the seller's, or the seller could charge calls that were not made */
  async #priceOf(listingId: string, { payTo, amount }: PaymentTerms): Promise<number> {
    const { seller, meteredBy, pricing } = await this.payer.client.markets.capabilities.get(listingId);
    const price = pricing.usagePrice?.pricePerUnit;
    if (!price || seller !== payTo || meteredBy === 'lessor' || Number(amount) % price !== 0)
      throw new LeaseUnsuitable(`a lease of ${listingId} does not pay ${amount} to ${payTo} for a call`);
    return price;
  }

  #checkLeft(spent: number, amount: number): number {
    const left = this.budget - spent;
    if (!(left >= amount))
      throw new PaymentRefused(`leases with this host have cost ${spent} of ${this.budget} Tokens: too little is left`);
    return left;
  }

  async #ended(view: Lease): Promise<Lease> {
    return isRunning(view) ? (await this.payer.signer()).leases.terminate(view.id) : view;
  }
}

const isRunning = ({ status }: Lease): boolean => status === 'active' || status === 'paused';

/** What the node refuses because of the listing. */
function unsuitable(error: unknown): never {
  const isOfListing =
    error instanceof ApiError && [404, 409, 422].includes(error.status) && error.nextNonce === undefined;
  throw isOfListing ? new LeaseUnsuitable(`no lease can be made: ${error.message}`, { cause: error }) : error;
}

function unlessMade(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

const isFit = ({ status, endsAt, lessor, remaining, unitPrice }: Lease, terms: PaymentTerms): boolean =>
  status === 'active' &&
  endsAt > realEnvironment.now() + paymentBounds.skewMs &&
  lessor === terms.payTo &&
  remaining >= Number(terms.amount) &&
  Number(terms.amount) % unitPrice === 0;
