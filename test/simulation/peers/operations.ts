/**
 * The operations of a history on accounts, listings, tasks, escrows, leases and disputes, with the times of call and return, and what each of
 * these objects does if its operations come one after the other. A remote request is an operation on the objects of both
 * homes, from its call until its sender knows the answer.
 */
import type { Accepted } from '../../../src/actors/command.js';
import { isRefusal, type Refusal } from '../../../src/core/refusal.js';
import {
  type NotLinearizable,
  notLinearizable,
  type Operation,
  type SequentialModel,
} from '../../support/linearizability.js';
import { correspondentTokens, fewUnits, unitPrice } from './genesis.js';

export type Asked =
  | { readonly do: 'debit' | 'credit' | 'fill' | 'take'; readonly amount: number }
  | { readonly do: 'buy' | 'read' | 'end' | 'rule' }
  | { readonly do: 'use'; readonly units: number }
  | { readonly do: 'bid' | 'accept' | 'withdraw'; readonly bid: string };
/** What a read has returned, or whether a write was done or impossible in the object's state. */
export type Found = number | 'done' | 'impossible';

/** Codes by which the object's state refuses; any other refusal says nothing about it. */
const impossible: { readonly [asked in Asked['do']]?: readonly string[] } = {
  debit: ['INSUFFICIENT_BALANCE'],
  buy: ['LISTING_NOT_ACTIVE'],
  accept: ['ORDER_INVALID_STATE'],
  withdraw: ['ORDER_INVALID_STATE'],
  take: ['ESCROW_INVALID_STATE', 'UNPROCESSABLE'],
  use: ['LEASE_INVALID_STATE'],
  end: ['LEASE_INVALID_STATE'],
  rule: ['CONFLICT'],
};

interface Pending {
  readonly key: string;
  readonly input: Asked;
  readonly called: number;
  returned?: number;
  output?: Found;
}

export class Operations {
  readonly #all = new Set<Pending>();
  #time = 0;

  /** @param home name of the home of the object @param on the object */
  call(home: string, on: string, input: Asked): Pending {
    const operation = { key: `${home} ${on}`, input, called: ++this.#time };
    this.#all.add(operation);
    return operation;
  }

  returned(operation: Pending | undefined, output: Found): void {
    if (!operation) return;
    operation.returned = ++this.#time;
    operation.output = output;
  }

  /** It did nothing, or says nothing about the object. */
  drop(operation: Pending | undefined): void {
    if (operation) this.#all.delete(operation);
  }

  answered(operation: Pending | undefined, result: Accepted | Refusal | { readonly code: string | null }): void {
    const code = isRefusal(result) ? result.code : 'code' in result ? result.code : null;
    // The entry may be on disk nevertheless.
    if (code === 'SERVICE_UNAVAILABLE') return;
    if (code === null) this.returned(operation, 'done');
    else if (operation && impossible[operation.input.do]?.includes(code)) this.returned(operation, 'impossible');
    else this.drop(operation);
  }

  /** @param isChecked false for a home whose disk has lost entries: its objects are not linearizable */
  violation(isChecked: (home: string) => boolean): NotLinearizable<Asked, Found> | undefined {
    const checked = [...this.#all].filter(({ key }) => isChecked(key.slice(0, key.indexOf(' '))));
    return notLinearizable<State, Asked, Found>(checked as Operation<Asked, Found>[], objects);
  }
}

/**
 * Tokens, units, what is left of an escrow or of a lease's budget (null before it is funded), the rulings that a dispute still
 * has to get, or the states of a task's bids.
 */
type State = { readonly left: number | null } | { readonly bids: { readonly [bid: string]: BidState } };
/** What is left of a lease that was ended. */
const ended = -1;
type BidState = 'submitted' | 'accepted' | 'rejected' | 'withdrawn';

const startOf = (on: string): State => {
  if (on.startsWith('task ')) return { bids: {} };
  if (on.startsWith('stock ')) return { left: fewUnits };
  if (/^(escrow|lease|dispute) /.test(on)) return { left: null };
  return { left: on.startsWith('account of ') ? correspondentTokens : Number(on.split(' ')[2]) };
};

const objects: SequentialModel<State, Asked, Found> = {
  start: (key) => startOf(key.slice(key.indexOf(' ') + 1)),
  step(state, asked, found) {
    if (asked.do === 'read')
      return 'left' in state && (found === undefined || state.left === found) ? state : undefined;
    const after = 'bids' in state ? afterBidding(state.bids, asked) : afterTaking(state.left, asked);
    if (found === 'impossible') return after ? undefined : state;
    return after;
  },
  text: (state) => JSON.stringify(state),
};

/** @returns undefined if it is impossible */
function afterTaking(left: number | null, asked: Asked): State | undefined {
  if (asked.do === 'fill') return left === null ? { left: asked.amount } : undefined;
  if (left === null || left === ended) return undefined;
  if (asked.do === 'end') return { left: ended };
  // The budget is the most that all calls together cost.
  if (asked.do === 'use') return left === 0 ? undefined : { left: Math.max(0, left - asked.units * unitPrice) };
  if (asked.do === 'rule') return left === 0 ? undefined : { left: 0 };
  const change = asked.do === 'buy' ? -1 : 'amount' in asked ? (asked.do === 'credit' ? 1 : -1) * asked.amount : 0;
  return left + change < 0 ? undefined : { left: left + change };
}

function afterBidding(bids: { readonly [bid: string]: BidState }, asked: Asked): State | undefined {
  if (!('bid' in asked)) return undefined;
  const { bid } = asked;
  const isAwarded = Object.values(bids).includes('accepted');
  if (asked.do === 'bid') return bids[bid] || isAwarded ? undefined : { bids: { ...bids, [bid]: 'submitted' } };
  if (bids[bid] !== 'submitted') return undefined;
  if (asked.do === 'withdraw') return { bids: { ...bids, [bid]: 'withdrawn' } };
  const others = Object.entries(bids).map(([id, state]) => [id, state === 'submitted' ? 'rejected' : state]);
  return { bids: { ...(Object.fromEntries(others) as { [bid: string]: BidState }), [bid]: 'accepted' } };
}
