/** The messages of HTTP payments (docs/payments.md#messages), in the forms of x402, version 2. */
import { createHash } from 'node:crypto';
import { paymentBounds } from '../../../src/core/bounds.js';
import { canonical } from '../../../src/core/canonical.js';
import type { SignedEntry } from '../../client/src/index.js';

export const requiredHeader = 'PAYMENT-REQUIRED';
export const proofHeader = 'PAYMENT-SIGNATURE';
export const settledHeader = 'PAYMENT-RESPONSE';

/** By lease: `listing` is the capability of the seller that is leased. */
export type PaymentWay = { readonly by: 'transfer' } | { readonly by: 'lease'; readonly listing: string };

/** How a call may be paid, as the seller states it. The buyer sends it back unchanged. */
export interface PaymentTerms {
  readonly scheme: 'exact';
  /** `svc:<network>-<first characters of the home's key>`. */
  readonly network: string;
  readonly asset: 'TOKEN';
  /** Tokens, as text. */
  readonly amount: string;
  /** DID of the seller. */
  readonly payTo: string;
  /** How long after the challenge was made the payment may be in the journal. */
  readonly maxTimeoutSeconds: number;
  readonly extra: PaymentWay & {
    /** DID of the home where the seller is paid. */
    readonly home: string;
    /** Of that home's API. */
    readonly url?: string;
    readonly challenge: string;
  };
}

export interface PaidResource {
  readonly url: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** What `PAYMENT-REQUIRED` says with status 402. */
export interface PaymentRequired {
  readonly x402Version: 2;
  readonly error?: string;
  readonly resource: PaidResource;
  readonly accepts: readonly PaymentTerms[];
}

/**
 * What `PAYMENT-SIGNATURE` says: the payment as it stands in the journal of the home, the secret that goes with it, and the
 * beginning of the lease that pays.
 */
export interface PaymentProof {
  readonly x402Version: 2;
  readonly accepted: PaymentTerms;
  readonly payload: SignedEntry & { readonly secret: string; readonly lease?: SignedEntry };
}

/** What `PAYMENT-RESPONSE` says. */
export interface PaymentSettled {
  readonly success: boolean;
  readonly errorReason?: string;
  readonly payer?: string;
  /** Hash of the event that paid; empty without one. */
  readonly transaction: string;
  readonly network: string;
}

/** A request as a payment is bound to it. */
export interface BoundRequest {
  readonly method: string;
  /** With query, without fragment. */
  readonly url: string;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
}

export const bodyHashOf = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('hex');

/** @param network of the node: devnet, testnet or mainnet */
export const networkName = (network: string, home: string): string =>
  `svc:${network}-${home.slice('did:svc:z6Mk'.length).slice(0, 8)}`;

export const networkIn = ({ network }: PaymentTerms): string => /^svc:([a-z]+)-/.exec(network)?.[1] ?? '';

/**
 * What the payment says of the request that it is for. Only its buyer, who knows the secret, can show what it stands for,
 * and it is for the URL that the buyer has asked, whatever the seller says of it.
 */
export function commitmentOf({ method, url, bodyHash }: BoundRequest, challenge: string, secret: string): string {
  const text = canonical({ bodyHash, challenge, method, secret, url });
  return `svc-payment:${createHash('sha256').update(`svc:payment:v1:${text}`).digest('base64url')}`;
}

export const encoded = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64');

/** Of a header; undefined if it is not the base64 form of a JSON object. */
export function decoded(
  text: string,
  most: number = paymentBounds.headerCharacters,
): { readonly [name: string]: unknown } | undefined {
  if (text.length > most || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as { readonly [name: string]: unknown }) : undefined;
  } catch {
    return undefined;
  }
}
