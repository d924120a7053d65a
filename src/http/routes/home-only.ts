/**
 * Explains refusals of writes to a resource of another home (docs/reference/other-homes.md#writing): only that home may
 * change it. Runs only after another refusal, so that writes to this node's own resources cost nothing.
 */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { machinesOf } from '../../machines/catalogue.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import type { Call, Reply, Route } from '../server/route.js';
import { visibleTo } from './derived-reads.js';

/** The longest id; a longer text is not looked up. */
const longestId = 128;
/** Statuses of refusals that may be caused by a resource being unknown here. */
const mayHideUnknown: readonly number[] = [400, 403, 404, 409, 422];

const belongs = (what: string, { home }: Pick<ReadContext, 'home'>): Refusal =>
  refuse('UNPROCESSABLE', `${what} belongs to ${home()}: act on it there`);

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

  /** Refuses if only another home has the resource with one of these ids. */
  async function foundElsewhere(texts: readonly string[], { caller }: Call): Promise<Refusal | undefined> {
    for (const text of texts) {
      for (const definition of machinesOf(api.catalogue)) {
        const { route, create, kind } = definition;
        if (text.length > longestId || !(create.anyId || text.startsWith(route.idPrefix))) continue;
        if (await api.committed.resource(kind, text)) return undefined;
        const located = await api.reading.elsewhere(text, visibleTo(definition, caller.did));
        if (isRefusal(located)) return located;
        if (located) return belongs(`${kind} ${text}`, located.at);
      }
    }
    return undefined;
  }

  async function namingHome(call: Call, pending: Reply | Refusal | Promise<Reply | Refusal>): Promise<Reply | Refusal> {
    const outcome = await pending;
    if (!isRefusal(outcome) || !mayHideUnknown.includes(outcome.status)) return outcome;
    const texts = [...Object.values(call.params), ...idsIn(call.body)];
    return spelledElsewhere(texts) ?? (await foundElsewhere(texts, call)) ?? outcome;
  }

  return {
    ...route,
    misread: (refusal, body, params) =>
      api.reading.others.length === 0
        ? refusal
        : (spelledElsewhere([...Object.values(params), ...textsIn(body)]) ?? refusal),
    handle(call) {
      const outcome = route.handle(call);
      return api.reading.others.length === 0 ? outcome : namingHome(call, outcome);
    },
  };
}

const textsIn = (body: JsonObject): string[] =>
  Object.values(body).filter((value) => typeof value === 'string' && value.includes('~')) as string[];

/** Values that may be ids: members such as `escrowId`, and `ref`, the trade of a review. */
const idsIn = (body: JsonObject): string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' && (name.endsWith('Id') || name === 'ref') ? [value] : [],
  );
