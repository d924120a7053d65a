/**
 * Writes at other homes for callers whose keys this node keeps, and what is opened there with these keys
 * (docs/reference/other-homes.md#acts): the request's own route, with `home` in its body.
 */
import { ApiError, SigningError, UnreachableError } from '../../../packages/client/src/errors.js';
import { openedDelivery, openedLease } from '../../../packages/client/src/signing/opening.js';
import { UnexpectedPayload } from '../../../packages/client/src/signing/prepared.js';
import type { JsonObject } from '../../core/canonical.js';
import { type Code, invalid, isRefusal, type Refusal, RefusedError, refuse } from '../../core/refusal.js';
import { cardId, cardIdParts } from '../../peers/cards/foreign-cards.js';
import type { Opener } from '../context/acts.js';
import type { ApiContext } from '../context/api-context.js';
import type { SignedBody } from '../context/signed-body.js';
import { codesOfOperation } from '../openapi/problems.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Reply, Route } from '../server/route.js';
import { detailLength, pathThere, refusalThere } from './fetched-elsewhere.js';

/** By operation. */
const openers: { readonly [name: string]: Opener<object> } = { openOrder: openedDelivery, openLease: openedLease };

export function actedElsewhere(route: Route, api: ApiContext): Route {
  if (!route.prepares && !openers[route.name]) return route;
  const codesKept = codesOfOperation(route);
  return {
    ...route,
    handle(call) {
      const { home } = call.body as SignedBody;
      if (home === undefined || home === api.home()) return route.handle(call);
      return acted(route, call, { api, home }).catch((error: unknown) => refusalIn(error, home, codesKept));
    },
  };
}

interface Elsewhere {
  readonly api: ApiContext;
  /** DID. */
  readonly home: string;
}

const keeper = refuse('UNPROCESSABLE', 'home: who keeps their key prepares at that home, and sends the event there');

async function acted(route: Route, call: Call, { api, home }: Elsewhere): Promise<Reply | Refusal> {
  const {
    did: _,
    passphrase: __,
    home: ___,
    prepare,
    nonce,
    prev,
    ts,
    most,
    until,
    ...body
  } = call.body as SignedBody & JsonObject;
  if (prepare) return keeper;
  if (!api.acts || !api.elsewhere?.followed(home))
    return refuse('UNPROCESSABLE', `home: ${home} is neither this home nor a peer of it`);
  if (route.prepares && nonce === undefined) return invalid('nonce', 'is required at another home: it counts there');
  if (api.writes.isByLocality(call)) return invalid('passphrase', 'is required');
  const did = api.writes.signerOf(call);
  const signer = isRefusal(did) ? did : await api.writes.unlock(call, did)();
  if (isRefusal(signer)) return signer;
  await api.acts.keepReader(home, signer);
  const opener = openers[route.name];
  if (opener) {
    const opened = await api.acts.open(home, signer, opener, call.params[parametersOf(route.path)[0]!]!);
    return { status: 200, body: { ...opened } };
  }
  const given = Object.entries({ prev, ts, most, until }).filter(([, value]) => value !== undefined);
  const options = { nonce: nonce!, ...Object.fromEntries(given) };
  const admits = async () =>
    route.name === 'transfer' ? api.onward?.refusal(home, body) : hiddenHere(route, call, { api, home }, signer.did);
  const reply = await api.acts.act({ home, signer, path: pathThere(route, call), body, options, admits });
  return isRefusal(reply) ? reply : { status: route.success.status, body: reply };
}

/** Refuses a new trade on a listing that the operator of this node hides. Those that there are run on. */
function hiddenHere({ writes = [] }: Route, { params }: Call, { api, home }: Elsewhere, did: string) {
  const [id] = Object.values(params);
  if (id === undefined || !writes.some(({ action }) => action === 'create')) return undefined;
  const because = api.moderations.hiddenFrom(cardId(cardIdParts(id).id, home), did);
  return because === undefined ? undefined : refuse('LISTING_NOT_ACTIVE', because);
}

/** What has kept an act from being done, or from being known to be done. */
function refusalIn(error: unknown, home: string, codesKept: readonly Code[]): Refusal {
  const { write } = error as { readonly write?: { readonly event: { readonly hash: string; readonly nonce: number } } };
  if (write) {
    const { hash: eventHash, nonce } = write.event;
    const says = `the home ${home} has not said whether it has this event: it is sent again until then`;
    return refuse('SERVICE_UNAVAILABLE', says, { eventHash, nonce, retryAfter: 5 });
  }
  if (error instanceof ApiError) return refusalThere({ ...error.problem } as Partial<JsonObject>, home, codesKept);
  if (error instanceof UnreachableError) {
    const { cause } = error;
    if (cause instanceof RefusedError) return cause.refusal;
    return refuse('SERVICE_UNAVAILABLE', `the home ${home} has not answered`, { retryAfter: 5 });
  }
  if (!(error instanceof SigningError)) throw error;
  // It may name what the home has sent.
  const why = error.message.slice(0, detailLength).toWellFormed();
  return error instanceof UnexpectedPayload
    ? refuse('SERVICE_UNAVAILABLE', `the home ${home} is not signed for: ${why}`)
    : refuse('UNPROCESSABLE', why);
}
