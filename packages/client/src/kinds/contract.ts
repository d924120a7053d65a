/** The client's description of contracts with their milestones, and of disputes. */
import type { Kind, TypesOf } from '../kind.js';
import type { Contract, Dispute, Requests } from '../wire.js';

type DerivedContractTypes = TypesOf<'Contract', Contract, 'listContracts'>;

/** The member that the paths of actions on a milestone need. */
interface OfMilestone {
  /** Id of the milestone. */
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
