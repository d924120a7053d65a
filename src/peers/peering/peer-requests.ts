/**
 * The requests that a peer may send to this node (docs/reference/feeds.md#requests). The transport bounds their size
 * and rate; malformed or wrongly signed content counts as misbehaviour, of which a peer is allowed little.
 */
import { feedBounds } from '../../core/bounds.js';
import { isJsonObject } from '../../core/canonical.js';
import type { Did } from '../../core/codecs/did.js';
import { parseShaped } from '../../core/json-text.js';
import type { Checkpoint } from '../checkpoint.js';
import type { FeedServer } from '../feed/feed-server.js';
import type { HeadOutcome, KnownHeads } from '../known-heads.js';
import {
  type PeerHandler,
  type PeerReply,
  type PeerRequest,
  type PeerService,
  problemText,
} from '../transport/transport.js';
import type { ViewServer } from '../views/view-server.js';

export interface ShownViews {
  readonly views: ViewServer;
  readonly acts: ViewServer;
}

export interface PeerServiceOptions {
  readonly isMember: (did: Did) => boolean;
  /** Called when a member has opened a connection from this IP address. Must not throw. */
  readonly onConnected: (did: Did, address: string) => void;
  /** Whether a member was at this IP address before. */
  readonly isKnown: (address: string) => boolean;
  readonly heads: Pick<KnownHeads, 'receive' | 'receiveProof' | 'newest' | 'news'>;
  /** Undefined until this node knows its own head. */
  readonly feed: () => FeedServer | undefined;
  /** The checkpoint up to which this node follows a home. */
  readonly followed: (home: Did) => Checkpoint | undefined;
  /** What answers views, and acts; undefined until this node's API is there. */
  readonly views: () => ShownViews | undefined;
  /** The wall clock, epoch ms. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
  /** Further requests, by method and path. */
  readonly further: { readonly [route: string]: PeerHandler };
}

export function peerService(options: PeerServiceOptions): PeerService {
  const handlers: { readonly [route: string]: PeerHandler } = {
    'GET /feed': (request, reply) => serveFeed(options, request, reply),
    'GET /head': (request, reply) => answerHead(options, request, reply),
    'GET /view': (request, reply) => serveView(options.views()?.views, request, reply),
    'POST /view': (request, reply) => serveView(options.views()?.acts, request, reply),
    'POST /news': (request, reply) => receiveNews(options, request, reply),
    ...options.further,
  };
  return {
    admit(did, address) {
      const isMember = options.isMember(did);
      if (isMember) options.onConnected(did, address);
      return isMember;
    },
    isKnown: options.isKnown,
    async handle(request, reply) {
      const route = `${request.method} ${request.path}`;
      if (!Object.hasOwn(handlers, route)) await reply.send(404, problemText('there is nothing here'));
      else await handlers[route]!(request, reply);
    },
    onFault: options.onFault,
  };
}

const serveFeed = ({ feed }: PeerServiceOptions, request: PeerRequest, reply: PeerReply): Promise<unknown> =>
  feed()?.serve(request, reply) ?? reply.send(503, problemText('this node does not know its own head yet'));

const serveView = (server: ViewServer | undefined, request: PeerRequest, reply: PeerReply): Promise<unknown> =>
  server?.serve(request, reply) ?? reply.send(503, problemText('this node is starting'));

/** Answers with what is known here about the asking home's journal. */
async function answerHead({ heads, followed, now }: PeerServiceOptions, { did }: PeerRequest, reply: PeerReply) {
  const held = followed(did);
  // A home asks after a start, when it has lost what was not on its disk.
  heads.news.resend(did);
  // Both are sent, because the newest received checkpoint may be of a second journal.
  return reply.send(200, JSON.stringify({ checkpoint: heads.newest(did), held, time: now() }));
}

/** Bad input in one message. Exceeding the rate limit counts once, because an honest peer may do so for a moment. */
function badInputIn(outcomes: readonly HeadOutcome[]): number {
  const invalid = outcomes.filter((outcome) => outcome === 'malformed' || outcome === 'forged').length;
  return invalid + (outcomes.includes('too many') ? 1 : 0);
}

async function receiveNews({ heads }: PeerServiceOptions, request: PeerRequest, reply: PeerReply) {
  const body = await request.body();
  if (body === undefined) return;
  const news = newsIn(body);
  if (!news) return reply.send(400, problemText('the body is not a valid message'));
  const { did } = request;
  const outcomes: HeadOutcome[] = [];
  for (const value of news.checkpoints) outcomes.push(heads.receive(value, did));
  for (const value of news.equivocations) outcomes.push(heads.receiveProof(value, did));
  const bad = badInputIn(outcomes);
  if (bad > 0) request.misbehaved(bad);
  return reply.send(204);
}

interface ReceivedNews {
  readonly checkpoints: readonly unknown[];
  readonly equivocations: readonly unknown[];
}

/** Rejects a message with more items than allowed. */
function newsIn(body: string): ReceivedNews | undefined {
  const parsed = parseShaped(body);
  if (typeof parsed === 'string') return undefined; // The peer gets 400.
  const { value } = parsed;
  if (!isJsonObject(value)) return undefined;
  const { checkpoints = [], equivocations = [], ...more } = value as Partial<ReceivedNews>;
  const lists = [checkpoints, equivocations];
  const isWhole = lists.every((list) => Array.isArray(list) && list.length <= feedBounds.newsItems);
  return isWhole && Object.keys(more).length === 0 ? { checkpoints, equivocations } : undefined;
}
