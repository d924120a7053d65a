/**
 * The content that an entry's `stateHash` covers, for a resource as it is now, so that callers can verify state against
 * the journal.
 */
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { isVisible, mayReadState } from '../../machines/kernel/visibility.js';
import type { Snapshot } from '../../store/store.js';
import { isCompanionHidden } from '../access/visibility.js';
import { knownKind, refusalsOfAnyKind } from '../charts/known-kind.js';
import type { ApiContext } from '../context/api-context.js';
import type { Located } from '../context/home-reader.js';
import { stateSchema } from '../openapi/schemas/machines.js';
import { originIn } from '../render/render.js';
import type { Call, Route } from '../server/route.js';

export function stateRoute(api: ApiContext): Route {
  return {
    method: 'GET',
    tag: 'Machines',
    scope: 'read',
    path: '/api/v1/machines/:kind/:id/state',
    name: 'getMachineState',
    summary: 'Get the state and context of one resource, which the `stateHash` of its newest entry covers.',
    success: { status: 200, schema: stateSchema, description: 'its newest version' },
    refuses: ['FORBIDDEN', ...refusalsOfAnyKind(api)],
    async handle(call) {
      const located = await shownTo(api, call);
      if (isRefusal(located)) return located;
      const { kind, id, version, machine, state, context, lastHash } = located.found;
      const body = { kind, id, version, machine, state, context, eventHash: lastHash, ...originIn(located.at) };
      return { status: 200, body };
    },
  };
}

/** A resource of which this reader may see all payloads, and therefore the whole context. */
async function shownTo(api: ApiContext, { params, caller }: Call): Promise<Located<Snapshot> | Refusal> {
  const [kind, id] = [params.kind!, params.id!];
  const definition = knownKind(api, kind);
  if (isRefusal(definition)) return definition;
  const isMachine = definition.form === 'machine';
  const code = isMachine ? definition.refusals.unknown : 'NOT_FOUND';
  const located = await api.reading.find(id, async (at, bare) => {
    const snapshot = await at.committed.resource(kind, bare);
    if (!snapshot || (isMachine && !isVisible(definition, snapshot, caller.did))) return undefined;
    return (await isCompanionHidden(at, { kind, id: bare }, caller.did)) ? undefined : snapshot;
  });
  if (!located) return refuse(code, `no ${kind} ${id} on this network`);
  if (isRefusal(located)) return located;
  return !isMachine || mayReadState(definition, located.found.context, caller.did)
    ? located
    : refuse('FORBIDDEN', `only the parties can see the state of this ${kind}: use a key that is bound to one of them`);
}
