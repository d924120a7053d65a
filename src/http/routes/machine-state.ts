/**
 * The content that an entry's `stateHash` covers, for a resource as it is now: for verifying state against the journal.
 */
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { mayReadState } from '../../machines/kernel/visibility.js';
import type { Snapshot } from '../../store/store.js';
import { isCompanionHidden } from '../access/visibility.js';
import { knownKind } from '../charts/known-kind.js';
import type { ApiContext } from '../context/api-context.js';
import { stateSchema } from '../openapi/schemas/machines.js';
import type { Call, Route } from '../server/route.js';

export function stateRoute(api: ApiContext): Route {
  return {
    method: 'GET',
    tag: 'Machines',
    scope: 'read',
    path: '/api/v1/machines/:kind/:id/state',
    name: 'getMachineState',
    summary: 'State and context of one resource: what the `stateHash` of its newest entry is the hash of.',
    success: { status: 200, schema: stateSchema, description: 'its newest version' },
    async handle(call) {
      const found = await shownTo(api, call);
      if (isRefusal(found)) return found;
      const { kind, id, version, machine, state, context, lastHash } = found;
      return { status: 200, body: { kind, id, version, machine, state, context, eventHash: lastHash } };
    },
  };
}

/** A resource all of whose payloads this reader may see: together they contain the whole context. */
async function shownTo(api: ApiContext, { params, caller }: Call): Promise<Snapshot | Refusal> {
  const [kind, id] = [params.kind!, params.id!];
  const definition = knownKind(api, kind);
  if (isRefusal(definition)) return definition;
  const { committed } = api;
  const snapshot = await committed.resource(kind, id);
  const isMachine = definition.form === 'machine';
  const code = isMachine ? definition.refusals.unknown : 'NOT_FOUND';
  const isHidden = isMachine
    ? snapshot && definition.isVisibleTo?.(snapshot.context as never, caller.did) === false
    : false;
  if (!snapshot || isHidden || (await isCompanionHidden(api, { kind, id }, caller.did)))
    return refuse(code, `no ${kind} ${id} on this network`);
  return !isMachine || mayReadState(definition, snapshot.context, caller.did)
    ? snapshot
    : refuse('FORBIDDEN', `what a ${kind} holds is shown to its parties: use a key bound to one of them`);
}
