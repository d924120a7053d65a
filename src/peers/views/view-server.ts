/** Answers peers that ask for public views of this home (docs/reference/feeds.md#views). */
import type { LRUCache } from 'lru-cache';
import { bounds, viewBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { growingCache } from '../../core/growing-cache.js';
import { Allowance } from '../allowance.js';
import type { PeerReply, PeerRequest } from '../transport/transport.js';
import type { ShownView, ShowView } from './foreign-views.js';

interface AskingPeer {
  readonly allowance: Allowance;
  atOnce: number;
}

const problem = (status: number, code: string, detail: string): ShownView => ({
  status,
  text: JSON.stringify({ code, detail }),
});
const tooMany = problem(429, 'RATE_LIMITED', 'too many views are asked of this home');
const tooLarge = problem(422, 'UNPROCESSABLE', 'the answer is too large for a peer: ask for a shorter page');

export class ViewServer {
  readonly #peers: LRUCache<Did, AskingPeer> = growingCache(bounds.knownPeers);
  readonly #allowance: Allowance;
  #atOnce = 0;

  constructor(
    private readonly world: Environment,
    private readonly show: ShowView,
  ) {
    this.#allowance = new Allowance(world, viewBounds.allPerSecond, viewBounds.allBurst);
  }

  /** The transport's status is 200 for every answer of the API, because others count as a peer's bad input. */
  async serve({ did, query, signal }: PeerRequest, reply: PeerReply): Promise<boolean> {
    const path = query.get('path');
    if (path === null || path.length > viewBounds.pathLength) return reply.send(400);
    const peer = this.#peerOf(did);
    const isBusy = peer.atOnce >= viewBounds.perPeer || this.#atOnce >= viewBounds.served;
    if (isBusy || !peer.allowance.take() || !this.#allowance.take()) return sent(reply, tooMany);
    peer.atOnce++;
    this.#atOnce++;
    try {
      return await sent(reply, await this.show(path, did, signal));
    } finally {
      peer.atOnce--;
      this.#atOnce--;
    }
  }

  #peerOf(did: Did): AskingPeer {
    const known = this.#peers.get(did);
    if (known) return known;
    const made = { allowance: new Allowance(this.world, viewBounds.perSecond, viewBounds.burst), atOnce: 0 };
    this.#peers.set(did, made);
    return made;
  }
}

function sent(reply: PeerReply, { status, text }: ShownView): Promise<boolean> {
  const body = `{"status":${status},"body":${text}}`;
  return Buffer.byteLength(body) > viewBounds.bytes ? sent(reply, tooLarge) : reply.send(200, body);
}
