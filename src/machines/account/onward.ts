/**
 * Transfers whose receiver pays on, at another home (docs/reference/other-homes.md#tokens-between-homes). Who pays on, or
 * gives back, names the transfer that it is for. That name is the id of a resource, so that the store's unique keys
 * prevent any process from paying twice for one transfer.
 */
import { canonical, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { defineReducer } from '../kernel/definition.js';
import type { Workflow } from '../kernel/resource.js';

export const onwardKind = 'onward';

export const onwardInput = is.object({
  home: is.described(is.did, 'The home where the receiver shall pay.'),
  to: is.described(is.account, 'DID or address that it shall pay there.'),
});
export type Onward = is.TypeOf<typeof onwardInput>;

export const onwardOfInput = is.object({
  home: is.described(is.did, 'The home where that transfer was made.'),
  event: is.described(is.hash, 'Hash of its event.'),
});
export type OnwardOf = is.TypeOf<typeof onwardOfInput>;

/** The resource that a payment for a transfer writes. Each payer has its own, so that no other can keep it from paying. */
export const onwardId = (payer: string, { home, event }: OnwardOf): string =>
  sha256Hex(canonical({ payer, home, event }));

const paid = is.object({ payer: is.did, home: is.did, event: is.hash });

/** `id`: see onwardId. */
export const onward = defineReducer<is.TypeOf<typeof paid>>({
  kind: onwardKind,
  revision: 1,
  roles: {},
  actions: {
    take: {
      event: 'transfer.sent',
      who: ['workflow'],
      input: paid,
      reduce: (context, { input }) =>
        context
          ? refuse('CONFLICT', `the transfer ${input.event} was paid onward, or given back, already`)
          : { ...input },
    },
  },
});

/** `account.transfer`: one that names another transfer claims it, in the same entry. */
export const transferring: Workflow = {
  revision: 1,
  subCommands(request) {
    const { onwardOf } = request.input as { readonly onwardOf?: OnwardOf };
    if (!onwardOf) return [request];
    const input: JsonObject = { payer: request.id, home: onwardOf.home, event: onwardOf.event };
    return [{ kind: onwardKind, id: onwardId(request.id, onwardOf), action: 'take', input, asWorkflow: true }, request];
  },
};
