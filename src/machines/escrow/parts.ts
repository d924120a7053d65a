/**
 * What the owner of an escrow asks of it: an order, a lease or a contract moves it, nobody else.
 */
import type { SubCommand } from '../kernel/step.js';

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
  /** What it belongs to. */
  readonly purpose: { readonly kind: string; readonly id: string };
}

/** Made and funded by the signer. */
export const locked = ({ id, ...escrow }: Locking): SubCommand =>
  asked(id, 'create', { ...escrow, releaseRules: [], autoFund: true });

/** Part of it to the beneficiary, part of it back; nothing where it is nothing. */
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
