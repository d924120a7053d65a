/** What this home and another one hold at each other (docs/reference/remote-requests.md#accounts). */
import { balanceOf } from '../../machines/kernel/ledger.js';
import type { StoreReader } from '../../store/store.js';
import type { ForeignHome } from '../reading/foreign.js';
import type { TradeLimit } from './limits.js';
import { givenUpRequests, openRequests } from './open-requests.js';

/** Tokens, and epoch milliseconds. */
export interface PeerAccount extends TradeLimit {
  /** The other home. */
  readonly did: string;
  /** Time of its newest adopted checkpoint; 0 before the first. */
  readonly asOf: number;
  /** What this home holds there, as the copy of its journal says. */
  readonly held: number;
  /** What the other home holds here. */
  readonly owed: number;
  /** In this home's open requests to it. */
  readonly sent: number;
  /** In its open requests to this home, as the copy says. */
  readonly received: number;
  /** In requests that this home has given up, except those that the other one has refused. */
  readonly givenUp: number;
  /** What this home can lose to it: `held` + `sent`. */
  readonly atRisk: number;
  /** Paths of the histories of both accounts. */
  readonly statements: { readonly there: string; readonly here: string };
}

export interface AccountsSource {
  /** DID of this home. */
  readonly own: string;
  /** Its journal. */
  readonly store: Pick<StoreReader, 'account' | 'find'>;
  readonly limitOf: (home: string) => TradeLimit;
}

export async function peerAccount(
  { home, store: copy, asOf }: ForeignHome,
  { own, store, limitOf }: AccountsSource,
): Promise<PeerAccount> {
  const [held, owed, sent, received, givenUp] = await Promise.all([
    balanceIn(copy, own),
    balanceIn(store, home),
    moneyIn(store, home),
    moneyIn(copy, own),
    givenUpIn(store, home),
  ]);
  return {
    ...{ did: home, asOf: asOf().time, held, owed, sent, received, givenUp, atRisk: held + sent, ...limitOf(home) },
    statements: {
      there: `/api/v1/wallets/${own}/transactions?home=${home}`,
      here: `/api/v1/wallets/${home}/transactions`,
    },
  };
}

async function balanceIn(store: Pick<StoreReader, 'account'>, did: string): Promise<number> {
  const account = await store.account(did);
  return account ? balanceOf(account) : 0;
}

/** Tokens in the open requests of a journal to this home. */
async function moneyIn(store: Pick<StoreReader, 'find'>, home: string): Promise<number> {
  let sum = 0;
  for await (const { context } of openRequests(store, `to:${home}`)) sum += Number(context.money ?? 0);
  return sum;
}

/** Tokens in the given up requests of a journal to this home; a request that was refused late has lost none. */
async function givenUpIn(store: Pick<StoreReader, 'find'>, home: string): Promise<number> {
  let sum = 0;
  for await (const { context } of givenUpRequests(store, home)) {
    if (context.code === null) sum += Number(context.loss ?? 0);
  }
  return sum;
}
