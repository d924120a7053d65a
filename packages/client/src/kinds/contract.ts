/** Contracts with their milestones, and disputes, as the client knows them. */
import type { Kind, TypesOf } from '../kind.js';
import type { Contract, Dispute, Requests } from '../wire.js';

type DerivedContractTypes = TypesOf<'Contract', Contract, 'listContracts'>;

/** Of actions on a milestone, the member that the path takes. */
interface OfMilestone {
  readonly milestoneId: string;
}

export interface ContractTypes extends DerivedContractTypes {
  readonly inputs: DerivedContractTypes['inputs'] & {
    readonly submit: Requests['submitContract'] & OfMilestone;
    readonly approve: Requests['approveContract'] & OfMilestone;
    readonly reject: Requests['rejectContract'] & OfMilestone;
  };
}
export interface DisputeTypes extends TypesOf<'Dispute', Dispute, 'listDisputes'> {}

const ofMilestone = <const A extends string>(action: A) =>
  `/contracts/:contractId/milestones/:milestoneId/actions/${action}` as const;

const contractShape = {
  kind: 'contract',
  path: '/contracts',
  idField: 'contractId',
  list: 'contracts',
  actions: {
    update: null,
    sign: null,
    activate: null,
    submit: ofMilestone('submit'),
    approve: ofMilestone('approve'),
    reject: ofMilestone('reject'),
    complete: null,
    consent: null,
    terminate: null,
    dispute: null,
    resolve: null,
  },
} as const;

const disputeShape = {
  kind: 'dispute',
  path: '/disputes',
  madeElsewhere: true,
  idField: 'disputeId',
  list: 'disputes',
  actions: { resolve: null },
} as const;

export const contractKind: Kind<ContractTypes, typeof contractShape> = contractShape;
export const disputeKind: Kind<DisputeTypes, typeof disputeShape> = disputeShape;
