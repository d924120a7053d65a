/**
 * The effects of contracts on other resources (docs/reference/contracts-and-disputes.md): activation locks the payment,
 * approval pays a milestone, and complete, terminate and resolve distribute the rest. The contract's own sub-command
 * comes first and may refuse.
 */

import type { Fallback } from '../dispute/ruling.js';
import { type Dispute, opened, resolving } from '../dispute/workflow.js';
import { locked, paidOut } from '../escrow/parts.js';
import type { ReadResource, Request, Resource, SubCommand, Workflow } from '../kernel/resource.js';
import { type ContractContext, rest, unanswered } from './machine.js';
import { contractEnding, recordsOf } from './records.js';
import { sumOf } from './terms.js';

type Contract = Resource<ContractContext>;

const contractIn = (read: ReadResource, { id }: Request): Contract | undefined =>
  read('contract', id) as unknown as Contract | undefined;

/** A workflow that appends sub-commands to the contract's own. */
const adding = (
  more: (contract: Contract, request: Request, time: number) => readonly SubCommand[],
  own: (request: Request) => Request = (request) => request,
): Workflow => ({
  revision: 1,
  subCommands(request, read, { time }) {
    const contract = contractIn(read, request);
    return contract ? [own(request), ...more(contract, request, time)] : [request];
  },
});

const naming =
  (part: 'escrow' | 'dispute') =>
  (request: Request): Request => ({ ...request, input: { ...request.input, [`${part}Id`]: request.ids?.[part] } });

const activating = adding(
  ({ context: { provider } }, { id, input, ids }) => [
    locked({
      id: ids?.escrow ?? '',
      beneficiary: provider,
      amount: input.amount as number,
      purpose: { kind: 'contract', id },
    }),
  ],
  naming('escrow'),
);

const approving = adding(({ context: { milestones, escrowId } }, { input }) =>
  paidOut(escrowId, { release: milestones.find(({ id }) => id === input.milestoneId)?.amount ?? 0 }),
);

const settling = adding(({ context }, _, time) =>
  paidOut(context.escrowId, { release: sumOf(unanswered(context, time)) }),
);

const completing = adding(({ id, context }, _, time) => [
  ...paidOut(context.escrowId, { release: rest(context) }),
  ...recordsOf({ id, context, time }),
]);

const terminating = adding(({ context }) => paidOut(context.escrowId, { refund: rest(context) }));

const disputing = adding(({ context }, request) => {
  const { client, provider, arbiter, networkArbiter, escrowId, terms } = context;
  const opening = {
    ...{ client, provider, arbiter, networkArbiter, escrowId },
    subject: { kind: 'contract', id: request.id },
    fallback: (terms.fallback as Fallback | undefined) ?? 'split',
    rest: rest(context),
    resumable: true,
  };
  return [opened(request.ids?.dispute ?? '', opening, request)];
}, naming('dispute'));

const resolvingContract: Workflow = {
  revision: 1,
  subCommands(request, read, circumstance) {
    const disputeId = contractIn(read, request)?.context.disputeId;
    const dispute = disputeId ? (read('dispute', disputeId) as unknown as Dispute | undefined) : undefined;
    return dispute ? resolving(dispute, request, read, circumstance, { contract: contractEnding }) : [request];
  },
};

export const contractWorkflows: { readonly [action: string]: Workflow } = {
  'contract.activate': activating,
  'contract.approve': approving,
  'contract.settle': settling,
  'contract.complete': completing,
  'contract.terminate': terminating,
  'contract.dispute': disputing,
  'contract.resolve': resolvingContract,
};
