/**
 * An additional signature by the signer's key (`attests` of a definition), for example over a contract's terms. The
 * actor makes it with the key that signs the event, in the same step; replay verifies it.
 */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal } from '../../core/refusal.js';
import type { AnyDefinition } from './definition.js';
import type { Resource } from './resource.js';
import { migrate } from './versioning.js';

export interface Attesting {
  readonly action: string;
  readonly id: string;
  readonly network: string;
  /** The home in the signed event. */
  readonly home: string;
}

/** The scope in which a signature is valid. */
export const placeText = (network: string, home: string): string => `v2:${network}:${home}`;

/** The text to sign; undefined if the action requires no such signature, or the resource does not exist yet. */
export function attestation(
  definition: AnyDefinition | undefined,
  resource: Resource | undefined,
  { action, id, network, home }: Attesting,
): string | undefined {
  if (definition?.form !== 'machine' || !resource) return undefined;
  const text = definition.attests?.[action];
  const now = text && migrate(definition, resource);
  return !now || isRefusal(now) ? undefined : text(now.context as never, { id, place: placeText(network, home) });
}

/** The input as the machine receives it. */
export const withSignature = (input: JsonObject, signature: string): JsonObject => ({ ...input, signature });
