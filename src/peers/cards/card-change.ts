/** What one batch of a home's feed changes in the index of cards. */
import type { Json, JsonObject } from '../../core/canonical.js';
import { type Environment, pause } from '../../core/environment.js';
import { leavesIn } from '../../core/leaf.js';
import { type IdentityContext, identity } from '../../machines/identity/identity.js';
import { statedIdentity } from '../../machines/identity/stated.js';
import { initialPath } from '../../machines/kernel/chart.js';
import type { AnyDefinition, AnyResource, Catalogue } from '../../machines/kernel/definition.js';
import type { Request } from '../../machines/kernel/resource.js';
import type { Searched } from '../../machines/kernel/searched.js';
import { nodeOf } from '../../machines/kernel/stepper.js';
import { definitionVersion } from '../../machines/kernel/versioning.js';
import type { ListingContext } from '../../machines/listing/machine.js';
import { publishedListing, type Statement, updatedListing } from '../../machines/listing/stated.js';
import { payloadHashOf } from '../../store/payload.js';
import type { CardStore, Snapshot, SnapshotWrite } from '../../store/store.js';
import { findingInCore } from '../../verify/entry-text.js';
import type { CardPart, CardStatus } from '../feed/card-part.js';
import type { ChainLink } from '../feed/feed-batch.js';
import { type CardContext, cardId, cardIdParts, homeLabel, textsIn, textsOfCard } from './foreign-cards.js';
import { type CardKinds, isStatement } from './kinds.js';

/** The state of a card that is shown no more. */
const withdrawn = 'withdrawn';

/** Characters of the JSON of a card, with its texts. */
const longestCard = 32 * 1024;
/** Entries after which other work has its turn. */
const linksAtOnce = 32;

/** A card that was withdrawn counts as missing. */
export const unlessWithdrawn = (card: Snapshot | undefined): Snapshot | undefined =>
  card?.state === withdrawn ? undefined : card;

interface ChangedCard {
  /** As it is stored. */
  readonly before: Snapshot | undefined;
  readonly after: Snapshot;
}

export interface CardChangeOptions {
  /** DID. */
  readonly home: string;
  readonly network: string;
  readonly kinds: CardKinds;
  readonly catalogue: Catalogue;
  readonly store: Pick<CardStore, 'loadAll'>;
  readonly world: Environment;
  /** Whether further cards of the home are kept. */
  readonly hasRoom: boolean;
}

export class CardChange {
  /** By kind and id. */
  readonly #cards = new Map<string, ChangedCard>();
  readonly #forgotten: string[] = [];

  constructor(private readonly options: CardChangeOptions) {}

  /** @returns the first entry that shows what no honest home shows, and that as a sentence without its subject */
  async take(links: readonly ChainLink[]): Promise<{ readonly seq: number; readonly what: string } | undefined> {
    const showing = links.flatMap(({ seq, entryHash, part }) => (part ? [{ seq, entryHash, part }] : []));
    for (let at = 0; at < showing.length; at += linksAtOnce) {
      if (at > 0) await pause(this.options.world, 0);
      const some = showing.slice(at, at + linksAtOnce);
      await this.#load(some.map(({ part }) => part));
      for (const { seq, entryHash, part } of some) {
        const what = this.#take(part, entryHash);
        if (what) return { seq, what };
      }
    }
    return undefined;
  }

  /** Loads what is stored of the cards that these parts name, of each kind: an id is that of one. */
  async #load(parts: readonly CardPart[]): Promise<void> {
    const { home, kinds, store } = this.options;
    const named = parts.flatMap(({ payload, status = [], withdrawn: gone = [], erased = [] }) => [
      ...(payload ? [payload] : []),
      ...[status, gone, erased].flat(),
    ]);
    const ids = new Set(named.map(({ id }) => cardId(id, home)));
    for (const card of await store.loadAll([...kinds.listings.keys(), identity.kind], [...ids])) {
      const key = `${card.kind}/${cardIdParts(card.id).id}`;
      if (!this.#cards.has(key)) this.#cards.set(key, { before: card, after: card });
    }
  }

  #take(part: CardPart, entryHash: string): string | undefined {
    const { status = [], withdrawn: gone = [], erased = [] } = part;
    const flaw = this.#statement(part, entryHash);
    if (flaw) return flaw;
    for (const each of status) this.#stand(each);
    for (const { kind, id } of gone) this.#withdraw(kind, id);
    for (const { kind, id, leaf } of erased) this.#erase(kind, id, leaf);
    return undefined;
  }

  /** @param forgotten texts of which no word may stay in the index, unless another card has it */
  writes(): { readonly snapshots: readonly SnapshotWrite[]; readonly forgotten: readonly string[] } {
    const changed = [...this.#cards.values()].filter(({ before, after }) => before !== after);
    const snapshots = changed.map(({ before, after }): SnapshotWrite => {
      const search = this.#searchOf(before, after);
      return { snapshot: after, addLabels: [], dropLabels: [], ...(search ? { search } : {}) };
    });
    return { snapshots, forgotten: this.#forgotten };
  }

  /**
   * Takes what the owner has signed. A statement of a later program, or of an unknown kind, is left alone; one that this
   * program cannot take withdraws the card, which would show less than its owner has stated.
   */
  #statement({ core, payload, texts = {} }: CardPart, entryHash: string): string | undefined {
    const { home, network, kinds, hasRoom } = this.options;
    if (!core || !payload || !isStatement(kinds, payload)) return undefined;
    const found = findingInCore({ core, entryHash, payloadText: null });
    if (found) return found.check === 'version' ? undefined : found.what;
    const { event, time } = core;
    if (payloadHashOf({ public: payload }) !== event.payloadHash) return 'payloadHash is not the hash of the payload';
    const { kind, id, input } = payload;
    if (event.home !== home || event.network !== network) return 'its event is for another home or network';
    const written = core.versions.find((each) => each.kind === kind && each.id === id);
    if (!written) return 'its event states what the entry does not change';
    const known = this.#known(kind, id);
    if (!known && this.#hasAnotherKind(kind, id)) return 'its id is that of a listing of another kind';
    const card = unlessWithdrawn(known);
    const owner = kinds.listings.has(kind) ? (known?.context.seller ?? event.issuer) : id;
    if (owner !== event.issuer) return 'another DID has stated it';
    if (known && (known.context as unknown as CardContext).nonce >= event.nonce)
      return 'its owner has stated something newer';
    const values = Object.fromEntries(Object.entries(texts).map(([hash, { value }]) => [hash, value]));
    const statement = { signer: event.issuer, input, time, texts: values };
    const context = hasRoom ? this.#stated(payload, card, statement) : undefined;
    if (!context) this.#withdraw(kind, id, event.nonce);
    else {
      const state = card?.state ?? initialState(kinds.listings.get(kind));
      const { version } = written;
      // The signer's own time, which no home can move.
      const at = { version, lastHash: event.hash, updatedAt: Math.min(event.ts, this.options.world.now()) };
      const { figures } = (card?.context ?? {}) as unknown as Partial<CardContext>;
      this.#keep(kind, id, { ...at, state, context: { ...context, nonce: event.nonce, ...(figures && { figures }) } });
    }
    return undefined;
  }

  #stated({ kind, action }: Request, card: Snapshot | undefined, statement: Statement): JsonObject | undefined {
    const before = card?.context as unknown;
    const definition = this.options.kinds.listings.get(kind);
    const context = definition
      ? action === 'create'
        ? publishedListing(definition, statement)
        : updatedListing(definition, before as ListingContext | undefined, statement)
      : statedIdentity(before as IdentityContext | undefined, action, statement);
    if (!context) return undefined;
    const { texts: _, nonce: __, figures: ___, ...stated } = context as unknown as JsonObject;
    const known = { ...(card ? textsOfCard(card.context) : {}), ...statement.texts };
    const texts = Object.fromEntries(
      [...leavesIn(stated)].flatMap((hash) => (Object.hasOwn(known, hash) ? [[hash, known[hash]!]] : [])),
    );
    const whole = { ...stated, texts };
    return JSON.stringify(whole).length > longestCard ? undefined : whole;
  }

  /** A status that this program does not know leaves the card as it is. */
  #stand({ kind, id, version, state, stock, lastHash, updatedAt, ...figures }: CardStatus): void {
    const definition = this.options.kinds.listings.get(kind);
    const card = this.#card(kind, id);
    if (!definition || !card || !nodeOf(definition.machine, state)) return;
    if (state === 'removed') this.#withdraw(kind, id);
    else this.#keep(kind, id, { version, lastHash, state, updatedAt, context: { ...card.context, stock, figures } });
  }

  /** What is left of the card says whose it was, and which statement was the newest. */
  #withdraw(kind: string, id: string, stated = 0): void {
    const card = this.#card(kind, id);
    if (!card) return;
    this.#forget(Object.values(textsOfCard(card.context)));
    const { seller, nonce } = card.context as unknown as CardContext & { readonly seller?: string };
    const left = { nonce: Math.max(nonce, stated), ...(seller === undefined ? {} : { seller }) };
    this.#keep(kind, id, { ...card, state: withdrawn, context: left });
  }

  #erase(kind: string, id: string, hash: string): void {
    const card = this.#card(kind, id);
    const { [hash]: text, ...texts } = card ? textsOfCard(card.context) : {};
    if (!card || text === undefined) return;
    this.#forget([text]);
    this.#keep(kind, id, { ...card, context: { ...card.context, texts } });
  }

  #forget(texts: readonly Json[]): void {
    for (const text of texts) if (typeof text === 'string') this.#forgotten.push(text);
  }

  /** Searches find listings of all kinds by their ids. */
  #hasAnotherKind(kind: string, id: string): boolean {
    const { listings } = this.options.kinds;
    return listings.has(kind) && [...listings.keys()].some((other) => other !== kind && this.#known(other, id));
  }

  #card(kind: string, id: string): Snapshot | undefined {
    return unlessWithdrawn(this.#known(kind, id));
  }

  #known(kind: string, id: string): Snapshot | undefined {
    return this.#cards.get(`${kind}/${id}`)?.after;
  }

  #keep(
    kind: string,
    id: string,
    card: Pick<Snapshot, 'version' | 'lastHash' | 'state' | 'context' | 'updatedAt'>,
  ): void {
    const { home, catalogue, world } = this.options;
    const key = `${kind}/${id}`;
    const known = this.#cards.get(key);
    const machine = definitionVersion(catalogue.definitions[kind] as AnyDefinition);
    const { version, lastHash, state, context, updatedAt } = card;
    const createdAt = known?.before?.createdAt ?? world.now();
    const after = { kind, id: cardId(id, home), version, lastHash, state, context, updatedAt, createdAt, machine };
    this.#cards.set(key, { before: known?.before, after });
  }

  #searchOf(before: Snapshot | undefined, after: Snapshot) {
    const definition = this.options.kinds.listings.get(after.kind);
    if (!definition?.search) return undefined;
    const found = searchedIn(definition, after);
    return before ? { found, before: searchedIn(definition, before) } : { found };
  }
}

/** @param definition of a listing; undefined for an identity */
const initialState = (definition: AnyResource | undefined): string =>
  definition ? initialPath(definition.machine) : 'current';

/** A card that was withdrawn is found by nothing. */
function searchedIn({ search }: AnyResource, { id, state, context }: Snapshot): Searched {
  const { market } = search!;
  if (state === withdrawn)
    return { texts: [], labels: [], market, owner: '', visibility: 'private', expiresAt: null, price: null };
  const found = search!.of(state, context as never);
  const known = textsIn(context);
  const texts = found.texts.map(([text, weight]): Searched['texts'][number] => {
    const value = typeof text === 'string' ? text : known(text.leaf)?.value;
    return [typeof value === 'string' ? value : '', weight];
  });
  return { ...found, texts, labels: [...found.labels, homeLabel(cardIdParts(id).home!)] };
}
