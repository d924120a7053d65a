/**
 * How a dispute ends (decisions.md, Contracts: resolve). The arbiter decides; both parties may, by asking for the same;
 * after 30 days the network's arbiter may, too, and after 60 either party gets what was agreed on for then.
 */
import type { Fallback } from '../contract/terms.js';
import * as is from '../kernel/scalar.js';

const dayMs = 86_400_000;
/** From the opening of the dispute. */
export const networkMayRuleAfterMs = 30 * dayMs;
export const fallbackAfterMs = 60 * dayMs;

export const outcomes = ['release', 'refund', 'split', 'resume'] as const;
export type Outcome = (typeof outcomes)[number];

/** What a party or an arbiter asks for. */
export const rulingFields = {
  resolution: is.described(
    is.oneOf(...outcomes, 'fallback'),
    'release: the rest to the provider; refund: to the client; split: as the two amounts say; resume: a contract ' +
      'goes on; fallback: what was agreed on for a dispute of 60 days.',
  ),
  clientRefund: is.optional(is.described(is.integer(0), 'split: Tokens back to the client.')),
  providerPayment: is.optional(is.described(is.integer(0), 'split: Tokens to the provider; both make up the rest.')),
  note: is.optional(is.text(2_000)),
};
/** Of an action of what is disputed: the dispute decides, and refuses what its guards refuse. */
export const ruledOn = { kind: 'dispute', open: ['FORBIDDEN', 'CONFLICT', 'UNPROCESSABLE'] } as const;

const rulingInput = is.object(rulingFields);
export type RulingInput = is.TypeOf<typeof rulingInput>;

/** What becomes of the rest, to the unit. */
export interface Ruling {
  readonly outcome: Outcome;
  readonly providerPayment: number;
  readonly clientRefund: number;
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
  readonly proposals: { readonly client: Ruling | null; readonly provider: Ruling | null };
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

/** What is asked for, in amounts; undefined where it doesn't make up the rest, or can't be. */
export function rulingOf({ rest, fallback, resumable }: Quarrel, asked: RulingInput): Ruling | undefined {
  const { resolution, clientRefund, providerPayment } = asked;
  if (resolution === 'fallback') return fallbackOf({ fallback, rest });
  if (resolution === 'resume') return resumable ? plain(resolution, rest) : undefined;
  if (resolution !== 'split') return plain(resolution, rest);
  if (clientRefund === undefined || providerPayment === undefined) return undefined;
  return clientRefund + providerPayment === rest ? { outcome: 'split', providerPayment, clientRefund } : undefined;
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
