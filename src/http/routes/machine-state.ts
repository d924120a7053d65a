/**
 * The content that an entry's `stateHash` covers, for a resource as it is now, so that callers can verify state against
 * the journal.
 */
import { leavesIn, rendered } from '../../core/leaf.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { saltFor } from '../../core/sealed-hash.js';
import { versionPart } from '../../machines/kernel/state-hash.js';
import { dividedContext, isVisible, mayReadState } from '../../machines/kernel/visibility.js';
import { storedPayloadOf } from '../../store/payload.js';
import type { Snapshot } from '../../store/store.js';
import { isCompanionHidden } from '../access/visibility.js';
import { knownKind, refusalsOfAnyKind } from '../charts/known-kind.js';
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
    summary: 'Get the state and context of one resource, which the `stateHash` of its newest entry covers.',
    success: { status: 200, schema: stateSchema, description: 'its newest version' },
    refuses: ['FORBIDDEN', ...refusalsOfAnyKind(api)],
    async handle(call) {
      const snapshot = await shownTo(api, call);
      if (isRefusal(snapshot)) return snapshot;
      const { kind, id, version, machine, state, lastHash } = snapshot;
      const context = await toldContext(api, snapshot, call.caller.reader);
      return { status: 200, body: { kind, id, version, machine, state, ...context, eventHash: lastHash } };
    },
  };
}

/** The context with the texts of its leaves, and what proves that they are what `stateHash` covers. */
async function toldContext(
  { store, moderations, catalogue }: ApiContext,
  resource: Snapshot,
  reader: string | undefined,
) {
  const { kind, context, lastHash } = resource;
  const texts = await moderations.texts([...leavesIn(context)], reader, true);
  const { value, leaves } = rendered(context, (hash) => texts.get(hash));
  const { confidential } = dividedContext(catalogue.definitions[kind], context);
  const entry = confidential && (await store.entryByEvent(lastHash));
  const { salt = '' } = entry ? storedPayloadOf(entry.payloadText) : {};
  return {
    context: value,
    ...(Object.keys(leaves).length > 0 && { leaves }),
    ...(confidential && { confidential: Object.keys(confidential), salt: saltFor(salt, versionPart(resource)) }),
  };
}

/** A resource of which this reader may see all payloads, and therefore the whole context. */
async function shownTo(api: ApiContext, { params, caller }: Call): Promise<Snapshot | Refusal> {
  const [kind, id] = [params.kind!, params.id!];
  const definition = knownKind(api, kind);
  if (isRefusal(definition)) return definition;
  const isMachine = definition.form === 'machine';
  const code = isMachine ? definition.refusals.unknown : 'NOT_FOUND';
  const snapshot = await api.committed.resource(kind, id);
  const isHidden =
    !snapshot ||
    (isMachine && !isVisible(definition, snapshot, caller.reader)) ||
    (await isCompanionHidden(api, { kind, id }, caller.reader));
  if (isHidden) return refuse(code, `no ${kind} ${id} on this network`);
  return !isMachine || mayReadState(definition, snapshot.context, caller.reader)
    ? snapshot
    : refuse('FORBIDDEN', `only the parties can see the state of this ${kind}: use a key that is bound to one of them`);
}
