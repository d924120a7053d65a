/** Pays for calls of HTTP APIs that ask for it: once for each call, whatever happens (docs/payments.md#pay-for-an-api). */
import { createHash } from 'node:crypto';
import { paymentBounds } from '../../../src/core/bounds.js';
import { canonical } from '../../../src/core/canonical.js';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import {
  ApiError,
  type Client,
  type HeldKey,
  type Outbox,
  type SignedEntry,
  type SignedWrite,
} from '../../client/src/index.js';
import { PaymentRefused, PaymentUnanswered } from './errors.js';
import type { KeptPayment, KeptPayments } from './kept.js';
import {
  type BoundRequest,
  bodyHashOf,
  commitmentOf,
  decoded,
  encoded,
  networkIn,
  networkName,
  type PaymentProof,
  type PaymentRequired,
  type PaymentSettled,
  type PaymentTerms,
  proofHeader,
  requiredHeader,
  settledHeader,
} from './messages.js';
import { placeIn, violationInSigned } from './proof.js';

export interface PayingOptions {
  /** Signs the payments, from its wallet at the client's home. */
  readonly key: HeldKey;
  /** Tokens that one call may cost. */
  readonly most: number;
  readonly kept: KeptPayments;
  /** The only hosts that are called, each as in a URL: `weather.example`. Without it, all. */
  readonly hosts?: readonly string[];
  /** DID of the home, and the network, that `key` signs for; without it, those of the client's node. */
  readonly home?: string;
  readonly network?: string;
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
    { offer: async (url: string | URL, init?: RequestInit) => buyer.offer(buyer.callOf(url, init)) },
  );
}

class Buyer {
  /** The end of the last call with each id. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly client: Client,
    private readonly options: PayingOptions,
  ) {}

  /** @throws PaymentRefused if it may not be paid for */
  callOf(asked: string | URL, init: RequestInit = {}, { identifier, most = this.options.most }: PaidCall = {}) {
    const url = new URL(asked);
    url.hash = '';
    // A question mark without a query is not sent.
    if (url.search === '') url.search = '';
    if (!(Number.isSafeInteger(most) && most >= 0)) throw new PaymentRefused('most is a whole number of Tokens');
    const { hosts, loopback = false } = this.options;
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
    const id = createHash('sha256')
      .update(canonical({ ...bound, identifier: identifier ?? null }))
      .digest('hex');
    return { ...bound, id, most, isNamed: identifier !== undefined, init };
  }

  async offer(call: CallInProgress): Promise<PaymentTerms | undefined> {
    const { status, headers } = await this.#send(call);
    return status === 402 ? this.#termsIn(headers, call) : undefined;
  }

  /** Calls with one id take turns: each either is answered, or leaves its payment for the next. */
  fetch(call: CallInProgress): Promise<Response> {
    const run = () => this.#answered(call);
    const turn = (this.#turns.get(call.id) ?? Promise.resolve()).then(run, run);
    this.#turns.set(call.id, turn);
    const end = () => this.#turns.get(call.id) === turn && this.#turns.delete(call.id);
    turn.then(end, end);
    return turn;
  }

  async #answered(call: CallInProgress): Promise<Response> {
    const found = await this.options.kept.get(call.id);
    if (found?.isAnswered)
      throw new PaymentUnanswered('this call was paid and answered: another one needs another identifier', found);
    const paid = found && (await this.#paidAgain(call, found));
    if (paid) return this.#redeemed(call, paid);
    const first = await this.#send(call);
    if (first.status !== 402 || !first.headers.has(requiredHeader)) return first;
    await first.body?.cancel();
    return this.#redeemed(call, await this.#paid(call, await this.#termsIn(first.headers, call), found));
  }

  /** @throws PaymentRefused if there are none that this buyer can pay, and pays */
  async #termsIn(headers: Headers, { url, most }: CallInProgress): Promise<PaymentTerms> {
    const text = headers.get(requiredHeader) ?? '';
    const required = decoded(text, paymentBounds.requiredCharacters) as Partial<PaymentRequired> | undefined;
    const { x402Version, accepts, resource } = required ?? {};
    if (resource?.url !== url)
      throw new PaymentRefused(`${url} is not what the seller sells: it says ${resource?.url}`);
    const all = x402Version === 2 && Array.isArray(accepts) ? (accepts as readonly PaymentTerms[]) : [];
    const payable = all.filter(isPayable).sort((one, other) => Number(one.amount) - Number(other.amount));
    const { home, network } = await this.#place();
    const terms = payable.find((each) => each.extra.home === home && networkIn(each) === network);
    if (!terms) throw new PaymentRefused(`${url} has to be paid, and not with Tokens of the home ${home}`);
    if (!(Number(terms.amount) <= most))
      throw new PaymentRefused(`${url} costs ${terms.amount}, and at most ${most} are paid`);
    return terms;
  }

  /** What this side says, never the seller. */
  async #place(): Promise<{ readonly home: string; readonly network: string }> {
    const { home, network } = this.options;
    if (home !== undefined && network !== undefined) return { home, network };
    const node = await this.client.node.status();
    return { home: home ?? node.home, network: network ?? node.network };
  }

  /** @param before a payment of this call that can't take effect any more */
  async #paid(call: CallInProgress, terms: PaymentTerms, before: KeptPayment | undefined): Promise<KeptPayment> {
    const secret = Buffer.from(realEnvironment.random(32)).toString('base64url');
    const amount = Number(terms.amount);
    const memo = commitmentOf(call, terms.extra.challenge, secret);
    const begun = { id: call.id, turn: (before?.turn ?? 0) + 1, terms, secret };
    const payment = await this.#settled(begun, (payer) =>
      payer.wallets.transfer({ to: terms.payTo, amount, memo }, { most: amount }),
    );
    if (before) await this.options.kept.drop(before);
    return payment;
  }

  /** Takes up from a kept payment: sends it again, unless it is proven. @returns undefined if another one may be made */
  async #paidAgain(call: CallInProgress, found: KeptPayment): Promise<KeptPayment | undefined> {
    const { servedMs, skewMs } = paymentBounds;
    const now = realEnvironment.now();
    // After that time no seller serves it.
    if (found.proof) return call.isNamed || found.proof.payload.entry.time > now - servedMs ? found : undefined;
    try {
      return await this.#settled(found, (payer) => payer.events.submit(found.write));
    } catch (error) {
      // Until then, what was refused can still take effect.
      if (error instanceof PaymentUnanswered || found.write.event.until! > now - skewMs) throw error;
      return undefined;
    }
  }

  /**
   * Makes a payment, which is kept before it is sent, and proves it. Rejects with PaymentUnanswered if it may have taken effect,
   * otherwise with the error of the node.
   */
  async #settled(
    begun: Omit<KeptPayment, 'write'> & Partial<Pick<KeptPayment, 'write'>>,
    pay: (payer: Client) => Promise<unknown>,
  ): Promise<KeptPayment> {
    const { kept, key } = this.options;
    let payment = begun.write && (begun as KeptPayment);
    let isRefused = false;
    const outbox: Outbox = {
      async put(write) {
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
    const payer = this.client.as({ key, outbox, ...(await this.#place()) });
    try {
      await pay(payer);
    } catch (error) {
      const isPaid = error instanceof ApiError && error.problem?.committed === true;
      if (!isPaid && payment && !isRefused)
        throw new PaymentUnanswered('whether the payment was made is unknown', payment, { cause: error });
      if (!isPaid) throw error;
    }
    const proven = { ...payment!, proof: await this.#proof(payment!, payer) };
    await kept.replace(proven);
    return proven;
  }

  async #proof(payment: KeptPayment, payer: Client): Promise<PaymentProof> {
    const { terms, secret, write } = payment;
    try {
      const { entry, checkpoint } = await entryOf(write, payer);
      const violation = violationInSigned({ entry, checkpoint }, placeIn(terms));
      if (violation || entry.event.hash !== write.event.hash)
        throw new PaymentRefused(`the node shows no such payment: ${violation ?? 'it is another event'}`);
      return { x402Version: 2, accepted: terms, payload: { entry, checkpoint, secret } };
    } catch (error) {
      throw new PaymentUnanswered('the payment is made, and its proof could not be read', payment, { cause: error });
    }
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
    extra?.by === 'transfer' &&
    typeof extra.challenge === 'string' &&
    typeof extra.home === 'string' &&
    network === networkName(networkIn(terms), extra.home)
  );
};

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
