/** The terms on which Tokens of another home's resident go home without its signature (docs/decisions/0033). */
import { canonical, type JsonObject } from '../../core/canonical.js';

/** The members of a remote request on which it depends. */
interface HomewardTerms {
  readonly owner?: string | undefined;
  readonly home: string;
  readonly kind: string;
  readonly resource: string;
  readonly action: string;
  readonly input?: JsonObject | undefined;
  readonly ids?: JsonObject | undefined;
  readonly money: number;
}

/**
 * What is wrong with a request that sends Tokens home, as a sentence: it may only pay all that goes with it to the account
 * of their owner at the other home, from the account there of the home that sends it.
 */
export function flawOfHomeward(asked: HomewardTerms, from: string | null): string | undefined {
  const { owner, home, kind, resource, action, input, ids, money } = asked;
  if (from === null || owner === home || owner === from) return 'a home’s own Tokens do not go home';
  const isTransfer = kind === 'account' && resource === from && action === 'transfer' && ids === undefined;
  return isTransfer && money > 0 && canonical(input ?? {}) === canonical({ amount: money, to: owner ?? '' })
    ? undefined
    : 'Tokens go home by a transfer of all of them to their owner';
}
