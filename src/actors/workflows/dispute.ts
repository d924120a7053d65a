/**
 * Parts of a request about a dispute: the dispute decides, what it is about follows, its escrow pays, and its parties'
 * reputation hears of it, in one entry.
 */
import type { DisputeContext } from '../../machines/dispute/machine.js';
import type { Opening } from '../../machines/dispute/resource.js';
import { decided, type Ruling, type RulingInput } from '../../machines/dispute/ruling.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import type { Resource } from '../../machines/kernel/resource.js';
import type { Before, Circumstance, Part, Request } from '../../machines/kernel/step.js';
import { paidOut } from './escrow-parts.js';

export type Dispute = Resource<DisputeContext>;
type Ruled = DisputeContext & { readonly ruling: Ruling };

/** What else follows from a ruling that ends what the dispute is about. */
export type Ending = (about: Resource, ruled: Ruled, by: Pick<Circumstance, 'signer' | 'time'>) => readonly Part[];

/** A new dispute: as the subject's workflow knows it, with what its party brings forward. */
export const opened = (id: string, opening: Opening, { input }: Request): Part => ({
  kind: 'dispute',
  id,
  action: 'create',
  input: { ...input, ...opening } as unknown as JsonObject,
  asWorkflow: true,
});

/**
 * The parts of a request that asks for a ruling; the subject is told of a mere proposal where it was asked.
 * @param endings by kind of what disputes are about
 */
export function resolving(
  { id, context }: Dispute,
  { input, kind }: Request,
  read: Before['resource'],
  { signer, time }: Circumstance,
  endings: { readonly [kind: string]: Ending },
): readonly Part[] {
  const { subject, escrowId } = context;
  const about = read(subject.kind, subject.id);
  const ruling = decided(context, { signer, time, input: input as unknown as RulingInput });
  const told = {
    kind: subject.kind,
    id: subject.id,
    action: 'resolve',
    input: { ...ruling },
    asWorkflow: true,
  } as const;
  const decision: Part = { kind: 'dispute', id, action: 'resolve', input };
  if (!ruling) return kind === 'dispute' ? [decision] : [decision, told];
  const ending = about && ruling.outcome !== 'resume' ? endings[subject.kind] : undefined;
  return [
    decision,
    told,
    ...paidOut(escrowId, { release: ruling.providerPayment, refund: ruling.clientRefund }),
    ...(ending?.(about!, { ...context, ruling }, { signer, time }) ?? []),
  ];
}

/** Whom an arbiter's decision went against; what the parties agreed on is nobody's loss. */
export function loserOf({ ruling, client, provider }: Ruled, signer: string): string | undefined {
  if (signer === client || signer === provider) return undefined;
  return { release: client, refund: provider }[ruling.outcome as string];
}
