/** Sub-commands for the escrow of an order, a lease or a contract: only the owner's workflow moves it. */
import type { SubCommand } from '../kernel/resource.js';

const asked = (id: string, action: string, input: SubCommand['input']): SubCommand => ({
  kind: 'escrow',
  id,
  action,
  input,
  asWorkflow: true,
});

export interface Locking {
  readonly id: string;
  readonly beneficiary: string;
  readonly amount: number;
  /** The resource that owns the escrow. */
  readonly purpose: { readonly kind: string; readonly id: string };
}

/** Creates an escrow and funds it from the signer's account. */
export const locked = ({ id, ...escrow }: Locking): SubCommand =>
  asked(id, 'create', { ...escrow, releaseRules: [], autoFund: true });

/** Releases a part to the beneficiary and refunds the rest; omits amounts of 0. */
export function paidOut(
  id: string | null,
  { release = 0, refund = 0 }: { readonly release?: number; readonly refund?: number },
): SubCommand[] {
  if (id === null) return [];
  return [
    ...(release > 0 ? [asked(id, 'release', { amount: release })] : []),
    ...(refund > 0 ? [asked(id, 'refund', { amount: refund, reason: 'given back by its owner' })] : []),
  ];
}
