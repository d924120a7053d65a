/** Escrows, as the client knows them (interface, Escrows). */
import type { EscrowContext } from '../../machines/escrow/machine.js';
import type { escrow } from '../../machines/escrow/resource.js';
import type { Rule } from '../../machines/escrow/rule.js';
import type { Kind, TypesOf } from '../kind.js';
import type { Permitted } from '../views.js';

export type EscrowStatus = 'created' | 'funded' | 'released' | 'refunded' | 'expired';

export interface Escrow extends Omit<EscrowContext, 'lapsesAt' | 'purpose' | 'lapsed'>, Permitted {
  readonly escrowId: string;
  readonly id: string;
  readonly status: EscrowStatus;
  readonly remaining: number;
  /** The first of `releaseRules`. */
  readonly releaseRule: Rule | null;
  readonly purpose?: { readonly kind: string; readonly id: string };
  readonly lapsed?: true;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resourcePrev: string;
  readonly txHash: string;
}

export type EscrowTypes = TypesOf<typeof escrow, Escrow, 'depositor' | 'beneficiary' | 'arbiter'>;

const shape = {
  kind: 'escrow',
  path: '/escrows',
  idField: 'escrowId',
  list: 'escrows',
  actions: { fund: 'transfer', release: 'transfer', refund: 'transfer', expire: 'view', cancel: 'view' },
} as const;

export const escrowKind: Kind<EscrowTypes, typeof shape> = shape;
