/**
 * Withdraws what this home holds at another one (docs/reference/remote-requests.md#withdrawals): a remote request that
 * the home's own key signs, about its account there. The vault of the other home pays.
 */
import { hashOf, type JsonObject } from '../../core/canonical.js';
import { newId } from '../../core/new-id.js';
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { lawOf } from '../../machines/kernel/other-signer.js';
import type { ForeignHome } from '../reading/foreign.js';
import { dryRun } from './dry-run.js';
import type { Sendings } from './sendings.js';
import type { AskedPayout, TradeOptions } from './trade-options.js';

type WithdrawingOptions = Pick<
  TradeOptions,
  'own' | 'network' | 'catalogue' | 'world' | 'refusalOf' | 'writeAsHome' | 'recordedAsHome'
>;

/** The remote request of a withdrawal. */
export interface SentWithdrawal {
  readonly id: string;
  /** Whether an earlier command with the same idempotency key has sent it. */
  readonly replayed: boolean;
}

/** Sends the request, unless the copy of the other home's journal says that it would be refused. */
export async function sendWithdrawal(
  { home, store }: ForeignHome,
  { idempotencyKey: key, ...payout }: AskedPayout,
  { sendings, ...options }: WithdrawingOptions & { sendings: Sendings },
): Promise<SentWithdrawal | Refusal> {
  const { own, network, catalogue, world, refusalOf, writeAsHome, recordedAsHome } = options;
  const fingerprint = hashOf({ home, ...payout });
  // Looked up first: the Tokens of a withdrawal that was accepted are not there any more.
  const recorded = key === undefined ? undefined : await recordedAsHome?.(key);
  if (recorded) {
    const isSame = recorded.record.fingerprint === fingerprint;
    return isSame
      ? { id: recorded.entry.payload!.id, replayed: true }
      : refuse('UNPROCESSABLE', 'idempotencyKey was used for another withdrawal');
  }
  const refusal = refusalOf(home);
  if (refusal) return refusal;
  const request = { kind: 'account', id: own, action: 'withdraw', input: { ...payout } as JsonObject };
  const by = { did: own, law: lawOf(catalogue, request.kind, request.action) };
  const cost = await dryRun(catalogue, store, { request, by, network, home, time: world.now() });
  if (isRefusal(cost)) return cost;
  const { available = 0 } = (await store.account(own)) ?? {};
  const inUse = sendings.sum(home);
  if (available - inUse < cost.needed) {
    const says = `this home has ${available} Tokens available at ${home}, and its open requests need ${inUse} of them`;
    return refuse('INSUFFICIENT_BALANCE', `${cost.needed} Tokens are needed: ${says}`);
  }
  assert(writeAsHome, 'a home signs for its own accounts');
  const id = newId(world, 'rem-');
  const asked = { home, kind: request.kind, resource: own, action: request.action, input: request.input, money: 0 };
  const idempotency = key === undefined ? undefined : { principal: own, key, fingerprint, status: 201 };
  const done = await writeAsHome({ kind: 'remote-request', id, action: 'create', input: asked, idempotency });
  return isRefusal(done) ? done : { id: done.entry.payload!.id, replayed: done.replayed };
}
