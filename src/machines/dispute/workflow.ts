/**
 * Parts of a request about a dispute: the dispute decides, what it is about follows, its escrow pays, and its parties'
 * reputation hears of it, in one entry.
 */

import type { JsonObject } from '../../core/canonical.js';
import { paidOut } from '../escrow/parts.js';
import type { Resource } from '../kernel/resource.js';
import type { Before, Request, StepContext, SubCommand } from '../kernel/step.js';
import type { DisputeContext } from './machine.js';
import type { Opening } from './resource.js';
import { decided, type Ruling, type RulingInput } from './ruling.js';

export type Dispute = Resource<DisputeContext>;
type Ruled = DisputeContext & { readonly ruling: Ruling };

/** Who brought a ruling about, when, and in which words. */
type By = Pick<StepContext, 'signer' | 'time'> & { readonly resolution?: RulingInput['resolution'] | undefined };

/** What else follows from a ruling that ends what the dispute is about. */
export type Ending = (about: Resource, ruled: Ruled, by: By) => readonly SubCommand[];

/** By kind of what disputes are about. */
export type Endings = { readonly [kind: string]: Ending };

/** A new dispute: as the subject's workflow knows it, with what its party brings forward. */
export const opened = (id: string, opening: Opening, { input }: Request): SubCommand => ({
  kind: 'dispute',
  id,
  action: 'create',
  input: { ...input, ...opening } as unknown as JsonObject,
  asWorkflow: true,
});

/**
 * The parts of a request that asks for a ruling; the subject is told of a mere proposal where it was asked.
 */
export function resolving(
  { id, context }: Dispute,
  { input, kind }: Request,
  read: Before['resource'],
  { signer, time }: StepContext,
  endings: Endings,
): readonly SubCommand[] {
  const asked = input as unknown as RulingInput;
  const ruling = decided(context, { signer, time, input: asked });
  const decision: SubCommand = { kind: 'dispute', id, action: 'resolve', input };
  if (!ruling) return kind === 'dispute' ? [decision] : [decision, told(context, ruling)];
  const by = { signer, time, resolution: asked.resolution };
  return [decision, ...following({ ...context, ruling }, read, by, endings)];
}

/** What the subject hears: the ruling, or that one was proposed. */
const told = ({ subject: { kind, id } }: DisputeContext, ruling: Ruling | undefined): SubCommand => ({
  kind,
  id,
  action: 'resolve',
  input: { ...ruling },
  asWorkflow: true,
});

/** What follows from a ruling: the subject hears of it, its escrow pays, its parties' reputation and its listing's stats. */
export function following(ruled: Ruled, read: Before['resource'], by: By, endings: Endings): readonly SubCommand[] {
  const { subject, escrowId, ruling } = ruled;
  const about = read(subject.kind, subject.id);
  const ending = about && ruling.outcome !== 'resume' ? endings[subject.kind] : undefined;
  return [
    told(ruled, ruling),
    ...paidOut(escrowId, { release: ruling.providerPayment, refund: ruling.clientRefund }),
    ...(ending?.(about!, ruled, by) ?? []),
  ];
}

/** Whom an arbiter's decision went against; what the parties agreed on, now or for this case, is nobody's loss. */
export function loserOf({ ruling, client, provider }: Ruled, { signer, resolution }: By): string | undefined {
  if (signer === client || signer === provider || resolution === 'fallback') return undefined;
  return { release: client, refund: provider }[ruling.outcome as string];
}
