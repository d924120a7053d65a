/**
 * Fetches contents of other homes' resources for parties that live here (docs/reference/feeds.md#contents), and keeps
 * them with the copy of that home's journal, so that they can be read while the home is away. The hash in the verified
 * entry decides which bytes are kept.
 */
import { contentBounds } from '../../core/bounds.js';
import { sha256Hex } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { growingCache } from '../../core/growing-cache.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import type { Store } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import type { PeerLink } from '../peering/peer-link.js';
import { PeerError, type PeerResponse } from '../transport/transport.js';
import type { AskedContent } from './content-server.js';
import { type NamedContent, namedContents } from './named-contents.js';

export interface ContentPeer {
  readonly link: Pick<PeerLink, 'connection'>;
  /** The copy of its journal; undefined while it cannot be opened. */
  readonly store: Store | undefined;
}

export interface ContentFetcherOptions {
  readonly world: Environment;
  readonly catalogue: Catalogue;
  readonly peerAt: (home: string) => ContentPeer | undefined;
  /** False while the disk is nearly full: contents are then read, and not kept. */
  readonly hasRoom: () => boolean;
  readonly log: (message: string, detail: object) => void;
}

/** In base64, with its member. */
const longestReply = Math.ceil(contentBounds.bytes / 3) * 4 + 64;

const away = (home: string, why: string): Refusal =>
  refuse('SERVICE_UNAVAILABLE', `the content is at its home ${home}: ${why}`, { retryAfter: 5 });

export class ContentFetcher {
  /** Requests in progress: a content is fetched once, however many wait for it. */
  readonly #running = new Map<string, Promise<Uint8Array | Refusal>>();
  readonly #allowances = new Map<string, Allowance>();
  /** Until when a content is not asked for again, monotonic ms. */
  readonly #refused = growingCache<string, number>(contentBounds.refused);
  readonly #closing = new AbortController();

  constructor(private readonly options: ContentFetcherOptions) {}

  /** The content from the copy, else from its home; SERVICE_UNAVAILABLE if that does not send it. */
  async get(home: string, asked: AskedContent): Promise<Uint8Array | Refusal> {
    const peer = this.options.peerAt(home);
    const kept = await peer?.store?.content(asked.hash);
    if (kept) return kept;
    if (!peer?.store) return away(home, 'this node does not follow it at present');
    const key = `${home} ${asked.kind}/${asked.id} ${asked.hash}`;
    if ((this.#refused.get(key) ?? 0) > this.options.world.monotonic()) return away(home, 'it does not give it');
    const running = this.#running.get(key);
    if (running) return running;
    const fetching = this.#fetch(home, asked, { ...peer, store: peer.store, key });
    this.#running.set(key, fetching);
    return fetching.finally(() => this.#running.delete(key));
  }

  /** Ends the requests in progress. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }

  async #fetch(
    home: string,
    asked: AskedContent,
    { link, store, key }: ContentPeer & { readonly store: Store; readonly key: string },
  ): Promise<Uint8Array | Refusal> {
    const named = await this.#named(store, asked);
    if (!named) return refuse('NOT_FOUND', `${asked.kind} ${asked.id} names no such content`);
    if (!this.#allowanceOf(home).take()) return away(home, 'it is asked for too many at once');
    const response = await this.#ask(link, asked);
    if (isRefusal(response)) return away(home, response.detail);
    const bytes = response.status === 200 ? bytesIn(response.body) : undefined;
    if (!bytes || sha256Hex(bytes) !== asked.hash) {
      if (response.status === 503) return away(home, 'it is busy');
      this.#refused.set(key, this.options.world.monotonic() + contentBounds.refusedMs);
      this.options.log('a home does not send a content that its journal names', {
        ...{ home, ...asked, status: response.status },
      });
      return away(home, 'it does not give it');
    }
    await this.#keep(store, named, { hash: asked.hash, bytes });
    return bytes;
  }

  async #named(store: Store, { kind, id, hash }: AskedContent): Promise<NamedContent | undefined> {
    const load = store.load.bind(store);
    const resource = await load(kind, id);
    const named = resource ? await namedContents(this.options.catalogue, resource, load) : [];
    return named.find((each) => each.hash === hash);
  }

  async #ask(link: ContentPeer['link'], asked: AskedContent): Promise<PeerResponse | Refusal> {
    const path = `/content?${new URLSearchParams({ ...asked })}`;
    const { signal } = this.#closing;
    try {
      return await link.connection.request('GET', path, {
        ...{ maxBytes: longestReply, timeoutMs: contentBounds.arrivalMs, signal },
      });
    } catch (error) {
      if (!(error instanceof PeerError)) throw error;
      return refuse('SERVICE_UNAVAILABLE', error.message);
    }
  }

  /** The caller gets the bytes even if they cannot be kept. */
  async #keep(store: Store, { by }: NamedContent, content: { readonly hash: string; readonly bytes: Uint8Array }) {
    if (!this.options.hasRoom()) return;
    try {
      const entry = await store.entryByEvent(by.lastHash);
      if (entry) await store.keepContent(entry.entryHash, content);
    } catch (error) {
      this.options.log('a content of another home could not be kept', { hash: content.hash, error: messageOf(error) });
    }
  }

  #allowanceOf(home: string): Allowance {
    const { requestsPerSecond, requestBurst } = contentBounds;
    const allowance = this.#allowances.get(home) ?? new Allowance(this.options.world, requestsPerSecond, requestBurst);
    this.#allowances.set(home, allowance);
    return allowance;
  }
}

function bytesIn(body: string): Buffer | undefined {
  try {
    const { content } = JSON.parse(body) as { readonly content?: unknown };
    return typeof content === 'string' ? Buffer.from(content, 'base64') : undefined;
  } catch {
    return undefined; // Not JSON: it is not the content.
  }
}
