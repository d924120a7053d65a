/**
 * Finds moves by their transaction, and compares the ledger with the vault
 * (docs/reference/accounts-and-nonces.md#supply, docs/settlement.md).
 */

import { proofOf } from '../../chain/anchors/proof.js';
import type { ChainAccess } from '../../chain/follower/chain-follower.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import { movesSchema, proofSchema, supplySchema } from '../openapi/schemas/chain.js';
import { fromChain, noChain } from '../render/chain-answer.js';
import { pageFields, pageOf, pagination, slicePage } from '../render/pagination.js';
import { moveView } from '../render/transfer-view.js';
import { settlementForm } from '../render/write-view.js';
import type { Route } from '../server/route.js';

interface EntryWithReceipt {
  readonly entry: NumberedEntry;
  readonly receipt: SettlementReceipt | undefined;
}

const nowhere = { token: null, registry: null, vault: null, settlement: null };

export function chainRoutes(api: ApiContext): Route[] {
  const { settlement, onChain } = api;
  const { store, network } = api;

  async function ofEvent(hash: string): Promise<readonly EntryWithReceipt[]> {
    const entry = await store.entryByEvent(hash);
    return entry ? [{ entry, receipt: await settlement.receipt(hash) }] : [];
  }

  /**
   * All entries that one batch settled, each with its newest receipt: after a reset of the chain they are settled
   * again.
   */
  async function ofTransaction(txHash: string): Promise<readonly EntryWithReceipt[]> {
    const numbers = [...new Set((await store.receiptsOf(txHash)).map(({ seq }) => seq))].sort((a, b) => a - b);
    const pages = await Promise.all(
      runsOf(numbers).map(([first, limit]) => store.entries({ after: first - 1, limit })),
    );
    return Promise.all(
      pages.flat().map(async (entry) => ({ entry, receipt: await settlement.receipt(entry.core.event.hash) })),
    );
  }

  const transaction: Route = {
    method: 'GET',
    path: '/api/v1/transactions/:hash',
    name: 'getTransaction',
    tag: 'Wallets',
    summary: 'Get the moves of an event by its hash, or of a transaction on chain by its 0x hash.',
    scope: 'read',
    query: is.object(pageFields),
    success: { status: 200, schema: movesSchema, description: 'a page of the moves' },
    async handle(call) {
      const page = pageOf(call);
      if (isRefusal(page)) return page;
      const hash = call.params.hash!.toLowerCase();
      const isTransaction = /^0x[0-9a-f]{64}$/.test(hash);
      const isEvent = /^[0-9a-f]{64}$/.test(hash);
      const ofChain = isTransaction ? await ofTransaction(hash) : [];
      // Until an event is settled, `txHash` is its hash with 0x.
      const found = ofChain.length > 0 ? ofChain : isTransaction || isEvent ? await ofEvent(hash.slice(-64)) : [];
      const { hasChain } = api.views;
      const lines = found.flatMap(({ entry, receipt }) =>
        entry.core.moves.map((move, index) => ({ at: [entry.seq, index], move, entry, receipt, hasChain })),
      );
      const [first] = found;
      if (!first || lines.length === 0) return refuse('NOT_FOUND', `no move of Tokens under ${hash} on this network`);
      const { items, next } = slicePage(lines, page, ({ at }) => at, 'ascending');
      return {
        status: 200,
        body: {
          ...settlementForm.view({ ...first, hasChain }),
          transactions: items.map(moveView),
          total: lines.length,
          pagination: pagination(page, lines.length, next),
        },
      };
    },
  };

  async function books(there: ChainAccess): Promise<JsonObject | Refusal> {
    const found = await fromChain(there.holdings());
    if (isRefusal(found)) return found;
    const { kind, chainId, lag } = settlement.status();
    const { token, registry, vault, settlement: stream } = there.contracts ?? nowhere;
    const { deposits: _, closed: __, lastSeq: ___, ...holdings } = found;
    return { kind, chainId, token, registry, vault, settlement: stream, lag, ...holdings };
  }

  const supply: Route = {
    method: 'GET',
    path: '/api/v1/supply',
    name: 'getSupply',
    tag: 'Wallets',
    summary: 'Compare the Tokens of the ledger with those in the vault on chain.',
    scope: 'read',
    success: { status: 200, schema: supplySchema, description: 'the ledger, the vault, and whether they agree' },
    async handle() {
      const isSettled = () => settlement.status().lag === 0;
      const [before, wasSettled] = [await store.head(), isSettled()];
      const chain = onChain ? await books(onChain) : null;
      if (isRefusal(chain)) return chain;
      const { seq, ...ledger } = await totalsAt(store);
      const isStill = wasSettled && isSettled() && seq === before.seq;
      const balanced = chain && isStill ? agree(ledger, chain) : null;
      return { status: 200, body: { network, seq, ...ledger, chain, balanced } };
    },
  };

  const proof: Route = {
    method: 'GET',
    path: '/api/v1/events/:hash/proof',
    name: 'getEventProof',
    tag: 'Events',
    summary:
      'Get the proof that an event was in the journal when the journal was anchored on chain. `svc-node verify-proof` checks it.',
    scope: 'read',
    refuses: ['UNPROCESSABLE'],
    success: { status: 200, schema: proofSchema, description: 'the proof' },
    async handle(call) {
      const hash = call.params.hash!;
      const entry = /^[0-9a-f]{64}$/.test(hash) ? await store.entryByEvent(hash) : undefined;
      if (!entry) return refuse('NOT_FOUND', `no event ${hash} on this network`);
      if (!onChain) return noChain;
      const anchor = await fromChain(onChain.anchorOf(entry.seq));
      if (isRefusal(anchor)) return anchor;
      return { status: 200, body: { ...(await proofOf(entry, anchor, store)) } };
    },
  };
  return [transaction, supply, proof];
}

const mostReads = 5;

/** The sums with the number of the newest entry that they contain; null if each time entries were added meanwhile. */
async function totalsAt(store: Pick<StoreReader, 'head' | 'totals'>) {
  for (let read = 1; ; read++) {
    const before = await store.head();
    const totals = await store.totals();
    const isStill = (await store.head()).seq === before.seq;
    if (isStill || read === mostReads) return { ...totals, seq: isStill ? before.seq : null };
  }
}

/** Consecutive numbers as `[first, count]`: entries without moves leave gaps within a batch. */
function runsOf(numbers: readonly number[]): [first: number, count: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number === last[0] + last[1]) last[1]++;
    else runs.push([number, 1]);
  }
  return runs;
}

type Ledger = { readonly supply: number; readonly fees: number; readonly [balance: string]: number };

/** Whether the ledger agrees with the vault: the vault owes balances, escrows and fees, and holds at least as much. */
const agree = (ledger: Ledger, chain: JsonObject): boolean => {
  const [owed, fees, waiting, heldBack] = [chain.owed, chain.fees, chain.waiting, chain.heldBack].map(Number);
  return ledger.supply === owed && ledger.fees === fees && Number(chain.holdings) >= owed! + waiting! + heldBack!;
};
