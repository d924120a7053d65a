/**
 * The faucet (docs/reference/accounts-and-nonces.md#faucet): devnet and testnet only.
 */

import type { Idempotency } from '../../actors/command.js';
import type { FaucetLedger, GiveBack } from '../../actors/faucet.js';
import type { SystemWriter } from '../../actors/system.js';
import { sha256Hex } from '../../core/canonical.js';
import { addressOf } from '../../core/codecs/address.js';
import { invalid, isRefusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { callerName } from '../access/caller.js';
import { widerNetworks } from '../access/origins.js';
import type { ApiContext } from '../context/api-context.js';
import { claimSchema, systemTransferView } from '../render/transfer-view.js';
import type { Route } from '../server/route.js';

export interface FaucetOptions {
  readonly api: ApiContext;
  readonly system: SystemWriter;
  readonly ledger: FaucetLedger;
  /** The faucet's quotas also apply to loopback callers. */
  readonly limitLoopback: boolean;
}

/** Short, because one record holds all claims of a day. */
const requestName = (idempotency: Idempotency | undefined, random: Uint8Array): string =>
  idempotency
    ? sha256Hex(`${idempotency.principal}#${idempotency.key}`).slice(0, 16)
    : Buffer.from(random).toString('hex');

export function faucetRoutes({ api, system, ledger, limitLoopback }: FaucetOptions): Route[] {
  const { network, environment } = api;
  if (network === 'mainnet') return [];

  /**
   * Gives the quota back after a refusal or an error, except if the store has failed: then it is unknown whether the
   * Tokens were given.
   */
  const undo = async (giveBack: GiveBack | undefined): Promise<void> => {
    if (!api.hasFailed()) await giveBack?.().catch(() => {});
  };

  return [
    {
      method: 'POST',
      path: '/api/v1/faucet',
      name: 'claimFaucet',
      refuses: ['UNPROCESSABLE'],
      tag: 'Wallets',
      summary: `Give ${ledger.quotas.tokens} Tokens to a DID or address; not on mainnet.`,
      scope: 'write',
      open: true,
      body: is.object({
        did: is.optional(is.account, 'Who gets the Tokens: a DID or an address.'),
        address: is.optional(is.account, 'The same as `did`.'),
        signature: is.optional(is.text(256), 'Not read: no proof is needed to be given Tokens.'),
        timestamp: is.optional(is.time, 'Not read, as `signature`.'),
      }),
      example: { did: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH' },
      success: { status: 200, schema: claimSchema, description: 'the claim' },
      async handle(call) {
        const { did, address } = call.body as { did?: string; address?: string };
        const to = did ?? address;
        if (to === undefined) return invalid('did', 'is required');
        if (did !== undefined && address !== undefined && did !== address)
          return invalid('address', 'is another account than did');
        const { caller } = call;
        const principal = callerName(caller);
        const idempotency = api.writes.idempotency(call, principal, 200);
        if (isRefusal(idempotency)) return idempotency;
        const limited = !(network === 'devnet' && caller.local && !limitLoopback);
        const known = idempotency && (await api.writes.isKnown(idempotency));
        const by = requestName(idempotency, environment.random(8));
        const giveBack =
          limited && !known
            ? await ledger.claim({ did: to, origin: caller.origin, wider: widerNetworks(caller.origin), by })
            : undefined;
        if (isRefusal(giveBack)) return giveBack;
        const input = { amount: ledger.quotas.tokens };
        const mint = () => system.execute({ kind: 'account', id: to, action: 'mint', input, idempotency });
        const accepted = await mint().catch(async (error: unknown) => {
          await undo(giveBack);
          throw error;
        });
        if (isRefusal(accepted)) {
          await undo(giveBack);
          return accepted.code === 'CONFLICT'
            ? refuse('SERVICE_UNAVAILABLE', accepted.detail, { retryAfter: 1 })
            : accepted;
        }
        return api.writes.answer(accepted, 200, ({ entry }, receipt) => ({
          ...systemTransferView({ entry, receipt, hasChain: api.views.hasChain }),
          did: to,
          address: addressOf(to),
        }));
      },
    },
  ];
}
