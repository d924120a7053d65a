/**
 * Recognises writes to a resource of another home (docs/reference/other-homes.md#writing): derived actions ask that home,
 * other writes are refused. A node without peers pays nothing for it.
 */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal } from '../../core/refusal.js';
import { machinesOf } from '../../machines/catalogue.js';
import { spellingOf } from '../../peers/tag.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import type { Call, Reply, Route } from '../server/route.js';
import { visibleTo } from './derived-reads.js';
import { belongs } from './remote-writes.js';

/** The longest id; a longer text is not looked up. */
const longestId = 128;
/** Statuses of refusals that may be caused by a resource being unknown here. */
const mayHideUnknown: readonly number[] = [400, 403, 404, 409, 422];

export function homeOnly(route: Route, api: ApiContext): Route {
  if (route.method === 'GET') return route;

  /** Refuses if a text in the path or the body names another home. */
  function spelledElsewhere(texts: readonly string[]): Refusal | undefined {
    for (const text of texts) {
      const at = api.reading.otherNamedIn(text);
      if (at) return belongs(text, at);
    }
    return undefined;
  }

  /** Where the first known of these ids is, if only another home has it. */
  async function foundElsewhere(texts: readonly string[], { caller }: Call): Promise<Elsewhere | Refusal | undefined> {
    for (const text of texts) {
      for (const definition of machinesOf(api.catalogue)) {
        const { route, create, kind } = definition;
        if (text.length > longestId || !(create.anyId || text.startsWith(route.idPrefix))) continue;
        if (await api.committed.resource(kind, text)) return undefined;
        const located = await api.reading.elsewhere(text, visibleTo(definition, caller.did));
        if (isRefusal(located)) return located;
        if (located) return { what: `${kind} ${text}`, at: located.at };
      }
    }
    return undefined;
  }

  async function namingHome(call: Call, pending: Reply | Refusal | Promise<Reply | Refusal>): Promise<Reply | Refusal> {
    const outcome = await pending;
    if (!isRefusal(outcome) || !mayHideUnknown.includes(outcome.status)) return outcome;
    const texts = idsOf(call);
    const spelledThere = spelledElsewhere(texts);
    if (spelledThere) return spelledThere;
    const found = await foundElsewhere(texts, call);
    return found && !isRefusal(found) ? belongs(found.what, found.at) : (found ?? outcome);
  }

  /** Asks the other home, if the call is about a resource of one. */
  async function anywhere(call: Call, remote: NonNullable<Route['remote']>): Promise<Reply | Refusal> {
    const texts = idsOf(call);
    const spelledAt = texts.map((text) => api.reading.otherNamedIn(text)).find((at) => at !== undefined);
    if (spelledAt) return remote(new RespelledCall(call), spelledAt.home());
    const found = await foundElsewhere(texts, call);
    if (isRefusal(found)) return found;
    return found ? remote(call, found.at.home()) : route.handle(call);
  }

  return {
    ...route,
    misread: (refusal, body, params) =>
      api.reading.others.length === 0
        ? refusal
        : (spelledElsewhere([...Object.values(params), ...textsIn(body)]) ?? refusal),
    handle(call) {
      if (api.reading.others.length === 0) return route.handle(call);
      return route.remote && api.trade ? anywhere(call, route.remote) : namingHome(call, route.handle(call));
    },
  };
}

/** The ids that a call names, in its path and its body. */
const idsOf = ({ params, body }: Call): string[] => [...Object.values(params), ...idsIn(body)];

/** A resource of another home. */
interface Elsewhere {
  readonly what: string;
  readonly at: ReadContext;
}

/** The call with the ids of its path as they are at their home. */
class RespelledCall implements Call {
  readonly params: Call['params'];

  constructor(private readonly call: Call) {
    this.params = Object.fromEntries(Object.entries(call.params).map(([name, text]) => [name, spellingOf(text).id]));
  }

  get caller() {
    return this.call.caller;
  }
  get requestId() {
    return this.call.requestId;
  }
  get path() {
    return this.call.path;
  }
  get query() {
    return this.call.query;
  }
  get body() {
    return this.call.body;
  }
  get abandoned() {
    return this.call.abandoned;
  }
  get unlocked() {
    return this.call.unlocked;
  }
  set unlocked(is) {
    this.call.unlocked = is;
  }
  get signal() {
    return this.call.signal;
  }
  header(name: string) {
    return this.call.header(name);
  }
}

const textsIn = (body: JsonObject): string[] =>
  Object.values(body).filter((value) => typeof value === 'string' && value.includes('~')) as string[];

/** Values that may be ids: members such as `escrowId`, and `ref`, the trade of a review. */
const idsIn = (body: JsonObject): string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' && (name.endsWith('Id') || name === 'ref') ? [value] : [],
  );
