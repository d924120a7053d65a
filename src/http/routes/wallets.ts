/**
 * Wallets and transfers (docs/reference/accounts-and-nonces.md#transfers).
 */

import type { Accepted } from '../../actors/command.js';
import type { JsonObject } from '../../core/canonical.js';
import { parseAccount } from '../../core/codecs/address.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { transferInput } from '../../machines/account/account.js';
import { balanceSchema, balanceView } from '../../machines/account/view.js';
import type { HistoryType } from '../../machines/kernel/posting.js';
import type { Request } from '../../machines/kernel/resource.js';
import type { Account } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import { signedBodies, signerFields } from '../context/signed-body.js';
import { pageSchema } from '../openapi/schemas/replies.js';
import { pageFields, pageOf, pagination } from '../render/pagination.js';
import { transactionSchema, transactionView, transferSchema, transferView } from '../render/transfer-view.js';
import type { Route } from '../server/route.js';
import { picking } from './derived.js';

const historySchema = pageSchema('transactions', transactionSchema, {
  hasMore: a.described(a.flag, 'Whether there is another page.'),
});

/** The DID behind a wallet `address` path parameter. */
export function walletOf(address: string): string | Refusal {
  const did = address.length < 128 ? parseAccount(address) : undefined;
  if (did) return did;
  return address.startsWith('did:')
    ? refuse('DID_INVALID', 'address: is not a DID of this network', {
        errors: [{ field: 'address', message: 'is not a valid DID' }],
      })
    : invalid('address', 'must be a DID or an account address (svc1…)');
}

export interface TransferRules {
  /** The smallest fee, if a fee is given or required; SVC_MIN_FEE. */
  readonly minFee: number;
}

/** The refusal of a fee below the node's minimum. */
export const tooCheap = ({ fee = 0 }: JsonObject, { minFee }: TransferRules): Refusal | undefined =>
  (fee as number) < minFee ? refuse('UNPROCESSABLE', `fee must be at least ${minFee}`) : undefined;

/** The refusal of a transfer that this node would give back. */
function refusalOfOnward(api: ApiContext, input: JsonObject): Promise<Refusal | undefined> | Refusal | undefined {
  if (input.onward === undefined || input.to !== api.home()) return undefined;
  return api.onward ? api.onward.refusal(api.home(), input) : refuse('UNPROCESSABLE', 'onward: this node has no peers');
}

/** The reply to what moves Tokens of an account. */
export const transferAnswer = (api: ApiContext) => (accepted: Accepted | Refusal) =>
  api.writes.answer(accepted, 200, ({ entry }, receipt) =>
    transferView({ entry, receipt, hasChain: api.views.hasChain }),
  );

export function walletRoutes(api: ApiContext, rules: TransferRules): Route[] {
  const read: Route = {
    method: 'GET',
    path: '/api/v1/wallets/:address',
    name: 'getWallet',
    tag: 'Wallets',
    summary: 'Get the balances of a DID, and the nonce of its next signed write.',
    scope: 'read',
    success: { status: 200, schema: balanceSchema, description: 'the balances', tagged: true },
    handle(call) {
      const did = walletOf(call.params.address!);
      if (isRefusal(did)) return did;
      const found = api.committed.account(did);
      const reply = (account: Account) => ({ status: 200, body: balanceView(account) });
      return found instanceof Promise ? found.then(reply) : reply(found);
    },
  };
  const list: Route = {
    method: 'GET',
    path: '/api/v1/wallets',
    name: 'listWallets',
    tag: 'Wallets',
    summary: 'List the balances of all DIDs in the ledger, largest first.',
    scope: 'read',
    query: is.object(pageFields),
    success: { status: 200, schema: pageSchema('wallets', balanceSchema), description: 'a page of the balances' },
    async handle(call) {
      const page = pageOf(call);
      if (isRefusal(page)) return page;
      const { items, total, next } = await api.store.accounts(page);
      return {
        status: 200,
        body: { wallets: items.map(balanceView), total, pagination: pagination(page, total, next) },
      };
    },
  };
  const answer = transferAnswer(api);
  const pick = picking(transferInput.fields!);
  const admits = ({ input }: Pick<Request, 'input'>) => tooCheap(input, rules) ?? refusalOfOnward(api, input);
  const transfer: Route = {
    method: 'POST',
    path: '/api/v1/transfers',
    name: 'transfer',
    refuses: ['INSUFFICIENT_BALANCE'],
    tag: 'Wallets',
    summary: 'Send Tokens to a DID or account address.',
    scope: 'write',
    ...signedBodies(is.object({ ...signerFields, ...transferInput.fields! })),
    writes: [{ kind: 'account', action: 'transfer', admits, answer }],
    example: { to: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH', amount: 5, memo: 'thanks' },
    success: { status: 200, schema: transferSchema, description: 'the transfer' },
    async handle(call) {
      const { did } = call.body as { readonly did: string };
      const input = pick(call.body);
      const asked = { kind: 'account', id: did, action: 'transfer', input, status: 200 } as const;
      return answer(await api.writes.sign(call, { ...asked, prechecked: await admits({ input }) }));
    },
  };
  const history: Route = {
    method: 'GET',
    path: '/api/v1/wallets/:address/transactions',
    name: 'listTransactions',
    tag: 'Wallets',
    summary: 'List the moves of Tokens of a wallet, newest first.',
    scope: 'read',
    query: is.object({
      type: is.optional(
        is.oneOf('all', 'sent', 'received', 'escrow'),
        'Only moves of this type: `sent`, `received`, or `escrow` (into or out of an escrow). Default: all.',
      ),
      ...pageFields,
    }),
    success: { status: 200, schema: historySchema, description: 'a page of the history' },
    async handle(call) {
      const did = walletOf(call.params.address!);
      if (isRefusal(did)) return did;
      const page = pageOf(call);
      if (isRefusal(page)) return page;
      const { type = 'all' } = call.query as { type?: 'all' | HistoryType };
      const read = () => api.store.history(did, type === 'all' ? undefined : type, page);
      const found = await api.queues.page(call, read);
      if (isRefusal(found)) return found;
      const transactions = await Promise.all(
        found.items.map(async (item) => {
          const receipt = await api.settlement.receipt(item.entry.core.event.hash);
          return transactionView({ ...item, receipt, hasChain: api.views.hasChain });
        }),
      );
      const pages = pagination(page, found.total, found.next);
      return { status: 200, body: { transactions, total: found.total, hasMore: pages.hasMore, pagination: pages } };
    },
  };
  return [list, read, transfer, history];
}
