/**
 * The history of a resource: its steps, and the actions that are permitted now. Readers of the resource may read it.
 */

import { bounds } from '../../core/bounds.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { rolesOf } from '../../machines/kernel/sub-command.js';
import { migrate } from '../../machines/kernel/versioning.js';
import { mayReadState } from '../../machines/kernel/visibility.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { Snapshot } from '../../store/store.js';
import { chartViewOf } from '../charts/chart-view.js';
import { knownKind, refusalsOfAnyKind } from '../charts/known-kind.js';
import { NestedSteps } from '../charts/nested-steps.js';
import { verdictsOf } from '../charts/permission.js';
import { versionOf, walked } from '../charts/steps.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import { historySchema, permittedSchema } from '../openapi/schemas/machines.js';
import type { Call, Route } from '../server/route.js';
import { visibleResource } from './derived-reads.js';

const shared = (api: ApiContext) =>
  ({ method: 'GET', tag: 'Machines', scope: 'read', refuses: refusalsOfAnyKind(api) }) as const;
const below = '/api/v1/machines/:kind/:id';

export interface FoundResource {
  readonly definition: AnyResource;
  readonly snapshot: Snapshot;
}

/** The resource, or the refusal of a read of it. */
export async function resourceInPath(api: ApiContext, { params, caller }: Call): Promise<FoundResource | Refusal> {
  const [kind, id] = [params.kind!, params.id!];
  const definition = knownKind(api, kind);
  if (isRefusal(definition)) return definition;
  if (definition.form !== 'machine') {
    return refuse('NOT_FOUND', `a ${kind} has no life cycle; its entries are at /api/v1/events?resource=${kind}/<id>`);
  }
  const snapshot = await visibleResource(definition, id, caller.reader, api);
  return snapshot ? { definition, snapshot } : refuse(definition.refusals.unknown, `no ${kind} ${id} on this network`);
}

const historyQuery = is.object({
  after: is.optional(is.integer(0), 'Number of the entry of the last step that you have read: `next` of a page.'),
  limit: is.optional(is.integer(1, bounds.pageLimit), 'The most steps on a page; default 20.'),
});

export function historyRoute(api: ApiContext): Route {
  return {
    ...shared(api),
    path: `${below}/history`,
    name: 'getMachineHistory',
    summary:
      'List the steps of one resource, oldest first: the transition, the signer, the postings and the settlement of each.',
    query: historyQuery,
    success: { status: 200, schema: historySchema, description: 'a page of steps' },
    async handle(call) {
      const one = await resourceInPath(api, call);
      if (isRefusal(one)) return one;
      const page = await api.queues.page(call, () => new History(api, one).page(call.query));
      if (isRefusal(page)) return page;
      const stateReadable = mayReadState(one.definition, one.snapshot.context, call.caller.reader);
      return { status: 200, body: { ...page, stateReadable } };
    },
  };
}

class History {
  readonly #resource: string;

  constructor(
    private readonly api: ReadContext,
    private readonly one: FoundResource,
  ) {
    this.#resource = `${one.snapshot.kind}/${one.snapshot.id}`;
  }

  async page({ after = 0, limit = bounds.pageDefault }: is.TypeOf<typeof historyQuery>) {
    const { kind, id, state, version, machine } = this.one.snapshot;
    const read = (await this.#entries(after, limit + 1)).filter((entry) => versionOf(entry, kind, id));
    const entries = read.slice(0, limit);
    const nested = await this.#nestedUpTo(after);
    let from = await this.#stateBefore(entries[0]);
    const steps = [];
    for (const entry of entries) {
      const step = await this.#step(entry, from, nested);
      steps.push(step);
      from = step.to;
    }
    const last = entries.at(-1);
    const hasMore = read.length > limit || (last !== undefined && versionOf(last, kind, id)!.version < version);
    const next = hasMore ? (last?.seq ?? null) : null;
    return { kind, id, state, version, machine, steps, total: version, next, hasMore };
  }

  #entries(after: number, limit: number): Promise<readonly NumberedEntry[]> {
    const { store } = this.api;
    return store.entries({ after, limit, resource: this.#resource, characters: bounds.pageCharacters });
  }

  /**
   * The nested machines' states after earlier pages; undefined if the kind has none, or there are too many steps to
   * follow.
   */
  async #nestedUpTo(after: number): Promise<NestedSteps | undefined> {
    const { definition } = this.one;
    if (!definition.nested) return undefined;
    const nested = new NestedSteps(chartViewOf(definition));
    let read = 0;
    for (let seen = 0; seen < after; ) {
      const page = await this.#entries(seen, bounds.pageLimit);
      for (const entry of page) if (entry.seq <= after) nested.take(entry, entry.payload?.action ?? null);
      read += page.length;
      if (read > bounds.nestedSteps) return undefined;
      seen = page.at(-1)?.seq ?? after;
    }
    return nested;
  }

  async #stateBefore(entry: NumberedEntry | undefined): Promise<string | null> {
    const { kind, id } = this.one.snapshot;
    const prev = entry && versionOf(entry, kind, id)?.prev;
    const before = prev ? await this.api.store.entryByEvent(prev) : undefined;
    return (before && versionOf(before, kind, id)?.path.at(-1)) ?? null;
  }

  async #step(entry: NumberedEntry, from: string | null, inner: NestedSteps | undefined) {
    const { definition, snapshot } = this.one;
    const version = versionOf(entry, snapshot.kind, snapshot.id)!;
    const held = await this.#rolesOf(entry);
    const { action, transitions, role } = walked({ definition, entry, version, from, held });
    const { event, time, postings } = entry.core;
    const receipt = (await this.api.settlement.receipt(event.hash)) ?? null;
    const nested = inner?.take(entry, action) ?? null;
    return {
      step: version.version,
      version: version.version,
      machine: version.machine,
      action,
      transition: transitions.at(-1) ?? null,
      transitions,
      nested,
      role,
      from,
      to: version.path.at(-1)!,
      path: version.path,
      recordedAt: time,
      signer: event.issuer,
      nonce: event.nonce,
      eventType: event.type,
      eventHash: event.hash,
      entryHash: entry.entryHash,
      seq: entry.seq,
      postings,
      txHash: receipt?.txHash ?? null,
      receipt,
    };
  }

  /** A resource's parties never change; a system key that the node has appointed acts as clock and operator. */
  async #rolesOf({ core: { event, home, time } }: NumberedEntry): Promise<readonly string[]> {
    const { definition, snapshot } = this.one;
    const node = await this.api.committed.resource('node', home);
    const system = ((node?.context.system ?? []) as readonly string[]).includes(event.issuer);
    return rolesOf(definition, snapshot.id, snapshot.context, {
      signer: event.issuer,
      time,
      network: event.network,
      home: event.home ?? '',
      system,
    });
  }
}

export function permittedRoute(api: ApiContext): Route {
  return {
    ...shared(api),
    path: `${below}/permitted`,
    name: 'getPermittedActions',
    summary:
      'List the actions that each role may take on one resource now, and the reasons why other actions would be refused.',
    success: { status: 200, schema: permittedSchema, description: 'all actions of its kind' },
    async handle(call) {
      const one = await resourceInPath(api, call);
      if (isRefusal(one)) return one;
      const resource = migrate(one.definition, one.snapshot);
      if (isRefusal(resource)) return resource;
      const { kind, id, state, version, machine } = resource;
      const seen = api.views.optionsFor(call);
      const { time } = seen;
      return {
        status: 200,
        body: { kind, id, state, version, machine, time, actions: verdictsOf(one.definition, resource, seen) },
      };
    },
  };
}
