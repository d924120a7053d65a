/**
 * Reads of resources of other homes that no card answers: the home is asked, and its answer is marked as its word
 * (docs/reference/other-homes.md#other-views).
 */
import { viewBounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { type Code, codes, invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { cardIdParts } from '../../peers/cards/foreign-cards.js';
import type { ApiContext } from '../context/api-context.js';
import { codesOfOperation } from '../openapi/problems.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Reply, Route } from '../server/route.js';
import { checkOf } from './checked-proof.js';
import { basePath, searchedKinds } from './derived-paths.js';
import { apiBase, isViewable } from './public-views.js';

export function fetchedElsewhere(route: Route, api: ApiContext): Route {
  if (!isViewable(route)) return route;
  const codesKept = codesOfOperation(route);
  const ask = (call: Call, home: string) => fetched(route, { call, home, codesKept }, api);
  return {
    ...route,
    handle(call) {
      if (!api.elsewhere) return route.handle(call);
      for (const name in call.params)
        if (cardIdParts(call.params[name]!).home !== undefined) return orNamed(route, call, name, { api, ask });
      const listing = listingIn(route, call, api);
      return listing === undefined ? route.handle(call) : orOfCard(route, call, listing, { api, ask });
    },
  };
}

interface Elsewhere {
  readonly api: ApiContext;
  readonly ask: (call: Call, home: string) => Promise<Reply | Refusal>;
}

/** @param name the parameter whose text names a home */
async function orNamed(route: Route, call: Call, name: string, { api, ask }: Elsewhere): Promise<Reply | Refusal> {
  const homes = api.cards.homesNamed(cardIdParts(call.params[name]!).home!);
  if (homes[0] === api.home()) {
    call.params = bare(call.params);
    return route.handle(call);
  }
  if (homes[0] === undefined) return route.handle(call);
  if (searchedKinds(api).some((kind) => route.path === `${basePath(kind)}/:${kind.route.param}`)) {
    const outcome = await route.handle(call);
    if (!isRefusal(outcome) || outcome.status !== 404) return outcome;
  }
  return homes.length > 1
    ? invalid(name, 'has the tag of several homes: use more of its characters')
    : ask(call, homes[0]);
}

/** @param listing its id, in the path */
async function orOfCard(route: Route, call: Call, listing: string, { api, ask }: Elsewhere): Promise<Reply | Refusal> {
  const outcome = await route.handle(call);
  if (!isRefusal(outcome) || outcome.status !== 404) return outcome;
  const card = await api.cards.find(searchedKinds(api), listing);
  if (!card || isRefusal(card)) return outcome;
  return ask(call, card.home);
}

/** The id of a listing in whose place or below which the route reads. */
function listingIn({ path }: Route, { params }: Call, api: ApiContext): string | undefined {
  const kinds = searchedKinds(api);
  const isBelow = path.startsWith(`${apiBase}/machines/:kind/:id`)
    ? kinds.some(({ kind }) => kind === params.kind)
    : kinds.some((kind) => path.startsWith(`${basePath(kind)}/:`));
  return isBelow ? (params.id ?? params[parametersOf(path)[0]!]) : undefined;
}

const bare = (params: Call['params']): Call['params'] =>
  Object.fromEntries(Object.entries(params).map(([name, text]) => [name, cardIdParts(text).id]));

/** The path below /api/v1 as its home knows it, with the query. */
function pathOf({ path }: Route, { params, query }: Call): string {
  const ids = bare(params);
  const filled = path.slice(apiBase.length).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name]!));
  const members = Object.entries(query as { readonly [name: string]: unknown }).filter(
    ([, each]) => each !== undefined,
  );
  const text = new URLSearchParams(members.map(([name, each]) => [name, String(each)])).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

interface Fetch {
  readonly call: Call;
  /** DID. */
  readonly home: string;
  /** What a problem of the home may have as its code. */
  readonly codesKept: readonly Code[];
}

async function fetched(route: Route, { call, home, codesKept }: Fetch, api: ApiContext): Promise<Reply | Refusal> {
  const path = pathOf(route, call);
  if (path.length > viewBounds.pathLength) return invalid('path', 'is too long for another home');
  const view = await api.elsewhere!.ask(home, path, call.signal);
  if (isRefusal(view)) return view;
  const { status, body } = view;
  if (status !== 200) return problemOf(body, home, codesKept);
  // Nobody acts here on what is there.
  const { permittedActions: _, checked: __, ...said } = body;
  const checked = route.name === 'getResourceProof' ? { checked: checkOf(body, call, home, api) } : {};
  return { status, body: { ...said, home, asOf: api.environment.now(), ...checked } };
}

const detailLength = 500;

function problemOf({ code, detail }: JsonObject, home: string, codesKept: readonly Code[]): Refusal {
  const kept = codesKept.find((each) => each === code && each !== 'UNAUTHORIZED' && codes[each][0] < 500);
  const text = typeof detail === 'string' ? `: ${detail.slice(0, detailLength).toWellFormed()}` : '';
  if (!kept) return refuse('SERVICE_UNAVAILABLE', `the home ${home} cannot answer now${text}`, { retryAfter: 5 });
  if (kept === 'INVALID_REQUEST') return invalid('path', `the home ${home} refuses it${text}`);
  return refuse(kept, `the home ${home} says${text}`, kept === 'RATE_LIMITED' ? { retryAfter: 1 } : {});
}
