/**
 * An identity as its holder has stated it, computed from the inputs of signed events alone (docs/reference/feeds.md#cards).
 * The inputs come from elsewhere, so their form is checked here.
 */
import type { JsonObject } from '../../core/canonical.js';
import { isLeaf } from '../../core/leaf.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { type IdentityContext, identity } from './identity.js';

const leaf = is.refined(is.freeObject, (value) => isLeaf(value) || 'is no reference to a text');
const forms = {
  update: is.object({
    document: is.object({
      displayName: is.optional(leaf),
      bio: is.optional(leaf),
      avatar: is.optional(leaf),
      platformLinks: is.optional(leaf),
    }),
    prevDocHash: is.hash,
  }),
  register: is.object({ credential: leaf }),
} as const;

/** @param action one of the kind */
export function statedIdentity(
  before: JsonObject | undefined,
  { id, signer, action, input, time }: { id: string; signer: string; action: string; input: JsonObject; time: number },
): IdentityContext | Refusal {
  if (signer !== id) return refuse('FORBIDDEN', 'another DID has stated it');
  const parsed = is.parse<unknown>(forms[action as keyof typeof forms], input);
  if (isRefusal(parsed)) return parsed;
  const { reduce } = identity.actions[action]!;
  const event = { type: action, signer, roles: [], time, input: parsed, network: '', home: '', id, lastHash: null };
  return reduce((before ?? null) as never, event as never) as unknown as IdentityContext | Refusal;
}
