/** Makes payments: each is kept before it is sent, and proven afterwards. */
import { paymentBounds } from '../../../src/core/bounds.js';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import {
  ApiError,
  type Client,
  type HeldKey,
  type Outbox,
  type SignedEntry,
  type SignedWrite,
} from '../../client/src/index.js';
import { PaymentRefused, PaymentUnanswered, PriceOver } from './errors.js';
import type { KeptPayment, KeptPayments } from './kept.js';
import type { PaymentProof } from './messages.js';
import { placeIn, violationInSigned } from './proof.js';

export interface PayingWallet {
  /** Signs the payments, from its wallet at the client's home. */
  readonly key: HeldKey;
  readonly kept: KeptPayments;
  /** DID of the home, and the network, that `key` signs for; without it, those of the client's node. */
  readonly home?: string;
  readonly network?: string;
}

/** A payment that is not signed yet. */
export type BegunPayment = Omit<KeptPayment, 'write'>;

export class Payer {
  #place: Pick<PayingWallet, 'home' | 'network'>;
  /** The end of the last work with each id. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(
    readonly client: Client,
    readonly options: PayingWallet,
  ) {
    this.#place = options;
  }

  inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work, work);
    this.#turns.set(id, turn);
    const end = () => this.#turns.get(id) === turn && this.#turns.delete(id);
    turn.then(end, end);
    return turn;
  }

  async signer(outbox?: Outbox): Promise<Client> {
    return this.client.as({ key: this.options.key, ...(outbox && { outbox }), ...(await this.place()) });
  }

  /** What this side says, never the seller: read once, because it does not change. */
  async place(): Promise<{ readonly home: string; readonly network: string }> {
    const { home, network } = this.#place;
    if (home !== undefined && network !== undefined) return { home, network };
    const node = await this.client.node.status();
    const place = { home: home ?? node.home, network: network ?? node.network };
    this.#place = place;
    return place;
  }

  /**
   * Takes up from a kept payment: sends it again, unless it is proven. @param isForEver no other is made once it is
   * @returns undefined if another one may be made
   */
  async paidAgain(found: KeptPayment, isForEver: boolean): Promise<KeptPayment | undefined> {
    const { servedMs, skewMs } = paymentBounds;
    const now = realEnvironment.now();
    // After that time no seller serves it.
    if (found.proof) return isForEver || found.proof.payload.entry.time > now - servedMs ? found : undefined;
    try {
      return await this.settled(found, (payer) => payer.events.submit(found.write));
    } catch (error) {
      // Until then, what was refused can still take effect.
      if (error instanceof PaymentUnanswered || found.write.event.until! > now - skewMs) throw error;
      return undefined;
    }
  }

  /** Makes a payment and proves it. */
  async settled(...payment: Parameters<Payer['made']>): Promise<KeptPayment> {
    return this.proven(await this.made(...payment));
  }

  /**
   * Makes a payment, which is kept before it is sent. Rejects with PaymentUnanswered if it may have taken effect, with PriceOver if
   * `until` is over and nothing is sent, otherwise with the error of the node.
   */
  async made(
    begun: BegunPayment & Partial<Pick<KeptPayment, 'write'>>,
    pay: (payer: Client) => Promise<unknown>,
    until = Number.POSITIVE_INFINITY,
  ): Promise<KeptPayment> {
    const { kept } = this.options;
    const over = () => (realEnvironment.now() > until ? new PriceOver('the price is over') : undefined);
    let payment = begun.write && (begun as KeptPayment);
    let isRefused = false;
    const outbox: Outbox = {
      async put(write) {
        const late = over();
        if (late) throw late;
        const isNew = payment === undefined;
        payment = { ...begun, write };
        isRefused = false;
        if (!isNew) return kept.replace(payment);
        if (await kept.add(payment)) return;
        payment = undefined;
        throw new PaymentRefused('another program pays for this call: try again');
      },
      async drop() {
        isRefused = true;
      },
    };
    const payer = await this.signer(outbox);
    try {
      await pay(payer);
    } catch (error) {
      const isPaid = error instanceof ApiError && error.problem?.committed === true;
      if (!isPaid && payment && !isRefused)
        throw new PaymentUnanswered('whether the payment was made is unknown', payment, { cause: error });
      if (!isPaid) {
        if (payment) await kept.refused(payment);
        throw (!payment && error instanceof ApiError && over()) || error;
      }
    }
    return payment!;
  }

  async proven(payment: KeptPayment): Promise<KeptPayment> {
    const proven = { ...payment, proof: await this.#proof(payment) };
    await this.options.kept.replace(proven);
    return proven;
  }

  async #proof(payment: KeptPayment): Promise<PaymentProof> {
    const { terms, secret, write, lease } = payment;
    try {
      const { entry, checkpoint } = await entryOf(write, await this.signer());
      const violation = violationInSigned({ entry, checkpoint }, placeIn(terms));
      if (violation || entry.event.hash !== write.event.hash)
        throw new PaymentRefused(`the node shows no such payment: ${violation ?? 'it is another event'}`);
      return { x402Version: 2, accepted: terms, payload: { entry, checkpoint, secret, ...(lease && { lease }) } };
    } catch (error) {
      throw new PaymentUnanswered('the payment is made, and its proof could not be read', payment, { cause: error });
    }
  }
}

/** The entry of a payment, which may not have its place in the journal yet. */
async function entryOf({ event }: SignedWrite, payer: Client): Promise<SignedEntry> {
  for (let read = 1; ; read++) {
    try {
      return await payer.events.signed(event.hash);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404 || read === paymentBounds.entryReads) throw error;
      await pause(realEnvironment, paymentBounds.betweenReadsMs);
    }
  }
}
