/**
 * What the own feed shows of listings and identities (docs/reference/feeds.md#cards): only what all may read. A
 * statement is shown as long as its listing is public; where a listing stands, only by the newest entry about it.
 */
import { peerBounds } from '../../core/bounds.js';
import { leavesIn } from '../../core/leaf.js';
import { identity } from '../../machines/identity/identity.js';
import type { AnyResource, Catalogue } from '../../machines/kernel/definition.js';
import type { Request } from '../../machines/kernel/resource.js';
import { isVisible } from '../../machines/kernel/visibility.js';
import { leafKind } from '../../machines/leaf/leaf.js';
import type { ListingContext } from '../../machines/listing/machine.js';
import { noStats, type Stats } from '../../machines/listing/stats.js';
import type { Entry, EntryCore, NumberedEntry } from '../../store/entry.js';
import { storedPayloadOf } from '../../store/payload.js';
import type { Snapshot, StoreReader } from '../../store/store.js';
import type { CardPart, CardStatus } from '../feed/card-part.js';
import { lineOfEntry } from '../feed/line.js';
import { cardKinds, isStatement } from './kinds.js';

export interface CardSourceOptions {
  readonly catalogue: Catalogue;
  readonly store: Pick<StoreReader, 'load' | 'texts'>;
}

export class CardSource {
  readonly #kinds;

  constructor(private readonly options: CardSourceOptions) {
    this.#kinds = cardKinds(options.catalogue);
  }

  /** Whether the feed may say more of the entry than its hash. */
  concerns({ core, payload }: Pick<Entry, 'core' | 'payload'>): boolean {
    const { listings, companions } = this.#kinds;
    return (
      payload.kind === leafKind ||
      isStatement(this.#kinds, payload) ||
      core.versions.some(({ kind }) => listings.has(kind) || companions.has(kind))
    );
  }

  /**
   * The line of the feed. A statement that is too long for one withdraws the card, which would show less than its owner has
   * stated.
   */
  async lineOf(entry: NumberedEntry): Promise<string> {
    const { seq, entryHash, payload } = entry;
    const line = lineOfEntry({ seq, entryHash, part: await this.#partOf(entry) });
    if (Buffer.byteLength(line) <= peerBounds.lineBytes) return line;
    const { kind, id } = payload;
    return lineOfEntry({ seq, entryHash, part: { withdrawn: [{ kind, id }] } });
  }

  /** @returns undefined if the feed says nothing of it but its hash */
  async #partOf(entry: Entry): Promise<CardPart | undefined> {
    if (!this.concerns(entry)) return undefined;
    const { payload } = entry;
    if (payload.kind === leafKind) return this.#erased(payload);
    const [statement, standing] = await Promise.all([this.#statement(entry), this.#standing(entry.core)]);
    const part = { ...statement, ...standing };
    return Object.keys(part).length > 0 ? part : undefined;
  }

  #erased({ id: leaf, input }: Request): CardPart | undefined {
    const { kind, id } = input.resource as { readonly kind: string; readonly id: string };
    return kind === identity.kind || this.#kinds.listings.has(kind) ? { erased: [{ kind, id, leaf }] } : undefined;
  }

  async #statement({ core, payload, payloadText }: Entry): Promise<CardPart> {
    const { kind, id, action, input } = payload;
    if (!isStatement(this.#kinds, payload)) return {};
    const listing = this.#kinds.listings.get(kind);
    const isShown = !listing || isPublic(listing, await this.options.store.load(kind, id));
    if (!isShown || storedPayloadOf(payloadText).confidential) return {};
    const texts = await this.options.store.texts([...leavesIn(input)]);
    const encoded = [...texts].map(([hash, { salt, value }]) => [
      hash,
      { salt: Buffer.from(salt).toString('hex'), value },
    ]);
    return {
      core,
      payload: { kind, id, action, input },
      ...(texts.size > 0 ? { texts: Object.fromEntries(encoded) } : {}),
    };
  }

  /** Where the entry has left the listings that it is about, unless a later entry has left them elsewhere. */
  async #standing({ versions }: EntryCore): Promise<Pick<CardPart, 'status' | 'withdrawn'>> {
    const { listings, companions } = this.#kinds;
    const status: CardStatus[] = [];
    const withdrawn: { kind: string; id: string }[] = [];
    const named = new Set<string>();
    for (const { kind, id, version } of versions) {
      const candidates = listings.has(kind) ? [listings.get(kind)!] : (companions.get(kind) ?? []);
      for (const definition of candidates) {
        const found = await this.#found(definition, id);
        if (!found || named.has(id)) continue;
        const newest = kind === definition.kind ? found.listing : found.statistics;
        if (newest?.version !== version) continue;
        named.add(id);
        if (isPublic(definition, found.listing)) status.push(statusOf(found.listing, found.statistics));
        else withdrawn.push({ kind: definition.kind, id });
      }
    }
    return { ...(status.length > 0 ? { status } : {}), ...(withdrawn.length > 0 ? { withdrawn } : {}) };
  }

  async #found({ kind, companion }: AnyResource, id: string) {
    const { store } = this.options;
    const listing = await store.load(kind, id);
    return listing && { listing, statistics: companion === undefined ? undefined : await store.load(companion, id) };
  }
}

const isPublic = (definition: AnyResource, listing: Snapshot | undefined): boolean =>
  listing !== undefined && listing.state !== 'removed' && isVisible(definition, listing, undefined);

function statusOf(
  { kind, id, version, state, context, lastHash, createdAt, updatedAt }: Snapshot,
  statistics: Snapshot | undefined,
): CardStatus {
  const { stock, bidding } = context as unknown as ListingContext;
  const { orders, completedOrders, ratingSum, ratingCount } = (statistics?.context ?? noStats) as unknown as Stats;
  return {
    ...{ kind, id, version, state, stock, lastHash, createdAt, updatedAt },
    ...{ orders, completedOrders, ratingSum, ratingCount, bidCount: bidding?.bids.length ?? 0 },
  };
}
