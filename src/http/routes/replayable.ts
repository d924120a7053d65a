/**
 * Idempotency-Key for writes that stay in this database and have no entry in the journal: new identities and API keys
 * (docs/reference/requests.md#idempotency). The record contains the id of what was made; the reply is rendered from it
 * again.
 */

import type { Idempotency } from '../../actors/command.js';
import { hourMs } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { Store } from '../../store/store.js';
import { callerName } from '../access/caller.js';
import type { ApiContext } from '../context/api-context.js';
import type { Call, Reply, Route } from '../server/route.js';

const table = 'local-replies';
/** Records are kept for at least a day. */
const keptMs = 48 * hourMs;
/** A request that crashed, perhaps in another process, frees its key after this time. */
const abandonedMs = 60_000;

interface Kept {
  readonly fingerprint: string;
  readonly at: number;
  /** The id of what was made; null while it is being made. */
  readonly made: string | null;
  readonly location?: string;
}

const otherRequest = refuse('UNPROCESSABLE', 'this Idempotency-Key was used with another request');

/** Makes a route idempotent, as its `replay` defines. */
export function replayable(route: Route, api: ApiContext): Route {
  if (!route.replay) return route;
  const { authorise, opens, madeBy, again } = route.replay;
  const { store, environment } = api;
  /** Requests in progress, by key: a second one in this process waits for the first one's outcome. */
  const underWay = new Map<string, Promise<unknown>>();

  async function inTurn(call: Call, idempotency: Idempotency): Promise<Reply | Refusal> {
    const unauthorised = await authorise?.(call);
    if (unauthorised) return unauthorised;
    const id = `${route.name} ${idempotency.principal}#${idempotency.key}`;
    for (let first = underWay.get(id); first; first = underWay.get(id)) await first.catch(() => {});
    const turn = once(call, id, idempotency);
    underWay.set(id, turn);
    return turn.finally(() => underWay.delete(id));
  }

  async function once(call: Call, id: string, { fingerprint, status }: Idempotency): Promise<Reply | Refusal> {
    const record = await store.getLocal(table, id);
    const kept = record?.value as Kept | undefined;
    const age = environment.now() - (kept?.at ?? 0);
    // If no other process writes, an unfinished request of an earlier process is dead; those of this process were
    // awaited above.
    if (kept && age < (kept.made !== null ? keptMs : store.exclusive ? 0 : abandonedMs)) {
      if (kept.fingerprint !== fingerprint) return otherRequest;
      if (kept.made === null)
        return refuse('CONFLICT', 'the first request with this Idempotency-Key is still under way', { retryAfter: 1 });
      const closed = await opens?.(call, kept.made);
      if (closed) return closed.code === 'TRANSFER_NOT_ALLOWED' ? otherRequest : closed;
      const body = await again(kept.made);
      const location = kept.location === undefined ? {} : { Location: kept.location };
      return isRefusal(body) ? body : { status, body, headers: { ...location, 'Idempotent-Replayed': 'true' } };
    }
    const keep = (made: string | null, revision: number, location = {}): Promise<boolean> =>
      store.putLocal(table, id, { fingerprint, at: environment.now(), made, ...location }, revision);
    const revision = record?.revision ?? 0;
    if (!(await keep(null, revision))) {
      return refuse('CONFLICT', 'the first request with this Idempotency-Key is still under way', { retryAfter: 1 });
    }
    let reply: Reply | Refusal;
    try {
      reply = await route.handle(call);
    } catch (error) {
      // Frees the key. If this fails as well, the key is free once the request counts as abandoned.
      await store.deleteLocal(table, id).catch(() => {});
      throw error;
    }
    // Only accepted writes are recorded.
    if (isRefusal(reply)) await store.deleteLocal(table, id);
    else await keep(madeBy(reply.body as JsonObject), revision + 1, locationOf(reply));
    return reply;
  }

  return {
    ...route,
    handle(call) {
      const principal = callerName(call.caller);
      const idempotency = api.writes.idempotency(call, principal, route.success.status === 201 ? 201 : 200);
      if (isRefusal(idempotency)) return idempotency;
      return idempotency ? inTurn(call, idempotency) : route.handle(call);
    },
  };
}

const locationOf = ({ headers }: Reply): { readonly location?: string } =>
  headers?.Location === undefined ? {} : { location: headers.Location };

/** Deletes expired records. */
export async function forgetOldReplies(store: Store, world: Environment): Promise<void> {
  for (const { id, value } of await store.listLocal(table)) {
    if ((value as unknown as Kept).at < world.now() - keptMs) await store.deleteLocal(table, id);
  }
}
