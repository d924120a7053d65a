/**
 * Refuses writes that name a resource of another home (docs/reference/other-homes.md#writing): only that home may change
 * it. Asked after another refusal only, so that writes of this node's own cost nothing.
 */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { machinesOf } from '../../machines/catalogue.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import type { Call, Reply, Route } from '../server/route.js';
import { visibleTo } from './derived-reads.js';

/** A longer text is no id. */
const longestId = 128;
/** The statuses of refusals that an unknown resource may be behind. */
const tellable: readonly number[] = [400, 403, 404, 409, 422];

const belongs = (what: string, { home }: Pick<ReadContext, 'home'>): Refusal =>
  refuse('UNPROCESSABLE', `${what} belongs to ${home()}: act on it there`);

export function homeOnly(route: Route, api: ApiContext): Route {
  if (route.method === 'GET') return route;

  /** A spelling with another home, in the path or the body. */
  function spelledElsewhere(texts: readonly string[]): Refusal | undefined {
    for (const text of texts) {
      const at = api.reading.otherNamedIn(text);
      if (at) return belongs(text, at);
    }
    return undefined;
  }

  /** A bare id that only another home has. */
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
    if (!isRefusal(outcome) || !tellable.includes(outcome.status)) return outcome;
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

/** Members that name resources: `escrowId`, and the trade of a review. */
const idsIn = (body: JsonObject): string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' && (name.endsWith('Id') || name === 'ref') ? [value] : [],
  );
