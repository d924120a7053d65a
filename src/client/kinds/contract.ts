/** Contracts, their milestones and disputes, as the client knows them (interface, Contracts). */
import type { ContractContext, Signature } from '../../machines/contract/machine.js';
import type { contract } from '../../machines/contract/resource.js';
import type { MilestoneTerms, Party } from '../../machines/contract/terms.js';
import type { DisputeContext } from '../../machines/dispute/machine.js';
import type { dispute } from '../../machines/dispute/resource.js';
import type { Outcome } from '../../machines/dispute/ruling.js';
import type { Kind, TypesOf } from '../kind.js';
import type { Permitted } from '../views.js';

export type ContractState = 'draft' | 'signed' | 'active' | 'completed' | 'terminated' | 'disputed';
export type MilestoneState = 'pending' | 'submitted' | 'approved' | 'rejected';

export interface Milestone extends MilestoneTerms, Permitted {
  readonly milestoneId: string;
  readonly state: MilestoneState;
  readonly status: MilestoneState;
  readonly submissions: number;
  readonly deliverables: readonly unknown[];
  readonly notes: string | null;
  readonly envelope: { readonly [member: string]: unknown } | null;
  readonly envelopeDigest: string | null;
  readonly submittedAt: number | null;
  readonly rating: number | null;
  readonly feedback: string | null;
  readonly answeredAt: number | null;
}

interface Kept {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resourcePrev: string;
  readonly txHash: string;
}

type Shown = Pick<
  ContractContext,
  'client' | 'provider' | 'arbiter' | 'terms' | 'payment' | 'termsHash' | 'amount' | 'paid' | 'refunded'
> &
  Pick<ContractContext, 'escrowId' | 'disputeId' | 'consented'>;

export interface Contract extends Shown, Kept, Permitted {
  readonly contractId: string;
  readonly state: ContractState;
  /** The list filter's word for the state. */
  readonly status: 'draft' | 'active' | 'completed' | 'disputed' | 'cancelled';
  readonly parties: readonly Party[];
  readonly milestones: readonly Milestone[];
  readonly signatures: readonly Signature[];
  readonly deadline: number | null;
  readonly remaining: number;
}

type Brought = Pick<
  DisputeContext,
  'subject' | 'escrowId' | 'client' | 'provider' | 'arbiter' | 'openedBy' | 'description' | 'fallback' | 'proposals'
>;

export interface Dispute extends Brought, Kept, Permitted {
  readonly disputeId: string;
  readonly contractId?: string;
  readonly orderId?: string;
  readonly status: 'open' | 'resolved';
  readonly state: 'open' | 'resolved';
  readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
  /** Each piece with its SHA-256. */
  readonly evidence: readonly { readonly hash: string; readonly [member: string]: unknown }[];
  /** Tokens in question. */
  readonly amount: number;
  readonly resolution: Outcome | null;
  readonly providerPayment: number | null;
  readonly clientRefund: number | null;
  readonly note: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: number | null;
  readonly networkArbiterFrom: number;
  readonly fallbackFrom: number;
}

type FromDefinition = TypesOf<typeof contract, Contract, 'client' | 'provider'>;
export interface ContractTypes extends FromDefinition {
  readonly create: Omit<FromDefinition['create'], 'networkArbiter'>;
  readonly inputs: Omit<FromDefinition['inputs'], 'resolve'> & { readonly resolve: Resolving };
  readonly parts: {
    readonly submit: Milestone;
    readonly approve: Milestone;
    readonly reject: Milestone;
    readonly dispute: Dispute;
  };
}
export type DisputeTypes = TypesOf<typeof dispute, Dispute, 'client' | 'provider' | 'arbiter'>;

const ofMilestone = (action: string) =>
  ({ path: `/contracts/:contractId/milestones/:milestoneId/actions/${action}`, answers: 'part' }) as const;

const contractShape = {
  kind: 'contract',
  path: '/contracts',
  idField: 'contractId',
  list: 'contracts',
  actions: {
    update: 'view',
    sign: 'view',
    activate: 'view',
    submit: ofMilestone('submit'),
    approve: ofMilestone('approve'),
    reject: ofMilestone('reject'),
    complete: 'view',
    consent: 'view',
    terminate: 'view',
    dispute: 'part',
    resolve: 'view',
  },
} as const;

const disputeShape = {
  kind: 'dispute',
  path: '/disputes',
  madeElsewhere: true,
  idField: 'disputeId',
  list: 'disputes',
  actions: { resolve: 'view' },
} as const;

export const contractKind: Kind<ContractTypes, typeof contractShape> = contractShape;
export const disputeKind: Kind<DisputeTypes, typeof disputeShape> = disputeShape;

/** What an order takes, too. */
export type Disputing = FromDefinition['inputs']['dispute'];
export type Resolving = DisputeTypes['inputs']['resolve'];
