/** The terms on which Tokens of another home's resident go home without its signature (docs/decisions/0033). */
import { canonical } from '../../core/canonical.js';
import type { RemoteRequestInput } from './resource.js';

/**
 * What is wrong with a request that sends Tokens home, as a sentence: it may only pay all that goes with it to the account
 * of their owner at the other home, from the account there of the home that sends it.
 */
export function flawOfHomeward(asked: RemoteRequestInput, from: string | null): string | undefined {
  const { owner, home, kind, resource, action, input, ids, money } = asked;
  if (from === null || owner === home || owner === from) return 'a home’s own Tokens do not go home';
  const isTransfer = kind === 'account' && resource === from && action === 'transfer' && ids === undefined;
  return isTransfer && money > 0 && canonical(input ?? {}) === canonical({ amount: money, to: owner ?? '' })
    ? undefined
    : 'Tokens go home by a transfer of all of them to their owner';
}
