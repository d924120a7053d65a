/**
 * Recognises writes to a resource of another home (docs/reference/other-homes.md#writing): derived actions ask that home,
 * other writes are refused. A node without peers pays nothing for it.
 */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal } from '../../core/refusal.js';
import { requestedOf } from '../../machines/catalogue.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import type { Call, Reply, Route } from '../server/route.js';
import { visibleTo } from './derived-reads.js';
import { belongs } from './remote-writes.js';
import { bareCall, idMembersOf } from './tagged-ids.js';

/** The longest id; a longer text is not looked up. */
const longestId = 128;
/** Statuses of refusals that may be caused by a resource being unknown here. */
const mayHideUnknown: readonly number[] = [400, 403, 404, 409, 422];

export function homeOnly(route: Route, api: ApiContext): Route {
  if (route.method === 'GET') return route;
  const members = idMembersOf(route);

  /** The ids that a call names, in its path and its body. */
  const idsOf = ({ params, body }: Call): string[] => [
    ...Object.values(params),
    ...members.map((name) => body[name]).filter((value) => typeof value === 'string'),
  ];

  /** Where the first known of these ids is, if only another home has it. */
  async function foundElsewhere(call: Call): Promise<Elsewhere | Refusal | undefined> {
    for (const text of idsOf(call)) {
      for (const definition of requestedOf(api.catalogue)) {
        const { route, create, kind } = definition;
        if (text.length > longestId || !(create.anyId || text.startsWith(route.idPrefix))) continue;
        if (await api.committed.resource(kind, text)) return undefined;
        const located = await api.reading.elsewhere(text, visibleTo(definition, call.caller.did));
        if (isRefusal(located)) return located;
        if (located) return { what: `${kind} ${text}`, at: located.at };
      }
    }
    return undefined;
  }

  async function namingHome(call: Call, pending: Reply | Refusal | Promise<Reply | Refusal>): Promise<Reply | Refusal> {
    const outcome = await pending;
    if (!isRefusal(outcome) || !mayHideUnknown.includes(outcome.status)) return outcome;
    const found = await foundElsewhere(call);
    return found && !isRefusal(found) ? belongs(found.what, found.at) : (found ?? outcome);
  }

  /** Asks the other home, if the call is about a resource of one. */
  async function anywhere(call: Call, remote: NonNullable<Route['remote']>): Promise<Reply | Refusal> {
    if (call.home !== undefined) return remote(call, call.home);
    const found = await foundElsewhere(call);
    if (isRefusal(found)) return found;
    return found ? remote(call, found.at.home()) : route.handle(call);
  }

  /** Refuses if a text in the body names another home. */
  function spelledElsewhere(body: JsonObject): Refusal | undefined {
    for (const text of Object.values(body)) {
      const at = typeof text === 'string' ? api.reading.namedIn(text) : undefined;
      if (at?.foreign) return belongs(text as string, at);
    }
    return undefined;
  }

  return {
    ...route,
    respell(call) {
      if (api.reading.others.length === 0) return call;
      const bare = bareCall(call, members, api.reading);
      if (isRefusal(bare)) return bare;
      const { params, body, named } = bare;
      if (!named?.at.foreign) return { params, body };
      return route.remote && api.trade ? { params, body, home: named.at.home() } : belongs(named.text, named.at);
    },
    misread: (refusal, body) => (api.reading.others.length === 0 ? refusal : (spelledElsewhere(body) ?? refusal)),
    handle(call) {
      if (api.reading.others.length === 0) return route.handle(call);
      return route.remote && api.trade ? anywhere(call, route.remote) : namingHome(call, route.handle(call));
    },
  };
}

/** A resource of another home. */
interface Elsewhere {
  readonly what: string;
  readonly at: ReadContext;
}
