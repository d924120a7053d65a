/**
 * What a review may name in `ref`: whatever says of itself that it stands for a deal (kernel/deal.ts), told by the
 * beginning of its id.
 */
import type { JsonObject } from '../kernel/canonical.js';
import type { Deal } from '../kernel/deal.js';
import { assert } from '../kernel/refusal.js';
import type { AnyDefinition } from '../kernel/resource.js';

export interface DealKind extends Deal<JsonObject> {
  readonly kind: string;
  readonly idPrefix: string;
}

export function dealKindsOf(definitions: readonly AnyDefinition[]): DealKind[] {
  const deals = definitions.flatMap((definition): DealKind[] => {
    if (definition.form === 'ledger' || !definition.deal) return [];
    const { kind, deal } = definition;
    const idPrefix = definition.form === 'machine' ? definition.route.idPrefix : definition.deal!.idPrefix;
    return [{ ...(deal as Deal), kind, idPrefix }];
  });
  for (const { kind, idPrefix } of deals) {
    const other = deals.find((each) => each.kind !== kind && each.idPrefix.startsWith(idPrefix));
    assert(!other, `ids of ${other?.kind} begin like those of ${kind}`);
  }
  return deals;
}
