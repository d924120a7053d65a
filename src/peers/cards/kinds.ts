/** The kinds of which others keep cards: listings of every market, with their statistics, and identities. */
import { searchedOf } from '../../machines/catalogue.js';
import { identity } from '../../machines/identity/identity.js';
import type { AnyResource, Catalogue } from '../../machines/kernel/definition.js';
import type { Request } from '../../machines/kernel/resource.js';

export interface CardKinds {
  readonly listings: ReadonlyMap<string, AnyResource>;
  /** By the kind of the statistics, the kinds of listings that have them. */
  readonly companions: ReadonlyMap<string, readonly AnyResource[]>;
}

export function cardKinds(catalogue: Catalogue): CardKinds {
  const searched = searchedOf(catalogue);
  const companions = new Map<string, AnyResource[]>();
  for (const definition of searched) {
    if (definition.companion === undefined) continue;
    companions.set(definition.companion, [...(companions.get(definition.companion) ?? []), definition]);
  }
  return {
    listings: new Map(searched.map((definition) => [definition.kind, definition])),
    companions,
  };
}

/** Whether the event of this payload states a listing or an identity. */
export const isStatement = ({ listings }: CardKinds, { kind, action }: Pick<Request, 'kind' | 'action'>): boolean =>
  kind === identity.kind
    ? Object.hasOwn(identity.actions, action)
    : listings.has(kind) && (action === 'create' || action === 'update');
