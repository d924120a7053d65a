/** Refuses what a DID signs at a home that it has left (docs/reference/moving.md#after-a-move). */
import { type Refusal, refuse } from '../../core/refusal.js';
import type { Resource } from './definition.js';
import type { Request, StepContext } from './step.js';

/** The kind whose resources say where a DID lives; their ids are the DIDs. */
export const residenceKind = 'residence';

/**
 * @param homes at which the DID lives now
 * @param left the home at which it signs nothing any more
 */
export const movedAway = (did: string, homes: readonly { readonly home: string }[], left = 'this home'): Refusal =>
  refuse(
    'UNPROCESSABLE',
    `${did} has left ${left}, and lives at ${homes.map(({ home }) => home).join(' or ')}: act there`,
  );

/** Whether the DID has left the home of the journal that this residence is from. */
export const hasLeft = (residence: Pick<Resource, 'state'> | undefined): boolean => residence?.state === 'away';

/** @param residence of the signer; undefined unless it has moved. The move itself is decided by its machine. */
export function refusalOfMoved(
  { kind }: Pick<Request, 'kind'>,
  { signer }: Pick<StepContext, 'signer'>,
  residence: Resource | undefined,
): Refusal | undefined {
  return hasLeft(residence) && kind !== residenceKind
    ? movedAway(signer, [{ home: String(residence!.context.home) }])
    : undefined;
}
