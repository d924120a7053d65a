/**
 * Reads of resources of other homes that no card answers: the home is asked, and its answer is marked as its word
 * (docs/reference/other-homes.md#other-views).
 */
import { viewBounds } from '../../core/bounds.js';
import { isJsonObject, type Json, type JsonObject } from '../../core/canonical.js';
import { assert, type Code, codes, invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { profileSeenBy } from '../../machines/identity/view.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { cardId, cardIdParts } from '../../peers/cards/foreign-cards.js';
import type { SentFor } from '../../peers/views/foreign-views.js';
import { hiddenBecause, type Moderations } from '../../projections/moderations.js';
import type { ApiContext } from '../context/api-context.js';
import { codesOfOperation } from '../openapi/problems.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Reply, Route } from '../server/route.js';
import { checkOf, checkOfEntry } from './checked-proof.js';
import { basePath, searchedKinds } from './derived-paths.js';
import { apiBase, isOwnList, isViewable } from './public-views.js';

export function fetchedElsewhere(route: Route, api: ApiContext): Route {
  if (!isViewable(route) && !isOwnList(route)) return route;
  const one = { route, api, kinds: searchedKinds(api), codesKept: codesOfOperation(route) };
  return {
    ...route,
    handle(call) {
      if (isOwnList(route)) return listed(one, call);
      if (!api.cards.index) return route.handle(call);
      for (const name in call.params) {
        const { id, home } = cardIdParts(call.params[name]!);
        if (home !== undefined && id !== '') return orNamed(one, call, { name, home });
      }
      return api.elsewhere ? orOfCard(one, call) : route.handle(call);
    },
  };
}

interface FetchedRoute {
  readonly route: Route;
  readonly api: ApiContext;
  /** Those with cards. */
  readonly kinds: readonly AnyResource[];
  /** What a problem of a home may have as its code. */
  readonly codesKept: readonly Code[];
}

type FetchOutcome = Promise<Reply | Refusal> | Reply | Refusal;

/** @param named the parameter whose text names a home, and the tag or DID in it */
function orNamed(one: FetchedRoute, call: Call, named: { readonly name: string; readonly home: string }): FetchOutcome {
  const { route, api, kinds } = one;
  const [home, another] = api.cards.homesNamed(named.home);
  if (home === api.home()) {
    call.params = bare(call.params);
    return route.handle(call);
  }
  if (home === undefined || !api.elsewhere) return route.handle(call);
  const ask = () =>
    another === undefined
      ? fetched(one, call, home)
      : invalid(named.name, 'has the tag of several homes: use more of its characters');
  const hasCards = kinds.some((kind) => route.path === `${basePath(kind)}/:${kind.route.param}`);
  return hasCards ? unlessFound(route, call, ask) : ask();
}

const orOfCard = (one: FetchedRoute, call: Call): FetchOutcome =>
  unlessFound(one.route, call, async (refusal) => {
    const home = await homeOfCard(one, call);
    return home === undefined ? refusal : fetched(one, call, home);
  });

async function unlessFound(route: Route, call: Call, otherwise: (refusal: Refusal) => FetchOutcome) {
  const outcome = await route.handle(call);
  return isRefusal(outcome) && outcome.status === 404 ? otherwise(outcome) : outcome;
}

/** The home of what the path names, if a card says which. */
async function homeOfCard(one: FetchedRoute, call: Call): Promise<string | undefined> {
  const { cards } = one.api;
  const { did, home } = call.params;
  if (home !== undefined) return cards.homeOf(home)?.home;
  if (did !== undefined) return cards.homeOfOwner(did);
  const listing = listingIn(one, call);
  const card = listing === undefined ? undefined : await cards.find(one.kinds, listing);
  return isRefusal(card) ? undefined : card?.home;
}

/** The id of a listing in the path. */
export function listingIn(
  { route: { path }, kinds }: Pick<FetchedRoute, 'route' | 'kinds'>,
  { params }: Call,
): string | undefined {
  const isIn = path.startsWith(`${apiBase}/machines/:kind/:id`)
    ? kinds.some(({ kind }) => kind === params.kind)
    : kinds.some((kind) => path.startsWith(`${basePath(kind)}/:`));
  return isIn ? (params.id ?? params[parametersOf(path)[0]!]) : undefined;
}

const bare = (params: Call['params']): Call['params'] =>
  Object.fromEntries(Object.entries(params).map(([name, text]) => [name, cardIdParts(text).id]));

/** The path below /api/v1 as its home knows it, with the query. */
export function pathThere({ path }: Route, { params, query }: Pick<Call, 'params' | 'query'>): string {
  const ids = bare(params);
  const filled = path.slice(apiBase.length).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name]!));
  const members = Object.entries(query as { readonly [name: string]: unknown }).filter(
    ([, each]) => each !== undefined,
  );
  const text = new URLSearchParams(members.map(([name, each]) => [name, String(each)])).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** By operation. */
const checks: { readonly [name: string]: typeof checkOf } = { getResourceProof: checkOf, getEvent: checkOfEntry };

const onlyActors = refuse('FORBIDDEN', 'home: needs an API key that is bound to a DID which has acted at that home');

/** What the caller's DID has here, or at the home that the query names. */
async function listed(one: FetchedRoute, call: Call): Promise<Reply | Refusal> {
  const { home: text, ...query } = call.query;
  const filter = one.api.cards.filterOf(text);
  if (isRefusal(filter)) return filter;
  if (typeof filter !== 'object') return one.route.handle(call);
  const reader = await readerAt(one, call, filter.home);
  return reader === undefined ? onlyActors : fetched(one, call, filter.home, { did: call.caller.did, ...query });
}

const readerAt = async ({ api }: FetchedRoute, { caller: { did } }: Call, home: string): Promise<string | undefined> =>
  did === undefined ? undefined : api.acts?.readerAt(home, did);

/** @param home DID */
async function fetched(one: FetchedRoute, call: Call, home: string, query = call.query): Promise<Reply | Refusal> {
  const { route, api, codesKept } = one;
  assert(api.elsewhere, 'a node that asks other homes has peers');
  const path = pathThere(route, { params: call.params, query });
  if (path.length > viewBounds.pathLength) return invalid('path', 'is too long for another home');
  const reader = await readerAt(one, call, home);
  const ask = (sent?: SentFor) => api.elsewhere!.ask(home, path, call.signal, sent);
  let view = await ask(reader === undefined ? undefined : { reader, isView: true });
  // The home does not take the statement, or not any more: the caller reads as anyone.
  const isAnyone = reader === undefined || (!isRefusal(view) && view.status === 401);
  if (isAnyone && reader !== undefined) view = await ask();
  if (isRefusal(view)) return view;
  const { status, body } = view;
  if (status !== 200) return refusalThere(body, home, codesKept);
  const { permittedActions, checked: _, ...said } = body;
  const check = checks[route.name];
  const checked = check && { checked: check(body, call, home, api) };
  const permitted = isAnyone || permittedActions === undefined ? {} : { permittedActions };
  const shown = withoutHidden(said, one, call, home);
  return { status, body: { ...shown, ...permitted, home, asOf: api.environment.now(), ...checked } };
}

/** What a home says, without the profile or the payload that the operator of this node hides from the reader. */
function withoutHidden(
  said: JsonObject,
  { route, api: { moderations }, kinds }: FetchedRoute,
  { params, caller: { reader } }: Call,
  home: string,
): JsonObject {
  if (route.name === 'getIdentity') {
    const hidden = moderations.of(cardIdParts(params.did!).id);
    return profileSeenBy(reader, hidden ? { ...said, hidden: hiddenBecause(hidden) } : said);
  }
  if (route.name !== 'getEvent') return withoutHiddenTitles(said, moderations, { reader, home });
  const { payload, leaves: _, salt: __, ...rest } = said as JsonObject & { readonly payload?: Partial<JsonObject> };
  const id = String(payload?.id);
  const isListing = kinds.some(({ kind }) => kind === payload?.kind);
  const target = isListing ? cardId(id, home) : payload?.kind === 'identity' ? id : undefined;
  return target === undefined || moderations.hiddenFrom(target, reader) === undefined ? said : rest;
}

type ReadAt = { readonly reader: string | undefined; readonly home: string };

/**
 * Without the titles of listings that the operator of this node hides. A view that does not name the listing loses its
 * title if any listing of that home is hidden.
 */
function withoutHiddenTitles(said: JsonObject, moderations: Moderations, { reader, home }: ReadAt): JsonObject {
  const hidden = moderations.listingsHiddenFrom(reader).map(cardIdParts);
  const there = new Set(hidden.filter((each) => each.home === home).map(({ id }) => id));
  if (there.size === 0) return said;
  const isHidden = ({ listingId, subject, purpose }: JsonObject) =>
    listingId === undefined ? (subject ?? purpose) !== undefined : there.has(String(listingId));
  const inEach = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inEach);
    if (!isJsonObject(value) || !isHidden(value)) return value;
    const { title: _, ...rest } = value;
    return rest;
  };
  return inEach(Object.fromEntries(Object.entries(said).map(([name, value]) => [name, inEach(value!)]))) as JsonObject;
}

/** The most that is shown of what a home says. */
export const detailLength = 500;

/** Numbers of a problem document that tell a caller what to do. */
const toldNumbers = ['nextNonce', 'taken', 'paid', 'currentPrice'] as const;

/** A problem document of a home as a refusal, which says that it is the home's word. */
export function refusalThere(
  { code, detail, ...members }: Partial<JsonObject>,
  home: string,
  codesKept: readonly Code[],
): Refusal {
  const kept = codesKept.find((each) => each === code && each !== 'UNAUTHORIZED' && codes[each][0] < 500);
  const text = typeof detail === 'string' ? `: ${detail.slice(0, detailLength).toWellFormed()}` : '';
  if (!kept) return refuse('SERVICE_UNAVAILABLE', `the home ${home} cannot answer now${text}`, { retryAfter: 5 });
  if (kept === 'INVALID_REQUEST') return invalid('path', `the home ${home} refuses it${text}`);
  const told = toldNumbers.flatMap((name) => (Number.isSafeInteger(members[name]) ? [[name, members[name]]] : []));
  return refuse(kept, `the home ${home} says${text}`, {
    ...Object.fromEntries(told),
    ...(members.committed === true && { committed: true }),
    ...(kept === 'RATE_LIMITED' && { retryAfter: 1 }),
  });
}
