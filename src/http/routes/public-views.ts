/**
 * What this node's API answers other homes (docs/reference/other-homes.md#other-views): reads of one resource, as a
 * reader without a DID sees it, in JSON.
 */
import { viewBounds } from '../../core/bounds.js';
import type { Log } from '../../core/log.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { ShownView, ShowView } from '../../peers/views/foreign-views.js';
import { parametersOf } from '../server/paths.js';
import type { Gate } from '../server/pipeline.js';
import { refusalOf } from '../server/problem.js';
import { type QueryReader, queryReader } from '../server/query.js';
import type { Call, Reply, Route } from '../server/route.js';

export const apiBase = '/api/v1';
const sections = ['contracts', 'disputes', 'escrows', 'events', 'homes', 'identities', 'machines', 'markets', 'orders'];

/** Whether other homes may ask for it: a read below a resource or identity. Never accounts, keys, the node or its operator. */
export const isViewable = ({ method, scope, path }: Route): boolean =>
  method === 'GET' &&
  scope === 'read' &&
  parametersOf(path).length > 0 &&
  !path.includes('/api-keys') &&
  sections.includes(path.slice(apiBase.length + 1).split('/')[0]!);

export interface PublicViewsOptions {
  /** Of an API without other homes. Called once, when a peer asks first. */
  readonly routes: () => readonly Route[];
  readonly gate: Gate;
  readonly log: Pick<Log, 'error'>;
}

interface Viewed {
  readonly route: Route;
  /** Below /api/v1; a parameter begins with a colon. */
  readonly segments: readonly string[];
  readonly readQuery: QueryReader | undefined;
}

const unknownView = refuse('NOT_FOUND', 'there is no such view');
const onlyJson = refuse('INVALID_REQUEST', 'other homes are answered in JSON only');
const tooLarge = refuse('UNPROCESSABLE', 'the answer is too large for a peer: ask for a shorter page');

export function publicViews({ routes, gate, log }: PublicViewsOptions): ShowView {
  let known: readonly Viewed[] | undefined;
  const viewed = () => (known ??= viewsOf(routes()));
  return async (path, peer, signal) => {
    const closed = gate('read');
    if (closed) return problemIn(closed);
    try {
      return await answer(viewed(), path, { peer, signal });
    } catch (thrown) {
      const { refusal, fault } = refusalOf(thrown);
      if (!fault) return problemIn(refusal);
      log.error({ err: thrown, peer, path }, 'a view for a peer failed');
      return problemIn(refuse('SERVICE_UNAVAILABLE', 'the home failed to answer'));
    }
  };
}

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1);
const isParameter = (segment: string): boolean => segment.startsWith(':');

const isAt = (view: Viewed, segments: readonly string[]): boolean =>
  view.segments.length === segments.length &&
  view.segments.every((each, at) => (isParameter(each) ? segments[at] !== '' : segments[at] === each));

const paramsIn = (view: Viewed, segments: readonly string[]): Call['params'] =>
  Object.fromEntries(view.segments.flatMap((each, at) => (isParameter(each) ? [[each.slice(1), segments[at]!]] : [])));

/** Those with the fewest parameters first, as the router has them. */
function viewsOf(routes: readonly Route[]): readonly Viewed[] {
  const viewable = routes.filter(isViewable).map((route) => ({
    route,
    segments: segmentsOf(route.path.slice(apiBase.length)),
    readQuery: route.query && queryReader(route.query),
  }));
  const parameters = ({ route }: Viewed) => parametersOf(route.path).length;
  return viewable.sort((one, other) => parameters(one) - parameters(other));
}

interface AskingReader {
  /** DID. */
  readonly peer: string;
  readonly signal: AbortSignal;
}

async function answer(views: readonly Viewed[], text: string, { peer, signal }: AskingReader): Promise<ShownView> {
  const [path = ''] = text.split('?', 1);
  const segments = isDecodable(text) ? segmentsOf(path).map(decodeURIComponent) : [];
  const found = views.find((view) => isAt(view, segments));
  if (!found) return problemIn(unknownView);
  const params = paramsIn(found, segments);
  const query = found.readQuery?.(text) ?? {};
  if (isRefusal(query)) return problemIn(query);
  const call: Call = {
    caller: { origin: peer, loopback: false, scope: 'read' },
    ...{ requestId: '', path: `${apiBase}${path}`, params, query, body: {}, signal },
    ...{ abandoned: false, unlocked: undefined, header: () => undefined },
  };
  const outcome = await found.route.handle(call);
  return isRefusal(outcome) ? problemIn(outcome) : shownIn(outcome);
}

const problemIn = ({ status, code, detail }: Refusal): ShownView => ({
  status,
  text: JSON.stringify({ code, detail }),
});

async function shownIn({ status, body, text, stream }: Reply): Promise<ShownView> {
  if (!stream) return { status, text: text ?? JSON.stringify(body ?? {}) };
  if (!/^application\/(vnd\.xstate\+)?json\b/.test(stream.type)) return problemIn(onlyJson);
  const { chunks } = stream;
  const pieces: Buffer[] = [];
  let bytes = 0;
  const whole = typeof chunks === 'string' || chunks instanceof Uint8Array ? [chunks] : chunks;
  for await (const piece of whole) {
    bytes += piece.length;
    if (bytes > viewBounds.bytes) return problemIn(tooLarge);
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
