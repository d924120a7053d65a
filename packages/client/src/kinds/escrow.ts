/** The client's description of escrows. */
import type { Kind, TypesOf } from '../kind.js';
import type { Escrow } from '../wire.js';

export interface EscrowTypes extends TypesOf<'Escrow', Escrow, 'listEscrows'> {}

const shape = {
  kind: 'escrow',
  path: '/escrows',
  idField: 'escrowId',
  list: 'escrows',
  actions: { fund: null, release: null, refund: null, expire: null, cancel: null },
} as const;

export const escrowKind: Kind<EscrowTypes, typeof shape> = shape;
