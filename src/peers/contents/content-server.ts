/**
 * Answers `GET /content` (docs/reference/feeds.md#contents): the ciphertext that a resource names, to the homes where a
 * party of that resource lives. Everything else is answered alike, so that guessing ids and hashes reveals nothing.
 */
import { LRUCache } from 'lru-cache';
import { bounds, contentBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { mayReadState, partiesOf } from '../../machines/kernel/visibility.js';
import type { StoreReader } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import { type DisclosureSource, partiesAt } from '../feed/disclosure.js';
import type { PeerReply, PeerRequest } from '../transport/transport.js';
import { contentKind, namedContents } from './named-contents.js';

export interface ContentServerOptions extends DisclosureSource {
  readonly store: Pick<StoreReader, 'content'>;
  readonly world: Environment;
}

/** What a home asks for: a content, as a party of a resource. */
export interface AskedContent {
  readonly kind: string;
  readonly id: string;
  /** SHA-256 in hex. */
  readonly hash: string;
}

const problem = (detail: string): string => JSON.stringify({ detail });
const hashForm = /^[0-9a-f]{64}$/;
/** The longest id. */
const longestId = 128;

export class ContentServer {
  readonly #allowances = new LRUCache<Did, Allowance>({ max: bounds.peers });

  constructor(private readonly options: ContentServerOptions) {}

  async answer({ did, query }: Pick<PeerRequest, 'did' | 'query'>, reply: PeerReply): Promise<unknown> {
    const asked = askedIn(query);
    if (!asked) return reply.send(400, problem('kind, id and hash name a content'));
    const bytes = await this.#bytesFor(did, asked);
    if (!bytes) return reply.send(404, problem('this home gets no such content'));
    // Not 429: a home that asks for what it may read does nothing wrong.
    if (!this.#allowanceOf(did).take(bytes.length)) return reply.send(503, problem('too many bytes: ask again later'));
    return reply.send(200, JSON.stringify({ content: Buffer.from(bytes).toString('base64') }));
  }

  async #bytesFor(home: Did, { kind, id, hash }: AskedContent): Promise<Uint8Array | undefined> {
    const { catalogue, resource: load, store } = this.options;
    const definition = contentKind(catalogue, kind);
    const resource = definition && (await load(kind, id));
    if (!resource) return undefined;
    const parties = await partiesAt(home, partiesOf(definition, resource.context), this.options);
    if (!parties.some((did) => mayReadState(definition, resource.context, did))) return undefined;
    const named = await namedContents(catalogue, resource, load);
    return named.some((each) => each.hash === hash) ? store.content(hash) : undefined;
  }

  #allowanceOf(did: Did): Allowance {
    const known = this.#allowances.get(did);
    if (known) return known;
    const made = new Allowance(this.options.world, contentBounds.bytesPerSecond, contentBounds.burstBytes);
    this.#allowances.set(did, made);
    return made;
  }
}

function askedIn(query: URLSearchParams): AskedContent | undefined {
  const [kind, id, hash] = [query.get('kind'), query.get('id'), query.get('hash')];
  if (!kind || !id || !hash || kind.length > longestId || id.length > longestId || !hashForm.test(hash))
    return undefined;
  return { kind, id, hash };
}
