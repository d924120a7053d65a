/** An index of other homes' cards, filled by hand. */
import type { Json, JsonObject } from '../../../src/core/canonical.js';
import { newLeaf } from '../../../src/core/leaf.js';
import { withLeaves } from '../../../src/core/schema/scalar.js';
import type { IdentityContext } from '../../../src/machines/identity/identity.js';
import { identity } from '../../../src/machines/identity/identity.js';
import type { AnyDefinition, AnyResource } from '../../../src/machines/kernel/resource.js';
import { definitionVersion } from '../../../src/machines/kernel/versioning.js';
import { listingStats } from '../../../src/machines/listing/stats.js';
import {
  cardId,
  type ForeignCards,
  type ForeignHome,
  homeLabel,
  textKey,
  withTextKeys,
} from '../../../src/peers/cards/foreign-cards.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Content } from '../../../src/store/store.js';
import { EntryBuilder, type ResourceChange } from '../../contract/entries.js';
import type { Body } from './client.js';

interface CardOptions {
  readonly home: string;
  readonly id: string;
  /** When it was first seen. */
  readonly at: number;
}

interface ListingCard extends CardOptions {
  readonly seller: string;
  readonly body?: Body;
  readonly state?: string;
  /** Changes of the context. */
  readonly context?: JsonObject;
  readonly stats?: JsonObject;
}

export class HandmadeCards implements ForeignCards {
  #homes: readonly ForeignHome[] = [];
  readonly index = new MemoryStore();
  readonly #builder = new EntryBuilder();

  homes = (): readonly ForeignHome[] => this.#homes;

  follow(home: string, asOf?: number): void {
    const address = `/ip4/192.0.2.1/tcp/9529/p2p/${home.slice(-6)}`;
    this.#homes = [...this.#homes.filter((each) => each.home !== home), { home, address, asOf }].sort((a, b) =>
      a.home < b.home ? -1 : 1,
    );
  }

  async listing(definition: AnyResource, { seller, body, state = 'active.open', ...card }: ListingCard): Promise<void> {
    const contents: Content[] = [];
    const { input: scalar, context: contextOf, example } = definition.create;
    const input = withLeaves(scalar, { ...example, ...body } as JsonObject, (text) => this.#leaf(text, contents));
    const correct = contextOf({ input, signer: seller } as never) as JsonObject;
    const { labels, ...found } = definition.search!.of(state, withTextKeys(correct, card.home) as never);
    const context = { ...correct, ...card.context };
    await this.#put(
      definition,
      card,
      { context, state, found: { ...found, labels: [...labels, homeLabel(card.home)] } },
      contents,
    );
    if (card.stats) await this.#put(listingStats as unknown as AnyDefinition, card, { context: card.stats }, []);
  }

  async identity({ displayName, ...card }: CardOptions & { readonly displayName: string }): Promise<void> {
    const contents: Content[] = [];
    const context: IdentityContext = {
      document: { displayName: this.#leaf(displayName, contents) as never },
      capabilities: [],
    };
    await this.#put(
      identity as unknown as AnyDefinition,
      card,
      { context: context as unknown as JsonObject },
      contents,
    );
  }

  #leaf(text: Json, contents: Content[]) {
    const { leaf, content } = newLeaf(text, new Uint8Array(16));
    contents.push(content);
    return leaf;
  }

  async #put(
    definition: AnyDefinition,
    { id, home, at }: CardOptions,
    change: Pick<ResourceChange, 'context' | 'state' | 'found'>,
    contents: readonly Content[],
  ): Promise<void> {
    const { kind } = definition;
    const made = this.#builder.resource({ kind, id: cardId(id, home), ...change }, { time: at });
    const machine = definitionVersion(definition);
    const snapshots = made.snapshots.map(({ search, snapshot, ...each }) => ({
      ...{ ...each, snapshot: { ...snapshot, machine } },
      ...(change.found ? { search } : {}),
    }));
    const [result] = await this.index.append([
      { ...made, snapshots, contents: contents.map(({ hash, bytes }) => ({ hash: textKey(home, hash), bytes })) },
    ]);
    if (!result?.ok) throw new Error('the card was refused');
  }
}
