/**
 * A model of the contracts in a few lines: balances by the ledger's own postings, escrows by a table. It returns the name of
 * the custom error if a move must be refused, and then changes nothing.
 */
import { type Move, postingsOf } from '../../../src/machines/kernel/posting.js';

export interface ModelEscrow {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly expiresAt: number | undefined;
  readonly state: string;
  readonly remaining: number;
}

interface ModelDeposit {
  readonly to: string;
  readonly amount: number;
}

type EscrowMove = Extract<Move, { readonly escrow: string }>;

const endOf: { readonly [op: string]: string } = {
  unreserve: 'cancelled',
  release: 'released',
  refund: 'refunded',
  expire: 'expired',
};

export class Model {
  readonly balances = new Map<string, number>();
  readonly escrows = new Map<string, ModelEscrow>();
  readonly frozen = new Set<string>();
  /** Deposits that are not credited yet, by number. */
  readonly deposits = new Map<number, ModelDeposit>();
  /** Tokens paid out, by receiver. */
  readonly paid = new Map<string, number>();

  balance(name: string): number {
    return this.balances.get(name) ?? 0;
  }

  take(move: Move, time: number): string | undefined {
    const refused = this.#refuses(move, time);
    if (refused) return refused;
    for (const [name, delta] of postingsOf(move)) this.balances.set(name, this.balance(name) + delta);
    if (move.op === 'freeze') this.frozen.add(move.did);
    else if (move.op === 'unfreeze') this.frozen.delete(move.did);
    else if (move.op === 'deposit') this.deposits.delete(move.ref);
    else if (move.op === 'withdraw') this.paid.set(move.to, (this.paid.get(move.to) ?? 0) + move.amount);
    else if ('escrow' in move) this.#follow(move);
    return undefined;
  }

  #refuses(move: Move, time: number): string | undefined {
    switch (move.op) {
      case 'transfer':
      case 'withdraw':
        return this.#refusesDebit(move.from, move.amount + move.fee);
      case 'collect':
        return move.amount > this.balance('fees') ? 'InsufficientFees' : undefined;
      case 'deposit': {
        const waiting = this.deposits.get(move.ref);
        if (!waiting) return 'DepositNotWaiting';
        return waiting.to === move.to && waiting.amount === move.amount ? undefined : 'WrongDeposit';
      }
      case 'reserve':
        return this.escrows.has(move.escrow) ? 'EscrowExists' : this.#refusesDebit(move.from, move.amount);
      case 'mint':
      case 'freeze':
      case 'unfreeze':
        return undefined;
      default:
        return this.#refusesEscrow(move, time);
    }
  }

  #refusesDebit(did: string, amount: number): string | undefined {
    if (this.frozen.has(did)) return 'AccountFrozen';
    return amount > this.balance(`available/${did}`) ? 'InsufficientBalance' : undefined;
  }

  #refusesEscrow(move: Exclude<EscrowMove, { readonly op: 'reserve' }>, time: number): string | undefined {
    const { op, amount } = move;
    const escrow = this.escrows.get(move.escrow);
    const unfunded = op === 'lock' || op === 'unreserve';
    if (escrow?.state !== (unfunded ? 'reserved' : 'funded')) return 'WrongEscrowState';
    if (escrow.from !== move.from) return 'WrongEscrowParty';
    const whole = unfunded || op === 'expire';
    if (whole ? amount !== escrow.remaining : amount > escrow.remaining) return 'WrongEscrowAmount';
    if (op === 'release' && escrow.to !== move.to) return 'WrongEscrowParty';
    const early = escrow.expiresAt === undefined || time < escrow.expiresAt;
    return op === 'expire' && early ? 'EscrowNotExpired' : undefined;
  }

  #follow(move: EscrowMove): void {
    if (move.op === 'reserve') {
      const { from, to, amount, expiresAt } = move;
      this.escrows.set(move.escrow, { from, to, amount, expiresAt, state: 'reserved', remaining: amount });
      return;
    }
    const before = this.escrows.get(move.escrow)!;
    if (move.op === 'lock') this.escrows.set(move.escrow, { ...before, state: 'funded' });
    else {
      const remaining = before.remaining - move.amount;
      this.escrows.set(move.escrow, { ...before, remaining, state: remaining > 0 ? before.state : endOf[move.op]! });
    }
  }
}
