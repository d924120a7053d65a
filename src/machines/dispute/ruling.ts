/**
 * The rules for ending a dispute (docs/reference/contracts-and-disputes.md#resolution). The arbiter decides; both
 * parties may, by proposing the same; after 30 days the network's arbiter may, too, and after 60 days either party may
 * request the agreed fallback.
 */

import { dayMs } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';
import * as is from '../../core/schema/scalar.js';
import type { Movement } from '../kernel/definition.js';
import type { TransformerPort } from '../kernel/transformer.js';

/** Waiting times, counted from the opening of the dispute. */
export const networkMayRuleAfterMs = 30 * dayMs;
export const fallbackAfterMs = 60 * dayMs;

export const outcomes = ['release', 'refund', 'split', 'resume'] as const;
export type RulingOutcome = (typeof outcomes)[number];
export const fallbacks = ['refund', 'release', 'split'] as const;
export type Fallback = (typeof fallbacks)[number];

/** The member that a request transformer adds where the network has an arbiter. */
export const addsNetworkArbiter = {
  networkArbiter: is.optional(is.did, 'The arbiter of the network; absent: there is none.'),
};

/** The input with the network's arbiter, whatever it had before. */
export function setNetworkArbiter(
  { networkArbiter: _, ...input }: JsonObject,
  { networkArbiter }: Pick<TransformerPort, 'networkArbiter'>,
): JsonObject {
  return networkArbiter === undefined ? input : { ...input, networkArbiter };
}

/** The input of a party's or an arbiter's request for a ruling. */
const rulingFields = {
  resolution: is.described(
    is.oneOf(...outcomes, 'fallback'),
    'release: the rest to the provider; refund: to the client; split: according to the two amounts; resume: ' +
      'the contract continues; fallback: what was agreed for a dispute of 60 days.',
  ),
  clientRefund: is.optional(is.integer(0), 'split: Tokens for the client.'),
  providerPayment: is.optional(is.integer(0), 'split: Tokens for the provider. Both amounts must add up to the rest.'),
  note: is.optional(is.leaf(is.text(2_000)), 'Why; shown with the ruling, or with the proposal of a party.'),
};
const open = ['CONFLICT', 'UNPROCESSABLE'] as const;
const openWhileWaiting = ['FORBIDDEN', ...open] as const;
/** For an action of the disputed resource: its outcome depends on the dispute, and so do its refusals. */
export const ruledOn = {
  kind: 'dispute',
  // Only the network's arbiter has to wait, and how long depends on the dispute.
  open: (role: string) => (role === 'networkArbiter' ? openWhileWaiting : open),
} as const;

export const rulingInput = is.aliased(is.object(rulingFields), {
  decision: 'resolution',
  buyerRefund: 'clientRefund',
  sellerPayment: 'providerPayment',
});
export type RulingInput = is.TypeOf<typeof rulingInput>;

/** The distribution of the rest, to the Token. */
export interface Ruling {
  readonly outcome: RulingOutcome;
  readonly providerPayment: number;
  readonly clientRefund: number;
}

export interface Proposal extends Ruling {
  readonly note: Leaf | null;
}

type RulingArbiters = Pick<Disagreement, 'arbiter' | 'networkArbiter'>;
/** Arbiter roles, on the disputed resource and on the dispute. A DID that is both arbiters has the first role only. */
export const arbiters = {
  arbiter: ({ arbiter }: RulingArbiters) => (arbiter ? [arbiter] : []),
  networkArbiter: ({ arbiter, networkArbiter }: RulingArbiters) =>
    networkArbiter && networkArbiter !== arbiter ? [networkArbiter] : [],
};

/** Passed from the dispute's workflow to the disputed resource; without an outcome the resource continues. */
export interface Settling {
  readonly outcome?: RulingOutcome | undefined;
  readonly providerPayment?: number | undefined;
  readonly clientRefund?: number | undefined;
}

/** How a ruling divides what is in escrow. @param client the role of the client, which another kind calls otherwise */
export const ruledMoves = (client: string, provider: string): readonly Movement[] => [
  { amount: 'providerPayment', from: `${client}, escrowed`, to: `${provider}, available` },
  { amount: 'clientRefund', from: `${client}, escrowed`, to: `${client}, available` },
];

export const pays = ({ outcome }: Settling): boolean => outcome === 'release' || outcome === 'split';
export const givesBack = ({ outcome }: Settling): boolean => outcome === 'refund';

export interface Disagreement {
  readonly client: string;
  readonly provider: string;
  readonly arbiter: string | null;
  readonly networkArbiter: string | null;
  readonly fallback: Fallback;
  /** Tokens in dispute. */
  readonly rest: number;
  /** Whether the resource can continue. */
  readonly resumable: boolean;
  /** Epoch ms. */
  readonly openedAt: number;
  readonly proposals: { readonly client: Proposal | null; readonly provider: Proposal | null };
}

/** Half to each; the odd Token goes back to the client. */
const halves = (rest: number): Ruling => {
  const providerPayment = Math.floor(rest / 2);
  return { outcome: 'split', providerPayment, clientRefund: rest - providerPayment };
};

function plain(outcome: Fallback | 'resume', rest: number): Ruling {
  if (outcome === 'split') return halves(rest);
  return { outcome, providerPayment: outcome === 'release' ? rest : 0, clientRefund: outcome === 'refund' ? rest : 0 };
}

/** The agreed outcome of a dispute without a decision. */
export const fallbackOf = ({ fallback, rest }: Pick<Disagreement, 'fallback' | 'rest'>): Ruling =>
  plain(fallback, rest);

/**
 * The requested ruling in amounts; undefined if the amounts do not add up to the rest, or are not possible, or
 * contradict the requested outcome.
 */
export function rulingOf(disagreement: Disagreement, asked: RulingInput): Ruling | undefined {
  const { resolution, clientRefund, providerPayment } = asked;
  if (resolution === 'split') {
    if (clientRefund === undefined || providerPayment === undefined) return undefined;
    const isAll = clientRefund + providerPayment === disagreement.rest;
    return isAll ? { outcome: 'split', providerPayment, clientRefund } : undefined;
  }
  if (resolution === 'resume' && !disagreement.resumable) return undefined;
  const ruling = meant(disagreement, resolution);
  const { providerPayment: pay, clientRefund: refund } = ruling;
  return (providerPayment ?? pay) === pay && (clientRefund ?? refund) === refund ? ruling : undefined;
}

/** The amounts of an outcome that was requested without amounts. */
const meant = ({ rest, fallback }: Disagreement, word: Exclude<RulingInput['resolution'], 'split'>): Ruling =>
  word === 'fallback' ? fallbackOf({ fallback, rest }) : plain(word, rest);

export function invalidRulingOf(disagreement: Disagreement, asked: RulingInput): string {
  const { resolution } = asked;
  if (resolution === 'split') return `a split needs clientRefund + providerPayment = ${disagreement.rest}`;
  if (resolution === 'resume' && !disagreement.resumable) return 'an order cannot be resumed';
  const { providerPayment, clientRefund } = meant(disagreement, resolution);
  return `${resolution} means providerPayment ${providerPayment}, clientRefund ${clientRefund}: leave them out, or ask for a split`;
}

export const same = (a: Ruling | null | undefined, b: Ruling | null | undefined): boolean =>
  !!a && !!b && a.outcome === b.outcome && a.providerPayment === b.providerPayment && a.clientRefund === b.clientRefund;

export const partyOf = ({ client, provider }: Disagreement, did: string): 'client' | 'provider' | undefined =>
  did === client ? 'client' : did === provider ? 'provider' : undefined;

export interface Asking {
  readonly signer: string;
  readonly time: number;
  readonly input: RulingInput;
}

/** Whether the signer may propose or decide now. The contract's own arbiter may at once; the network's has to wait. */
const mayRule = (disagreement: Disagreement, signer: string, time: number): boolean =>
  partyOf(disagreement, signer) !== undefined || isArbiter(disagreement, signer, time);

const isArbiter = ({ arbiter, networkArbiter, openedAt }: Disagreement, signer: string, time: number): boolean =>
  signer === arbiter || (signer === networkArbiter && time >= openedAt + networkMayRuleAfterMs);

export const fallbackIsDue = ({ openedAt }: Disagreement, time: number): boolean => time >= openedAt + fallbackAfterMs;

/** The ruling, if this request ends the dispute; undefined if the request is only a party's proposal. */
export function decided(disagreement: Disagreement, { signer, time, input }: Asking): Ruling | undefined {
  const asked = rulingOf(disagreement, input);
  if (!asked || !mayRule(disagreement, signer, time)) return undefined;
  const due = fallbackIsDue(disagreement, time);
  if (input.resolution === 'fallback') return due ? asked : undefined;
  if (isArbiter(disagreement, signer, time)) return asked;
  if (due && same(asked, fallbackOf(disagreement))) return asked;
  const other = partyOf(disagreement, signer) === 'client' ? 'provider' : 'client';
  return same(asked, disagreement.proposals[other]) ? asked : undefined;
}
