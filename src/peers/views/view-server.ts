/** Answers peers that ask for views of this home, and send it writes (docs/reference/feeds.md#views). */
import type { LRUCache } from 'lru-cache';
import { actBounds, bounds, type ViewBounds, viewBounds } from '../../core/bounds.js';
import { isJsonObject, type Json } from '../../core/canonical.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { growingCache } from '../../core/growing-cache.js';
import { guardJson, parseShaped } from '../../core/json-text.js';
import { Allowance } from '../allowance.js';
import type { PeerReply, PeerRequest } from '../transport/transport.js';
import type { AskedView, SentFor, ShownView, ShowView } from './foreign-views.js';

interface AskingPeer {
  readonly allowance: Allowance;
  atOnce: number;
}

const problem = (status: number, code: string, detail: string): ShownView => ({
  status,
  text: JSON.stringify({ code, detail }),
});
const tooMany = problem(429, 'RATE_LIMITED', 'too much is asked of this home');
const tooLarge = problem(422, 'UNPROCESSABLE', 'the answer is too large for a peer: ask for a shorter page');
/** Of an event that was written: it is not refused. */
const doneTooLarge = {
  status: 422,
  text: JSON.stringify({
    ...{ code: 'UNPROCESSABLE', detail: 'it is done, and the answer is too large for a peer', committed: true },
  }),
};

export class ViewServer {
  readonly #peers: LRUCache<Did, AskingPeer> = growingCache(bounds.knownPeers);
  readonly #allowance: Allowance;
  #atOnce = 0;

  constructor(
    private readonly world: Environment,
    private readonly show: ShowView,
    private readonly bounds: ViewBounds = viewBounds,
  ) {
    this.#allowance = new Allowance(world, bounds.allPerSecond, bounds.allBurst);
  }

  /** The transport's status is 200 for every answer of the API, because others count as a peer's bad input. */
  async serve(request: PeerRequest, reply: PeerReply): Promise<boolean> {
    const { did, signal } = request;
    const peer = this.#peerOf(did);
    const isBusy = peer.atOnce >= this.bounds.perPeer || this.#atOnce >= this.bounds.served;
    if (isBusy || !peer.allowance.take() || !this.#allowance.take()) return this.#send(reply, tooMany);
    peer.atOnce++;
    this.#atOnce++;
    try {
      const asked = await askedIn(request);
      if (asked === undefined) return false;
      if (asked === null) return await reply.send(400);
      return await this.#send(reply, await this.show({ ...asked, peer: did, signal }), asked);
    } finally {
      peer.atOnce--;
      this.#atOnce--;
    }
  }

  #send(reply: PeerReply, { status, text }: ShownView, asked?: PeerAsk): Promise<boolean> {
    const body = `{"status":${status},"body":${text}}`;
    if (Buffer.byteLength(body) <= this.bounds.bytes) return reply.send(200, body);
    return this.#send(reply, asked?.body && status < 300 ? doneTooLarge : tooLarge);
  }

  #peerOf(did: Did): AskingPeer {
    const known = this.#peers.get(did);
    if (known) return known;
    const made = { allowance: new Allowance(this.world, this.bounds.perSecond, this.bounds.burst), atOnce: 0 };
    this.#peers.set(did, made);
    return made;
  }
}

type PeerAsk = Omit<AskedView, 'peer' | 'signal'>;

/** Null if it is malformed; undefined if the transport has refused it. */
async function askedIn(request: PeerRequest): Promise<PeerAsk | null | undefined> {
  if (request.method === 'GET') return pathIn(request.query.get('path') ?? undefined);
  const text = await request.body(actBounds.requestBytes);
  if (text === undefined) return undefined;
  const parsed = parseShaped(text);
  if (typeof parsed === 'string' || !isJsonObject(parsed.value) || guardJson(parsed.value, text)) return null;
  const { path, reader, body: written, ...more } = parsed.value;
  const isSent =
    (reader === undefined || typeof reader === 'string') &&
    (written === undefined || isJsonObject(written)) &&
    Object.keys(more).length === 0;
  return isSent ? pathIn(path, { ...(reader !== undefined && { reader }), ...(written && { body: written }) }) : null;
}

const pathIn = (path: Json | undefined, sent: SentFor = {}): PeerAsk | null =>
  typeof path === 'string' && path.length <= viewBounds.pathLength ? { path, ...sent } : null;
