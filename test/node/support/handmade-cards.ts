/** An index of other homes' cards, filled by hand. */
import type { Json, JsonObject } from '../../../src/core/canonical.js';
import { newLeaf } from '../../../src/core/leaf.js';
import { withLeaves } from '../../../src/core/schema/scalar.js';
import { identity } from '../../../src/machines/identity/identity.js';
import type { AnyDefinition, AnyResource } from '../../../src/machines/kernel/definition.js';
import { definitionVersion } from '../../../src/machines/kernel/versioning.js';
import { cardId, type ForeignCards, type ForeignHome, homeLabel } from '../../../src/peers/cards/foreign-cards.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
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
    this.#homes = [...this.#homes.filter((each) => each.home !== home), { home, asOf }].sort((a, b) =>
      a.home < b.home ? -1 : 1,
    );
  }

  async listing(definition: AnyResource, { seller, body, state = 'active.open', ...card }: ListingCard): Promise<void> {
    const texts: Texts = {};
    const { input: scalar, context: contextOf, example } = definition.create;
    const input = withLeaves(scalar, { ...example, ...body } as JsonObject, (text) => leafOf(text, texts));
    const correct = contextOf({ input, signer: seller } as never) as JsonObject;
    const { labels, ...searched } = definition.search!.of(state, correct as never);
    const told = searched.texts.map(
      ([text, weight]) => [typeof text === 'string' ? text : String(texts[text.leaf]), weight] as const,
    );
    const found = { ...searched, texts: told, labels: [...labels, homeLabel(card.home)] };
    await this.#put(definition, card, {
      context: { ...correct, texts, figures: card.stats, ...card.context },
      state,
      found,
    });
  }

  /** @param document its displayName and the like */
  async identity({ document, ...card }: CardOptions & { readonly document: JsonObject }): Promise<void> {
    const texts: Texts = {};
    const leaves = Object.entries(document).map(([name, value]) => [name, leafOf(value!, texts)]);
    const context = { document: Object.fromEntries(leaves), capabilities: [], texts };
    await this.#put(identity as unknown as AnyDefinition, card, { context: context as unknown as JsonObject });
  }

  async #put(
    definition: AnyDefinition,
    { id, home, at }: CardOptions,
    change: Pick<ResourceChange, 'context' | 'state' | 'found'>,
  ): Promise<void> {
    const { kind } = definition;
    const made = this.#builder.resource({ kind, id: cardId(id, home), ...change }, { time: at });
    const machine = definitionVersion(definition);
    const snapshots = made.snapshots.map(({ search, snapshot, ...each }) => ({
      ...{ ...each, snapshot: { ...snapshot, machine } },
      ...(change.found ? { search } : {}),
    }));
    const [result] = await this.index.append([{ ...made, snapshots }]);
    if (!result?.ok) throw new Error('the card was refused');
  }
}

type Texts = { [hash: string]: Json };

function leafOf(text: Json, texts: Texts) {
  const { leaf } = newLeaf(text, new Uint8Array(16));
  texts[leaf.leaf] = text;
  return leaf;
}
