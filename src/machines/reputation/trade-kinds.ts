/**
 * The kinds that a review may name in `ref`: those with a trade (`Trade` in kernel/definition.ts), identified by the prefix of the id.
 */
import type { JsonObject } from '../../core/canonical.js';
import { assert } from '../../core/refusal.js';
import type { AnyDefinition, Trade } from '../kernel/definition.js';

export interface TradeKind extends Trade<JsonObject> {
  readonly kind: string;
  readonly idPrefix: string;
}

export function tradeKindsOf(definitions: readonly AnyDefinition[]): TradeKind[] {
  const deals = definitions.flatMap((definition): TradeKind[] => {
    if (definition.form === 'ledger' || !definition.trade) return [];
    const { kind, trade } = definition;
    const idPrefix = definition.form === 'machine' ? definition.route.idPrefix : definition.trade!.idPrefix;
    return [{ ...(trade as Trade), kind, idPrefix }];
  });
  for (const { kind, idPrefix } of deals) {
    const other = deals.find((each) => each.kind !== kind && each.idPrefix.startsWith(idPrefix));
    assert(!other, `ids of ${other?.kind} begin like those of ${kind}`);
  }
  return deals;
}
