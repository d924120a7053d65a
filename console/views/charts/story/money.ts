/** The Tokens of one escrow after each step, from the moves of its entries. */
import type { Entry, MachineStep } from '../../../api/types.ts';

/** Where the Tokens of an escrow are. Once it is created, the members sum to `amount`. */
export interface Balance {
  readonly reserved: number;
  readonly locked: number;
  readonly released: number;
  readonly refunded: number;
}

export interface Moved {
  /** What happened to the Tokens: `paid`, `back`, … */
  readonly how: string;
  readonly amount: number;
}

export interface StepMoney {
  readonly moved: readonly Moved[];
  readonly after: Balance;
}

export const nothing: Balance = { reserved: 0, locked: 0, released: 0, refunded: 0 };

export const remainingOf = ({ reserved, locked }: Balance): number => reserved + locked;

/** Whether Tokens have come in. */
export const isFilled = ({ reserved, locked, released, refunded }: Balance): boolean =>
  reserved + locked + released + refunded > 0;

type AnyMove = { readonly op: string; readonly escrow?: string; readonly amount?: number };

const words: { readonly [op: string]: string } = {
  reserve: 'reserved',
  unreserve: 'given back',
  lock: 'locked',
  release: 'paid',
  refund: 'back',
  expire: 'back',
};

function applied(before: Balance, { op, amount = 0 }: AnyMove): Balance {
  const { reserved, locked, released, refunded } = before;
  if (op === 'reserve') return { ...before, reserved: reserved + amount };
  if (op === 'unreserve') return { ...before, reserved: reserved - amount };
  if (op === 'lock') return { ...before, reserved: reserved - amount, locked: locked + amount };
  if (op === 'release') return { ...before, locked: locked - amount, released: released + amount };
  return { ...before, locked: locked - amount, refunded: refunded + amount };
}

interface MovesOf {
  readonly escrow: string;
  /** Locked before the first step: for a dispute, the Tokens in dispute. */
  readonly locked: number;
}

/** The moves of each step and the balance after it, by step number. Steps whose entries were not read are missing. */
export function moneyOf(
  steps: readonly MachineStep[],
  entries: ReadonlyMap<string, Entry>,
  { escrow, locked }: MovesOf,
): ReadonlyMap<number, StepMoney> {
  const found = new Map<number, StepMoney>();
  let at: Balance = { ...nothing, locked };
  for (const { step, eventHash } of steps) {
    const entry = entries.get(eventHash);
    if (!entry) break;
    const moves = (entry.moves as readonly AnyMove[]).filter((move) => move.escrow === escrow && move.op in words);
    at = moves.reduce(applied, at);
    const shown = moves.filter(({ op }, index) => !(op === 'reserve' && moves[index + 1]?.op === 'lock'));
    found.set(step, { moved: shown.map(({ op, amount = 0 }) => ({ how: words[op]!, amount })), after: at });
  }
  return found;
}
