/**
 * How a dispute ends (docs/reference/contracts-and-disputes.md#resolution). The arbiter decides; both parties may, by
 * asking for the same; after 30 days the network's arbiter may, too, and after 60 either party gets what was agreed on
 * for then.
 */

import * as is from '../../core/schema/scalar.js';
import type { Fallback } from '../contract/terms.js';

const dayMs = 86_400_000;
/** From the opening of the dispute. */
export const networkMayRuleAfterMs = 30 * dayMs;
export const fallbackAfterMs = 60 * dayMs;

export const outcomes = ['release', 'refund', 'split', 'resume'] as const;
export type Outcome = (typeof outcomes)[number];

/** What a party or an arbiter asks for. */
const rulingFields = {
  resolution: is.described(
    is.oneOf(...outcomes, 'fallback'),
    'release: the rest to the provider; refund: to the client; split: as the two amounts say; resume: a contract ' +
      'goes on; fallback: what was agreed on for a dispute of 60 days.',
  ),
  clientRefund: is.optional(is.described(is.integer(0), 'split: Tokens back to the client.')),
  providerPayment: is.optional(is.described(is.integer(0), 'split: Tokens to the provider; both make up the rest.')),
  note: is.optional(is.described(is.text(2_000), 'Why; shown with the ruling, or with the proposal of a party.')),
};
const open = ['CONFLICT', 'UNPROCESSABLE'] as const;
const openWhileWaiting = ['FORBIDDEN', ...open] as const;
/** Of an action of what is disputed: the dispute decides, and refuses what its guards refuse. */
export const ruledOn = {
  kind: 'dispute',
  // Only the network's arbiter has to wait, and the dispute alone knows how long.
  open: (role: string) => (role === 'networkArbiter' ? openWhileWaiting : open),
} as const;

export const rulingInput = is.aliased(is.object(rulingFields), { decision: 'resolution' });
export type RulingInput = is.TypeOf<typeof rulingInput>;

/** What becomes of the rest, to the unit. */
export interface Ruling {
  readonly outcome: Outcome;
  readonly providerPayment: number;
  readonly clientRefund: number;
}

/** What a party asks for, and what it says to that. */
export interface Proposal extends Ruling {
  readonly note: string | null;
}

type Ruled = Pick<Quarrel, 'arbiter' | 'networkArbiter'>;
/** Roles, both where it is disputed and in the dispute. The network's arbiter who is the arbiter anyway has that one alone. */
export const arbiters = {
  arbiter: ({ arbiter }: Ruled) => (arbiter ? [arbiter] : []),
  networkArbiter: ({ arbiter, networkArbiter }: Ruled) =>
    networkArbiter && networkArbiter !== arbiter ? [networkArbiter] : [],
};

/** What a dispute's workflow tells the resource that it is about; without outcome it goes on. */
export interface Settling {
  readonly outcome?: Outcome | undefined;
  readonly providerPayment?: number | undefined;
  readonly clientRefund?: number | undefined;
}

export const pays = ({ outcome }: Settling): boolean => outcome === 'release' || outcome === 'split';
export const givesBack = ({ outcome }: Settling): boolean => outcome === 'refund';

export interface Quarrel {
  readonly client: string;
  readonly provider: string;
  readonly arbiter: string | null;
  readonly networkArbiter: string | null;
  readonly fallback: Fallback;
  /** Tokens in question. */
  readonly rest: number;
  /** The resource can go on where it was. */
  readonly resumable: boolean;
  /** Epoch ms. */
  readonly openedAt: number;
  readonly proposals: { readonly client: Proposal | null; readonly provider: Proposal | null };
}

/** The halves of an odd rest: the Token in the middle goes back to whose it was. */
const halves = (rest: number): Ruling => {
  const providerPayment = Math.floor(rest / 2);
  return { outcome: 'split', providerPayment, clientRefund: rest - providerPayment };
};

function plain(outcome: Fallback | 'resume', rest: number): Ruling {
  if (outcome === 'split') return halves(rest);
  return { outcome, providerPayment: outcome === 'release' ? rest : 0, clientRefund: outcome === 'refund' ? rest : 0 };
}

/** What was agreed on for a dispute that nobody decides. */
export const fallbackOf = ({ fallback, rest }: Pick<Quarrel, 'fallback' | 'rest'>): Ruling => plain(fallback, rest);

/** What is asked for, in amounts; undefined where it doesn't make up the rest, can't be, or names other amounts. */
export function rulingOf(quarrel: Quarrel, asked: RulingInput): Ruling | undefined {
  const { resolution, clientRefund, providerPayment } = asked;
  if (resolution === 'split') {
    if (clientRefund === undefined || providerPayment === undefined) return undefined;
    const isAll = clientRefund + providerPayment === quarrel.rest;
    return isAll ? { outcome: 'split', providerPayment, clientRefund } : undefined;
  }
  if (resolution === 'resume' && !quarrel.resumable) return undefined;
  const ruling = meant(quarrel, resolution);
  const { providerPayment: pay, clientRefund: refund } = ruling;
  return (providerPayment ?? pay) === pay && (clientRefund ?? refund) === refund ? ruling : undefined;
}

/** What a word stands for that needs no amounts. */
const meant = ({ rest, fallback }: Quarrel, word: Exclude<RulingInput['resolution'], 'split'>): Ruling =>
  word === 'fallback' ? fallbackOf({ fallback, rest }) : plain(word, rest);

/** Why something that is asked for can't be. */
export function misrulingOf(quarrel: Quarrel, asked: RulingInput): string {
  const { resolution } = asked;
  if (resolution === 'split') return `a split needs clientRefund + providerPayment = ${quarrel.rest}`;
  if (resolution === 'resume' && !quarrel.resumable) return 'an order cannot be resumed';
  const { providerPayment, clientRefund } = meant(quarrel, resolution);
  return `${resolution} means providerPayment ${providerPayment}, clientRefund ${clientRefund}: leave them out, or ask for a split`;
}

export const same = (a: Ruling | null | undefined, b: Ruling | null | undefined): boolean =>
  !!a && !!b && a.outcome === b.outcome && a.providerPayment === b.providerPayment && a.clientRefund === b.clientRefund;

export const partyOf = ({ client, provider }: Quarrel, did: string): 'client' | 'provider' | undefined =>
  did === client ? 'client' : did === provider ? 'provider' : undefined;

export interface Asking {
  readonly signer: string;
  readonly time: number;
  readonly input: RulingInput;
}

/** Whether the signer may speak now: a network's arbiter beside the contract's own has to wait. */
const mayRule = (quarrel: Quarrel, signer: string, time: number): boolean =>
  partyOf(quarrel, signer) !== undefined || isArbiter(quarrel, signer, time);

const isArbiter = ({ arbiter, networkArbiter, openedAt }: Quarrel, signer: string, time: number): boolean =>
  signer === arbiter || (signer === networkArbiter && time >= openedAt + networkMayRuleAfterMs);

export const fallbackIsDue = ({ openedAt }: Quarrel, time: number): boolean => time >= openedAt + fallbackAfterMs;

/** What ends the dispute, if this request does; otherwise it is one party's proposal. */
export function decided(quarrel: Quarrel, { signer, time, input }: Asking): Ruling | undefined {
  const asked = rulingOf(quarrel, input);
  if (!asked || !mayRule(quarrel, signer, time)) return undefined;
  const due = fallbackIsDue(quarrel, time);
  if (input.resolution === 'fallback') return due ? asked : undefined;
  if (isArbiter(quarrel, signer, time)) return asked;
  if (due && same(asked, fallbackOf(quarrel))) return asked;
  const other = partyOf(quarrel, signer) === 'client' ? 'provider' : 'client';
  return same(asked, quarrel.proposals[other]) ? asked : undefined;
}
