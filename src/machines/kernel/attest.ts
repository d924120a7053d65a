/**
 * What a signer's key signs beside its event (`attests` of a definition): a party signs what it read. The actor makes
 * the signature with the key that signs the event, in the same step; replay verifies it.
 */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal } from '../../core/refusal.js';
import type { AnyDefinition, Resource } from './resource.js';
import { migrate } from './versioning.js';

export interface Attesting {
  readonly action: string;
  readonly id: string;
  readonly network: string;
}

/** The text to be signed; undefined where the action signs nothing more, or where there is no resource yet. */
export function attestation(
  definition: AnyDefinition | undefined,
  resource: Resource | undefined,
  { action, id, network }: Attesting,
): string | undefined {
  if (definition?.form !== 'machine' || !resource) return undefined;
  const text = definition.attests?.[action];
  const now = text && migrate(definition, resource);
  return !now || isRefusal(now) ? undefined : text(now.context as never, { network, id });
}

/** The input as the machine sees it. */
export const withSignature = (input: JsonObject, signature: string): JsonObject => ({ ...input, signature });
