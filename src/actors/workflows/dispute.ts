/**
 * `dispute.resolve`, and resolve of what a dispute is about: the dispute decides, what it is about follows, and its
 * escrow pays, in one entry.
 */

import type { ContractContext } from '../../machines/contract/machine.js';
import type { DisputeContext } from '../../machines/dispute/machine.js';
import type { Opening } from '../../machines/dispute/resource.js';
import { decided, type Ruling, type RulingInput } from '../../machines/dispute/ruling.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import type { Resource } from '../../machines/kernel/resource.js';
import type { Before, Circumstance, Part, Request, Workflow } from '../../machines/kernel/step.js';
import { recordsOf } from './contract-records.js';
import { paidOut } from './escrow-parts.js';

export type Dispute = Resource<DisputeContext>;

/** A new dispute: as the subject's workflow knows it, with what its party brings forward. */
export const opened = (id: string, opening: Opening, { input }: Request): Part => ({
  kind: 'dispute',
  id,
  action: 'create',
  input: { ...input, ...opening } as unknown as JsonObject,
  asWorkflow: true,
});

/** The parts of a request that asks for a ruling; the subject is told of a mere proposal where it was asked. */
export function resolving(
  { id, context }: Dispute,
  { input, kind }: Request,
  read: Before['resource'],
  { signer, time }: Circumstance,
): readonly Part[] {
  const asked = input as unknown as RulingInput;
  const ruling = decided(context, { signer, time, input: asked });
  const { subject, escrowId } = context;
  const told: Part = {
    ...{ kind: subject.kind, id: subject.id, action: 'resolve', asWorkflow: true },
    input: { ...ruling },
  };
  const about = read(subject.kind, subject.id);
  const ended = ruling && about && ruling.outcome !== 'resume' ? endings[subject.kind] : undefined;
  return [
    { kind: 'dispute', id, action: 'resolve', input },
    ...(ruling || kind !== 'dispute' ? [told] : []),
    ...(ruling ? paidOut(escrowId, { release: ruling.providerPayment, refund: ruling.clientRefund }) : []),
    ...(ended?.(about!, { ...context, ruling: ruling! }, { signer, time }) ?? []),
  ];
}

type Ending = (
  about: Resource,
  ruled: DisputeContext & { readonly ruling: Ruling },
  by: Pick<Circumstance, 'signer' | 'time'>,
) => readonly Part[];

/** Whom an arbiter's decision went against; what the parties agreed on is nobody's loss. */
export function loserOf({ ruling, client, provider }: Parameters<Ending>[1], signer: string): string | undefined {
  if (signer === client || signer === provider) return undefined;
  return { release: client, refund: provider }[ruling.outcome as string];
}

/** What follows for the reputation of the parties, by what the dispute was about. */
const endings: { readonly [kind: string]: Ending } = {
  contract(about, ruled, { signer, time }) {
    const loser = loserOf(ruled, signer);
    // A contract that its parties gave up was not carried out.
    if (ruled.ruling.outcome === 'refund' && loser === undefined) return [];
    return recordsOf({ id: about.id, context: about.context as unknown as ContractContext, time, loser });
  },
};

export const resolvingDispute: Workflow = {
  revision: 1,
  parts(request, read, circumstance) {
    const dispute = read('dispute', request.id) as unknown as Dispute | undefined;
    // Its own part says what is wrong where it is not there or is over.
    return dispute?.state === 'open' ? resolving(dispute, request, read, circumstance) : [request];
  },
};
