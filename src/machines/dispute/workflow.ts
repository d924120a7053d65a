/**
 * The sub-commands of a request about a dispute, in one entry: the dispute decides, the disputed resource follows, its
 * escrow pays, and the parties get reputation records.
 */

import type { JsonObject } from '../../core/canonical.js';
import { paidOut } from '../escrow/parts.js';
import type { ReadResource, Request, Resource, StepContext, SubCommand } from '../kernel/resource.js';
import type { DisputeContext } from './machine.js';
import type { Opening } from './resource.js';
import { decided, type Ruling, type RulingInput } from './ruling.js';

export type Dispute = Resource<DisputeContext>;
type Ruled = DisputeContext & { readonly ruling: Ruling };

type By = Pick<StepContext, 'signer' | 'time'> & { readonly resolution?: RulingInput['resolution'] | undefined };

/** Further sub-commands when a ruling ends the disputed resource. */
export type RulingFollowUp = (
  about: Resource,
  ruled: Ruled,
  by: By & { readonly resource: ReadResource },
) => readonly SubCommand[];

/** By kind of the disputed resource. */
export type RulingFollowUps = { readonly [kind: string]: RulingFollowUp };

export const opened = (id: string, opening: Opening, { input }: Request): SubCommand => ({
  kind: 'dispute',
  id,
  action: 'create',
  input: { ...input, ...opening } as unknown as JsonObject,
  asWorkflow: true,
});

export function resolving(
  { id, context }: Dispute,
  { input, kind }: Request,
  read: ReadResource,
  { signer, time }: StepContext,
  endings: RulingFollowUps,
): readonly SubCommand[] {
  const asked = input as unknown as RulingInput;
  const ruling = decided(context, { signer, time, input: asked });
  const decision: SubCommand = { kind: 'dispute', id, action: 'resolve', input };
  if (!ruling) return kind === 'dispute' ? [decision] : [decision, forSubject(context, ruling)];
  const by = { signer, time, resolution: asked.resolution };
  return [decision, ...following({ ...context, ruling }, read, by, endings)];
}

const forSubject = ({ subject: { kind, id } }: DisputeContext, ruling: Ruling | undefined): SubCommand => ({
  kind,
  id,
  action: 'resolve',
  input: { ...ruling },
  asWorkflow: true,
});

/**
 * The sub-commands that implement a ruling: the disputed resource, its escrow, the parties' reputation and the
 * listing's statistics.
 */
export function following(ruled: Ruled, read: ReadResource, by: By, endings: RulingFollowUps): readonly SubCommand[] {
  const { subject, escrowId, ruling } = ruled;
  const about = read(subject.kind, subject.id);
  const ending = about && ruling.outcome !== 'resume' ? endings[subject.kind] : undefined;
  return [
    forSubject(ruled, ruling),
    ...paidOut(escrowId, { release: ruling.providerPayment, refund: ruling.clientRefund }),
    ...(ending?.(about!, ruled, { ...by, resource: read }) ?? []),
  ];
}

/** The party against which an arbiter decided. An outcome that the parties agreed on has no loser. */
export function loserOf({ ruling, client, provider }: Ruled, { signer, resolution }: By): string | undefined {
  if (signer === client || signer === provider || resolution === 'fallback') return undefined;
  return { release: client, refund: provider }[ruling.outcome as string];
}
