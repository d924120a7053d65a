/**
 * Random moves over few accounts and escrows: about half of them are valid after the moves before, the rest must be refused.
 */
import fc from 'fast-check';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { ada, ben, cyd } from '../../world/people.js';
import type { Model } from './model.js';
import { evmOf, startMs } from './stage.js';

const ops = [
  ...['mint', 'mint', 'mint', 'transfer', 'transfer', 'reserve', 'reserve', 'reserve', 'lock', 'lock', 'unreserve'],
  ...['release', 'release', 'refund', 'expire', 'collect', 'freeze', 'unfreeze', 'unfreeze', 'deposit', 'withdraw'],
] as const;

export const dids = [ada, ben, cyd];
const escrowIds = ['e1', 'e2', 'e3', 'e4', 'e5'];
export const receivers = [evmOf('ann'), evmOf('bob')];

const draft = fc.record({
  op: fc.constantFrom(...(ops as readonly Move['op'][])),
  from: fc.constantFrom(...dids),
  to: fc.constantFrom(...dids),
  escrow: fc.constantFrom(...escrowIds),
  receiver: fc.constantFrom(...receivers),
  amount: fc.integer({ min: 1, max: 60 }),
  fee: fc.nat(3),
  ref: fc.integer({ min: 1, max: 4 }),
  /** Whether to look for an escrow, deposit or payer for which the move is valid, and to use its parties and amount. */
  fits: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  lasts: fc.option(fc.integer({ min: 0, max: 40_000 }), { nil: undefined }),
  /** Milliseconds after the previous move. */
  after: fc.integer({ min: 0, max: 10_000 }),
  /** Whether the batch ends after this move. */
  cut: fc.boolean(),
});

export type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;
export const drafts = fc.array(draft, { minLength: 10, maxLength: 60, size: 'max' });

/** Deposits 1 to 3 are waiting from the start; 4 never exists. */
export const waiting = [
  { ref: 1, to: ada, amount: 40 },
  { ref: 2, to: ben, amount: 7 },
  { ref: 3, to: cyd, amount: 90 },
] as const;

export interface Timed {
  readonly move: Move;
  readonly time: number;
}

/** The first element that fits, searched from the drawn one on; the drawn one if none fits. */
function fitting<T>(all: readonly T[], drawn: T, fits: (each: T) => boolean): T {
  const at = all.indexOf(drawn);
  return [...all.slice(at), ...all.slice(0, at)].find(fits) ?? drawn;
}

/** The state that the escrow must be in; undefined: it must not exist yet. */
const stateFor = (op: Move['op']): string | undefined =>
  op === 'reserve' ? undefined : op === 'lock' || op === 'unreserve' ? 'reserved' : 'funded';

export function moveOf(drawn: Draft, model: Model, time: number): Timed {
  const { op, to, fee, ref } = drawn;
  const spare = (did: string): number => (model.frozen.has(did) ? 0 : model.balance(`available/${did}`) - fee);
  const pays = drawn.fits && (op === 'transfer' || op === 'reserve' || op === 'withdraw');
  const from = pays ? fitting(dids, drawn.from, (did) => spare(did) > 0) : drawn.from;
  const amount = pays ? Math.max(1, Math.min(drawn.amount, spare(from))) : drawn.amount;
  const escrow = drawn.fits
    ? fitting(escrowIds, drawn.escrow, (id) => model.escrows.get(id)?.state === stateFor(op))
    : drawn.escrow;
  const known = drawn.fits ? model.escrows.get(escrow) : undefined;
  const parties = { escrow, from: known?.from ?? from, to: known?.to ?? to };
  const remaining = known ? known.remaining : amount;
  const part = known ? Math.min(amount, known.remaining) : amount;
  const move = (): Move => {
    switch (op) {
      case 'mint':
      case 'collect':
        return { op, to, amount: op === 'collect' ? fee : amount };
      case 'transfer':
        return { op, from, to, amount, fee };
      case 'reserve':
        return {
          op,
          escrow,
          from,
          to,
          amount,
          ...(drawn.lasts === undefined ? {} : { expiresAt: time + drawn.lasts }),
        };
      case 'lock':
        return { op, ...parties, amount: remaining };
      case 'unreserve':
      case 'expire':
        return { op, escrow, from: parties.from, amount: remaining };
      case 'refund':
        return { op, escrow, from: parties.from, amount: part };
      case 'release':
        return { op, ...parties, amount: part };
      case 'freeze':
      case 'unfreeze':
        return { op, did: from };
      case 'deposit': {
        const found = drawn.fits ? waiting.find((each) => each.ref === ref) : undefined;
        return { op, ref, to: found?.to ?? to, amount: found?.amount ?? amount };
      }
      case 'withdraw':
        return { op, from, to: drawn.receiver, amount, fee };
    }
  };
  return { move: move(), time };
}

/**
 * Start of the stream's time. The drawn intervals add up to less than the 15 minutes that operations may be ahead of the block.
 */
export const streamStart = startMs;
