/** Proofs of payments, made by hand, so that a test can make false ones. */
import { expect } from 'chai';
import type { HeldKey } from '../../../packages/client/src/index.js';
import type { PaymentProof, PaymentRequired } from '../../../packages/payments/src/index.js';
import {
  bodyHashOf,
  commitmentOf,
  decoded,
  encoded,
  proofHeader,
  requiredHeader,
} from '../../../packages/payments/src/messages.js';
import type { PaymentMarket } from './market.js';

export const requiredIn = (response: Response): PaymentRequired => {
  expect(response.status).to.equal(402);
  return decoded(response.headers.get(requiredHeader)!) as unknown as PaymentRequired;
};

export const show = (url: string, proof: object, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, headers: { ...(init.headers as object), [proofHeader]: encoded(proof) } });

/** What the seller says against a proof. */
export const refusalOf = async (url: string, proof: object, init?: RequestInit): Promise<string> =>
  requiredIn(await show(url, proof, init)).error!;

interface PaidByHand {
  readonly url: string;
  readonly key: HeldKey;
  /** Where the server of the URL is, if not there. */
  readonly via?: string;
  readonly method?: string;
  readonly body?: string;
  /** In place of what the seller asks for. */
  readonly to?: string;
  readonly amount?: number;
  readonly onward?: { readonly home: string; readonly to: string };
}

interface ChargedByHand extends Pick<PaidByHand, 'url' | 'key'> {
  /** In place of what the seller asks for. */
  readonly listing?: string;
  readonly endsAt?: number;
  readonly call?: { readonly units?: number; readonly cost?: number };
}

/** Pays by a new lease, as a seller asks. */
export async function chargedByHand(market: PaymentMarket, { url, key, listing, endsAt, call }: ChargedByHand) {
  const accepted = requiredIn(await fetch(url)).accepts.find(({ extra }) => extra.by === 'lease')!;
  const secret = 'a secret of the buyer';
  const bound = { method: 'GET', url: new URL(url).href, bodyHash: bodyHashOf('') };
  const resource = commitmentOf(bound, accepted.extra.challenge, secret);
  const payer = market.node.client.as({ key });
  const listingId = listing ?? (accepted.extra as { readonly listing: string }).listing;
  const { leaseId, eventHash } = await payer.leases.create({
    listingId,
    plan: { budget: 20, ...(endsAt && { endsAt }) },
  });
  const lease = await payer.events.signed(eventHash);
  const cost = Number(accepted.amount);
  const invoked = await payer.leases.invoke(leaseId, { resource, ...(call ?? { units: cost, cost }) });
  const { entry, checkpoint } = await payer.events.signed(invoked.eventHash);
  return { x402Version: 2, accepted, payload: { entry, checkpoint, secret, lease } } satisfies PaymentProof;
}

/** Pays as a seller asks. @returns the proof that it wants to see */
export async function paidByHand(
  market: PaymentMarket,
  { url, key, via = url, method = 'GET', body = '', ...more }: PaidByHand,
) {
  const init = body === '' ? { method } : { method, body };
  const { accepts } = requiredIn(await fetch(via, init));
  const accepted = accepts[0]!;
  const secret = 'a secret of the buyer';
  const bound = { method, url: new URL(url).href, bodyHash: bodyHashOf(body) };
  const memo = commitmentOf(bound, accepted.extra.challenge, secret);
  const { to = accepted.payTo, amount = Number(accepted.amount), onward } = more;
  const payer = market.node.client.as({ key });
  const { eventHash } = await payer.wallets.transfer({ to, amount, memo, ...(onward && { onward }) }, { most: amount });
  const { entry, checkpoint } = await payer.events.signed(eventHash);
  return { x402Version: 2, accepted, payload: { entry, checkpoint, secret } } satisfies PaymentProof;
}
