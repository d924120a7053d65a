/**
 * States in words. In the path of a nested state, `created.lapsed`, the outer state is the status and the inner one the
 * substate.
 */
import { words } from './format.ts';
import type { Amounts } from './outcome.ts';

const substates: { readonly [path: string]: string } = {
  'created.open': 'not funded yet',
  'created.cancelled': 'cancelled',
  'created.lapsed': 'lapsed: not funded in time',
  'active.open': 'open',
  'active.awarded': 'awarded: a bid was accepted',
  'active.ongoing': 'ongoing',
  'active.consented': 'consented: the client may terminate',
};

export const statusOf = (path: string): string => path.split('.', 1)[0]!;

/** The state of what moves inside a resource: `submitted` of `milestone/submitted`. */
export const innerState = (path: string): string => path.split('/').at(-1)!;

/**
 * `created, cancelled` of `created.cancelled`, `approved` of `milestone/approved`. An escrow has the name of its last move:
 * `refunded in part` if Tokens of it were paid out before.
 */
export function stateText(path: string, amounts: Amounts = {}): string {
  const [released, refunded] = [amounts.released, amounts.refunded].map((amount) => Number(amount ?? 0) > 0);
  if ((path === 'released' && refunded) || (path === 'refunded' && released)) return `${path} in part`;
  const substate = substateLabel(path);
  return substate === undefined ? innerState(path) : `${statusOf(path)}, ${substate}`;
}

/** Undefined if the state has no substate. */
export function substateLabel(path: string): string | undefined {
  const inner = path.slice(statusOf(path).length + 1);
  return inner === '' ? undefined : (substates[path] ?? words(inner));
}
