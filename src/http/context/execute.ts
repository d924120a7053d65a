/**
 * How a caller's command is executed and settled, and what a node adds to that if it is configured with it. Each
 * addition wraps a function of the same type.
 */
import type { Accepted, Command } from '../../actors/command.js';
import type { Settlement, SettlementReceipt } from '../../chain/settlement/settlement.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { StoreQuota } from '../access/quotas.js';
import type { Call } from '../server/route.js';

/** Takes a command through the write path. */
export type Execute = (command: Command, call: Call) => Promise<Accepted | Refusal>;

/** Waits for what follows the commit, at most for a bounded time. A refusal says that the event is committed. */
export type AwaitSettlement = (accepted: Accepted) => Promise<SettlementReceipt | Refusal | undefined>;

/** Counts what is stored for the caller and for the signer. */
export const withStoreQuota =
  (quota: StoreQuota, execute: Execute): Execute =>
  async (command, call) => {
    if (!quota.counts(call.caller)) return execute(command, call);
    const size = Number(call.header('content-length') ?? 0);
    const reserved = await quota.reserve(call.caller, command.signer, size);
    if (isRefusal(reserved)) return reserved;
    let stored: Accepted | undefined;
    try {
      const accepted = await execute(command, call);
      const isStored = !isRefusal(accepted) && !accepted.replayed && !accepted.prepared;
      if (isStored) stored = accepted;
      return accepted;
    } finally {
      reserved.settle(stored);
    }
  };

/** Waits until enough mirrors have the entry. */
export const withCopies =
  (copied: (entry: NumberedEntry) => Promise<Refusal | undefined>, settle: AwaitSettlement): AwaitSettlement =>
  async (accepted) =>
    (await copied(accepted.entry)) ?? settle(accepted);

/** Waits for the receipt of the entry's moves. */
export const settlementWait =
  (settlement: Settlement): AwaitSettlement =>
  async ({ entry, replayed }) => {
    if (entry.core.moves.length === 0) return undefined;
    const { event } = entry.core;
    const receipt = await (replayed ? settlement.receipt(event.hash) : settlement.waitForReceipt(entry));
    const isReverted = receipt ? receipt.status === 'reverted' : settlement.hasReverted(entry);
    return isReverted ? reverted(entry) : receipt;
  };

/**
 * The chain refused an entry of the journal (docs/reference/errors.md#errors-after-the-commit); its event remains
 * committed.
 */
const reverted = ({ core: { event } }: NumberedEntry): Refusal =>
  refuse('INTERNAL_ERROR', 'the event is committed, and the chain has refused to settle it: settlement has halted', {
    eventHash: event.hash,
    nonce: event.nonce,
    committed: true,
  });
