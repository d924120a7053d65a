/** What the `stateHash` of an entry covers, as one resource stands now: for whoever holds states against the journal. */
import { isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { Snapshot } from '../../store/store.js';
import type { Desk } from '../desk.js';
import { knownKind } from '../machines/known-kind.js';
import type { Call, Route } from '../route.js';
import { stateSchema } from '../schemas/machines.js';
import { isShown } from '../visibility.js';

export function stateRoute(desk: Desk): Route {
  return {
    method: 'GET',
    tag: 'Machines',
    scope: 'read',
    path: '/api/v1/machines/:kind/:id/state',
    name: 'getMachineState',
    summary: 'State and context of one resource: what the `stateHash` of its newest entry is the hash of.',
    success: { status: 200, schema: stateSchema, description: 'its newest version' },
    async handle(call) {
      const found = await shownTo(desk, call);
      if (isRefusal(found)) return found;
      const { kind, id, version, machine, state, context, lastHash } = found;
      return { status: 200, body: { kind, id, version, machine, state, context, eventHash: lastHash } };
    },
  };
}

/** A resource whose payloads this reader may see; their sum is the context. */
async function shownTo(desk: Desk, { params, caller }: Call): Promise<Snapshot | Refusal> {
  const [kind, id] = [params.kind!, params.id!];
  const definition = knownKind(desk, kind);
  if (isRefusal(definition)) return definition;
  const { committed } = desk.options.actors;
  const snapshot = await committed.resource(kind, id);
  const isMachine = definition.form === 'machine';
  const code = isMachine ? definition.refusals.unknown : 'NOT_FOUND';
  const isHidden = isMachine
    ? snapshot && definition.visibleTo?.(snapshot.context as never, caller.did) === false
    : false;
  if (!snapshot || isHidden || (await liesBesideHidden(desk, { kind, id }, caller.did)))
    return refuse(code, `no ${kind} ${id} on this network`);
  return !isMachine || isShown(definition, snapshot.context, caller.did)
    ? snapshot
    : refuse('FORBIDDEN', `what a ${kind} holds is shown to its parties: use a key bound to one of them`);
}

/** What lies beside a resource (figures beside a listing) is for those who may read that one. */
async function liesBesideHidden(
  desk: Desk,
  { kind, id }: Pick<Snapshot, 'kind' | 'id'>,
  reader: string | undefined,
): Promise<boolean> {
  const { actors } = desk.options;
  for (const each of Object.values(actors.options.catalogue.definitions)) {
    if (each.form !== 'machine' || each.beside !== kind) continue;
    const owner = await actors.committed.resource(each.kind, id);
    if (owner && !isShown(each, owner.context, reader)) return true;
  }
  return false;
}
