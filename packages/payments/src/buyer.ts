/** Pays for calls of HTTP APIs that ask for it: once for each call, whatever happens (docs/payments.md#pay-for-an-api). */
import { paymentBounds } from '../../../src/core/bounds.js';
import { canonical, sha256Hex } from '../../../src/core/canonical.js';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import type { Client } from '../../client/src/index.js';
import { LeaseUnsuitable, PaymentRefused, PaymentUnanswered, PriceOver } from './errors.js';
import { HostLeases } from './host-leases.js';
import type { KeptPayment } from './kept.js';
import {
  type BoundRequest,
  bodyHashOf,
  commitmentOf,
  decoded,
  encoded,
  networkIn,
  networkName,
  type PaymentRequired,
  type PaymentSettled,
  type PaymentTerms,
  proofHeader,
  requiredHeader,
  settledHeader,
} from './messages.js';
import { Payer, type PayingWallet } from './payer.js';

export interface PayingOptions extends PayingWallet {
  /** Tokens that one call may cost. */
  readonly most: number;
  /** Tokens that all leases with one host together may cost and hold; without it, calls are paid by transfer alone. */
  readonly budget?: number | undefined;
  /** The only hosts that are called, each as in a URL: `weather.example`. Without it, all. */
  readonly hosts?: readonly string[];
  /** Also calls `http` on this machine: for tests. */
  readonly loopback?: boolean;
  /** Sends the calls; default the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface PaidCall {
  /**
   * Says which calls are the same one: with it, a call pays once for ever. Without it, the same method, URL and body are the
   * same call until an answer is there.
   */
  readonly identifier?: string;
  /** In place of that of the options. */
  readonly most?: number;
}

/** `fetch` that pays. A body is a text or bytes; redirects are not followed. */
export interface PayingFetch {
  (url: string | URL, init?: RequestInit, call?: PaidCall): Promise<Response>;
  /** What the call would cost now, if it has to be paid and can be. */
  offer(url: string | URL, init?: RequestInit): Promise<PaymentTerms | undefined>;
  /** Ends the lease that pays the calls of this host. @returns Tokens that came back, of all that it held */
  close(url: string | URL): Promise<number>;
}

interface CallInProgress extends BoundRequest {
  readonly id: string;
  readonly most: number;
  readonly isNamed: boolean;
  readonly init: RequestInit;
}

/** @param client of a node at the home where sellers are paid */
export function fetchWithPayment(client: Client, options: PayingOptions): PayingFetch {
  const buyer = new Buyer(client, options);
  return Object.assign(
    async (url: string | URL, init?: RequestInit, call?: PaidCall) => buyer.fetch(buyer.callOf(url, init, call)),
    {
      offer: async (url: string | URL, init?: RequestInit) => buyer.offer(buyer.callOf(url, init)),
      close: async (url: string | URL) => buyer.leases.close(buyer.callOf(url)),
    },
  );
}

class Buyer {
  readonly #payer: Payer;
  readonly leases: HostLeases;

  constructor(
    client: Client,
    private readonly options: PayingOptions,
  ) {
    this.#payer = new Payer(client, options);
    this.leases = new HostLeases(this.#payer, options.budget);
  }

  /** @throws PaymentRefused if it may not be paid for */
  callOf(asked: string | URL, init: RequestInit = {}, { identifier, most = this.options.most }: PaidCall = {}) {
    const url = new URL(asked);
    url.hash = '';
    // A question mark without a query is not sent.
    if (url.search === '') url.search = '';
    if (!(Number.isSafeInteger(most) && most >= 0)) throw new PaymentRefused('most is a whole number of Tokens');
    const { hosts, budget = 1, loopback = false } = this.options;
    if (!(Number.isSafeInteger(budget) && budget >= 1))
      throw new PaymentRefused('budget is a whole number of Tokens above 0');
    const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
    const isAllowed = url.protocol === 'https:' ? !isLocal || loopback : isLocal && loopback;
    if (!isAllowed || url.username + url.password !== '')
      throw new PaymentRefused(`${url.origin} is not paid: only https is, without a password in the URL`);
    if (hosts && !hosts.includes(url.host))
      throw new PaymentRefused(`${url.host} is not among the hosts that may be paid`);
    const { body = '', method = 'GET' } = init;
    if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new PaymentRefused('the body of a call that is paid is a text or bytes');
    const bound = { method: method.toUpperCase(), url: url.href, bodyHash: bodyHashOf(body ?? '') };
    const id = sha256Hex(canonical({ ...bound, identifier: identifier ?? null }));
    return { ...bound, id, most, isNamed: identifier !== undefined, init };
  }

  async offer(call: CallInProgress): Promise<PaymentTerms | undefined> {
    const { status, headers } = await this.#send(call);
    return status === 402 ? this.#termsIn(headers, call) : undefined;
  }

  /** Calls with one id take turns: each either is answered, or leaves its payment for the next. */
  fetch(call: CallInProgress): Promise<Response> {
    return this.#payer.inTurn(call.id, () => this.#answered(call));
  }

  async #answered(call: CallInProgress, asked = 1, unsuitable?: LeaseUnsuitable): Promise<Response> {
    const found = await this.options.kept.get(call.id);
    if (found?.isAnswered)
      throw new PaymentUnanswered('this call was paid and answered: another one needs another identifier', found);
    const paid = found && (await this.#payer.paidAgain(found, call.isNamed));
    if (paid) return this.#redeemed(call, paid);
    const first = await this.#send(call);
    const until = realEnvironment.now() + paymentBounds.secondsToPay * 1_000;
    if (first.status !== 402 || !first.headers.has(requiredHeader)) return first;
    await first.body?.cancel();
    let payment: KeptPayment;
    try {
      payment = await this.#paid(call, await this.#termsIn(first.headers, call, unsuitable), found, until);
    } catch (error) {
      if (error instanceof LeaseUnsuitable && !unsuitable) return this.#answered(call, asked, error);
      if (!(error instanceof PriceOver) || asked === paymentBounds.pricesAsked || call.init.signal?.aborted)
        throw error;
      return this.#answered(call, asked + 1, unsuitable);
    }
    return this.#redeemed(call, payment);
  }

  /** @throws PaymentRefused if there are none that this buyer can pay, and pays @param unsuitable why not by lease */
  async #termsIn(headers: Headers, { url, most }: CallInProgress, unsuitable?: LeaseUnsuitable): Promise<PaymentTerms> {
    const text = headers.get(requiredHeader) ?? '';
    if (text.length > paymentBounds.requiredCharacters)
      throw new PaymentRefused(`what the seller asks for ${url} is too long`);
    const required = decoded(text, paymentBounds.requiredCharacters) as Partial<PaymentRequired> | undefined;
    const { x402Version, accepts, resource } = required ?? {};
    if (resource?.url !== url)
      throw new PaymentRefused(`${url} is not what the seller sells: it says ${resource?.url}`);
    const all = x402Version === 2 && Array.isArray(accepts) ? (accepts as readonly PaymentTerms[]) : [];
    const { home, network } = await this.#payer.place();
    const here = all.filter((each) => isPayable(each) && each.extra.home === home && networkIn(each) === network);
    if (here.length === 0) throw new PaymentRefused(`${url} has to be paid, and not with Tokens of the home ${home}`);
    const mayLease = this.options.budget !== undefined && !unsuitable;
    const [terms] = here
      .filter(({ extra }) => extra.by === 'transfer' || mayLease)
      .sort((one, other) => Number(one.amount) - Number(other.amount) || (one.extra.by === 'lease' ? -1 : 1));
    if (!terms)
      throw unsuitable ?? new PaymentRefused(`${url} is paid by a lease alone, and there is no budget for one`);
    if (!(Number(terms.amount) <= most))
      throw new PaymentRefused(`${url} costs ${terms.amount}, and at most ${most} are paid`);
    return terms;
  }

  /** @param before a payment of this call that can't take effect any more @param until when the price is over */
  async #paid(
    call: CallInProgress,
    terms: PaymentTerms,
    before: KeptPayment | undefined,
    until: number,
  ): Promise<KeptPayment> {
    const { extra } = terms;
    const secret = Buffer.from(realEnvironment.random(32)).toString('base64url');
    const amount = Number(terms.amount);
    const memo = commitmentOf(call, extra.challenge, secret);
    const begun = { id: call.id, turn: (before?.turn ?? 0) + 1, terms, secret };
    const payment = await (extra.by === 'lease'
      ? this.leases.charged(call, begun, { resource: memo, listing: extra.listing, until })
      : this.#payer.settled(
          begun,
          (payer) => payer.wallets.transfer({ to: terms.payTo, amount, memo }, { most: amount, until }),
          until,
        ));
    if (before) await this.options.kept.drop(before);
    return payment;
  }

  /** Shows the proof until there is an answer. */
  async #redeemed(call: CallInProgress, payment: KeptPayment): Promise<Response> {
    const { proofsSent, betweenProofsMs } = paymentBounds;
    const header = encoded(payment.proof!);
    for (let sent = 1; ; sent++) {
      let failure: unknown;
      try {
        const answer = await this.#send(call, header, wholeOf);
        if (answer.status < 500 && isAnswerTo(payment, answer)) {
          if (call.isNamed) await this.options.kept.replace({ ...payment, isAnswered: true });
          else await this.options.kept.drop(payment);
          return answer;
        }
        const { error = 'without a reason' } = decoded(answer.headers.get(requiredHeader) ?? '') ?? {};
        failure = new PaymentRefused(`the answer to the payment is ${answer.status}: ${error}`);
        if (answer.status < 500 && answer.status !== 429)
          throw new PaymentUnanswered('the seller does not take the payment', payment, { cause: failure });
      } catch (error) {
        if (error instanceof PaymentUnanswered) throw error;
        failure = error;
      }
      if (sent === proofsSent || call.init.signal?.aborted)
        throw new PaymentUnanswered('the call is paid and has no answer', payment, { cause: failure });
      await pause(realEnvironment, sent * betweenProofsMs);
    }
  }

  /** @param read what else has to happen in time */
  async #send(
    { method, url, init }: CallInProgress,
    proof?: string,
    read: (response: Response) => Response | Promise<Response> = (response) => response,
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.delete(proofHeader);
    if (proof !== undefined) headers.set(proofHeader, proof);
    const over = new AbortController();
    const late = realEnvironment.after(paymentBounds.answerMs, () => over.abort());
    const signal = init.signal ? AbortSignal.any([init.signal, over.signal]) : over.signal;
    try {
      const send = this.options.fetch ?? fetch;
      return await read(await send(url, { ...init, method, headers, signal, redirect: 'manual' }));
    } finally {
      late.cancel();
    }
  }
}

/** Whether the seller says that it answers for this payment: a proxy, a cache or another part of the server may answer instead. */
function isAnswerTo({ write }: KeptPayment, { headers }: Response): boolean {
  const { success, transaction } = (decoded(headers.get(settledHeader) ?? '') ?? {}) as Partial<PaymentSettled>;
  return success === true && transaction === write.event.hash;
}

const isPayable = (terms: PaymentTerms): boolean => {
  const { scheme, asset, amount, payTo, maxTimeoutSeconds, network, extra } = terms ?? {};
  return (
    scheme === 'exact' &&
    asset === 'TOKEN' &&
    /^[1-9]\d{0,14}$/.test(amount) &&
    /^did:svc:z6Mk/.test(payTo) &&
    maxTimeoutSeconds >= paymentBounds.secondsToPay &&
    maxTimeoutSeconds <= 600 &&
    (extra?.by === 'transfer' || (extra?.by === 'lease' && typeof extra.listing === 'string')) &&
    typeof extra.challenge === 'string' &&
    typeof extra.home === 'string' &&
    network === networkName(networkIn(terms), extra.home)
  );
};

/** The answer with its whole body: one that breaks off is none. */
async function wholeOf(response: Response): Promise<Response> {
  const { status, statusText, headers: received } = response;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > paymentBounds.answerBytes) throw new PaymentRefused('the answer is too long');
    chunks.push(chunk);
  }
  const headers = new Headers(received);
  // The body is decoded already.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : new Blob(chunks), { status, statusText, headers });
}
