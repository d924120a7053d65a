/**
 * What this node's API answers other homes (docs/reference/other-homes.md#other-views), in JSON: reads of one resource, as
 * a reader without a DID sees it or one that is proven, and writes of who signs with a key of that home.
 */
import { actBounds, viewBounds } from '../../core/bounds.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import type { Log } from '../../core/log.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { AskedView, ShownView, ShowView } from '../../peers/views/foreign-views.js';
import type { ReaderProofs } from '../access/reader-proof.js';
import { refusalOfMembers } from '../server/body-members.js';
import { bodyInput, type ExpectedBodies, expectedBodies, expectedIn } from '../server/expected-body.js';
import { parametersOf } from '../server/paths.js';
import type { Gate } from '../server/pipeline.js';
import { refusalOf } from '../server/problem.js';
import { type QueryReader, queryReader } from '../server/query.js';
import type { Call, Reply, Route } from '../server/route.js';
import { RouteTable } from '../server/route-table.js';

export const apiBase = '/api/v1';
const readSections = [
  'contracts',
  'disputes',
  'escrows',
  'events',
  'homes',
  'identities',
  'machines',
  'markets',
  'orders',
];
const accountReads = ['getNonce', 'getWallet'];

/**
 * Whether other homes may ask for it: a read below a resource or identity, and what a DID has; its transactions only for the DID
 * itself (`isForActs`). Never keys, the node or its operator.
 */
export const isViewable = ({ method, scope, path, name }: Route): boolean =>
  accountReads.includes(name) ||
  (method === 'GET' &&
    scope === 'read' &&
    parametersOf(path).length > 0 &&
    !path.includes('/api-keys') &&
    // A buyer asks the home itself, so that nothing hidden here is shown.
    name !== 'getSignedEvent' &&
    readSections.includes(path.slice(apiBase.length + 1).split('/')[0]!));

/** Lists of what a DID has: other homes may ask for those of a DID that reads. */
export const isOwnList = ({ name }: Pick<Route, 'name'>): boolean =>
  ['listBids', 'listContracts', 'listDisputes', 'listEscrows', 'listLeases', 'listOrders'].includes(name);

/** What else they may send: what is prepared, and then signed there, for which events are read. No passphrase comes here. */
const isForActs = ({ prepares, name }: Route): boolean =>
  prepares !== undefined || ['submitEvent', 'listEvents', 'listTransactions'].includes(name);

export interface PublicViewsOptions {
  /** Of an API without other homes. Called once, when a peer asks first. */
  readonly routes: () => readonly Route[];
  readonly gate: Gate;
  readonly proofs: Pick<ReaderProofs, 'readerOf'>;
  readonly log: Pick<Log, 'error'>;
}

interface Viewed {
  readonly route: Route;
  readonly readQuery: QueryReader | undefined;
  readonly bodies: ExpectedBodies;
}

const unknownView = refuse('NOT_FOUND', 'there is no such view');
const onlySigned = refuse('UNPROCESSABLE', 'another home sends what is to be prepared, and then the signed event');
const onlyJson = refuse('INVALID_REQUEST', 'other homes are answered in JSON only');
const tooLarge = refuse('UNPROCESSABLE', 'the answer is too large for a peer: ask for a shorter page');

export function publicViews({ routes, gate, proofs, log }: PublicViewsOptions): ShowView {
  let known: RouteTable<Viewed> | undefined;
  const viewed = () => (known ??= viewsOf(routes()));
  return async (asked) => {
    const closed = gate(asked.body ? 'write' : 'read');
    if (closed) return problemIn(closed);
    try {
      const { reader, body, peer } = asked;
      const proven = reader === undefined ? undefined : proofs.readerOf(reader, body ? undefined : peer);
      return isRefusal(proven) ? problemIn(proven) : await answer(viewed(), asked, proven?.did);
    } catch (thrown) {
      const { refusal, fault } = refusalOf(thrown);
      if (!fault) return problemIn(refusal);
      log.error({ err: thrown, peer: asked.peer, path: asked.path }, 'a request of a peer failed');
      return problemIn(refuse('SERVICE_UNAVAILABLE', 'the home failed to answer'));
    }
  };
}

function viewsOf(routes: readonly Route[]): RouteTable<Viewed> {
  const views = new RouteTable<Viewed>();
  for (const route of routes.filter((each) => isViewable(each) || isOwnList(each) || isForActs(each))) {
    const readQuery = route.query && queryReader(route.query);
    views.add(route.method, route.path, { route, readQuery, bodies: expectedBodies(route) });
  }
  return views;
}

/** @param reader the DID that has proven to read */
async function answer(
  views: RouteTable<Viewed>,
  { path: text, body, peer, signal }: AskedView,
  reader: string | undefined,
): Promise<ShownView> {
  const [path = ''] = text.split('?', 1);
  const at = isDecodable(text) ? views.find(body ? 'POST' : 'GET', `${apiBase}${path}`) : undefined;
  if (!at || (isOwnList(at.value.route) && reader === undefined)) return problemIn(unknownView);
  const { value: found, params } = at;
  if (found.route.name === 'listTransactions' && params.address !== reader) return problemIn(unknownView);
  const query = found.readQuery?.(text) ?? {};
  if (isRefusal(query)) return problemIn(query);
  const input = body ? writtenIn(found, body, params) : {};
  if (isRefusal(input)) return problemIn(input);
  const call: Call = {
    caller: { origin: peer, loopback: false, scope: body ? 'write' : 'read', ...(reader && { reader }) },
    ...{ requestId: '', path: `${apiBase}${path}`, params, query, body: input, signal },
    ...{ abandoned: false, unlocked: undefined },
    // What the quota of stored bytes reserves by.
    header: (name) => (body && name === 'content-length' ? String(JSON.stringify(body).length) : undefined),
  };
  const outcome = await found.route.handle(call);
  return isRefusal(outcome) ? problemIn(outcome) : shownIn(outcome, (reader ? actBounds : viewBounds).bytes);
}

/** The body of what is prepared or submitted. */
function writtenIn({ route, bodies }: Viewed, body: JsonObject, params: Call['params']): JsonObject | Refusal {
  if (route.prepares && body.prepare !== true) return onlySigned;
  const expected = expectedIn(bodies, body);
  const found = expected.settle?.(body as { [name: string]: Json });
  return (found && refusalOfMembers(found, false)) ?? bodyInput(route, expected, body, params);
}

/** The members that a client reads in a problem document. */
const problemIn = ({ status, code, detail, extras }: Refusal): ShownView => ({
  status,
  text: JSON.stringify({ code, detail, ...extras }),
});

async function shownIn({ status, body, text, stream }: Reply, most: number): Promise<ShownView> {
  if (!stream) return { status, text: text ?? JSON.stringify(body ?? {}) };
  if (!/^application\/(vnd\.xstate\+)?json\b/.test(stream.type)) return problemIn(onlyJson);
  const { chunks } = stream;
  const pieces: Buffer[] = [];
  let bytes = 0;
  const whole = typeof chunks === 'string' || chunks instanceof Uint8Array ? [chunks] : chunks;
  for await (const piece of whole) {
    bytes += piece.length;
    if (bytes > most) return problemIn(tooLarge);
    pieces.push(typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece));
  }
  return { status, text: Buffer.concat(pieces).toString('utf8') };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
