/** What one batch of a home's feed changes in the index of cards. */
import { canonical, type Json, type JsonObject } from '../../core/canonical.js';
import { type Environment, pause } from '../../core/environment.js';
import { leavesIn, withTexts } from '../../core/leaf.js';
import type { IdentityContext } from '../../machines/identity/identity.js';
import { statedIdentity } from '../../machines/identity/stated.js';
import { initialPath } from '../../machines/kernel/chart.js';
import type { AnyDefinition, AnyResource, Catalogue } from '../../machines/kernel/definition.js';
import type { Request } from '../../machines/kernel/resource.js';
import type { Searched } from '../../machines/kernel/searched.js';
import { nodeOf } from '../../machines/kernel/stepper.js';
import { definitionVersion } from '../../machines/kernel/versioning.js';
import type { ListingContext } from '../../machines/listing/machine.js';
import { publishedListing, type Statement, updatedListing } from '../../machines/listing/stated.js';
import type { Snapshot, SnapshotWrite, StoreReader } from '../../store/store.js';
import { findingInCore } from '../../verify/entry-text.js';
import type { CardPart, CardStatus } from './card-part.js';
import { type CardContext, cardId, cardIdParts, homeLabel, textsIn, textsOfCard } from './foreign-cards.js';
import { type CardKinds, isStatement } from './kinds.js';

/** The state of a card that is shown no more. */
const withdrawn = 'withdrawn';

/** Characters of the JSON of a card, with its texts. */
const longestCard = 32 * 1024;
/** Parts after which other work has its turn. */
const partsAtOnce = 32;

/** A card that was withdrawn counts as missing. */
export const unlessWithdrawn = (card: Snapshot | undefined): Snapshot | undefined =>
  card?.state === withdrawn ? undefined : card;

interface ChangedCard {
  readonly before: Snapshot | undefined;
  readonly after: Snapshot;
}

export interface CardChangeOptions {
  /** DID. */
  readonly home: string;
  readonly network: string;
  readonly kinds: CardKinds;
  readonly catalogue: Catalogue;
  readonly store: Pick<StoreReader, 'load'>;
  readonly world: Environment;
  /** Whether further cards of the home are kept. */
  readonly hasRoom: boolean;
}

export class CardChange {
  readonly #changed = new Map<string, ChangedCard>();
  readonly #forgotten: string[] = [];
  #parts = 0;

  constructor(private readonly options: CardChangeOptions) {}

  /** @returns what no honest home shows, as a sentence without its subject */
  async take(part: CardPart): Promise<string | undefined> {
    this.#parts += 1;
    if (this.#parts % partsAtOnce === 0) await pause(this.options.world, 0);
    const { status = [], withdrawn: gone = [], erased = [] } = part;
    const flaw = await this.#statement(part);
    if (flaw) return flaw;
    for (const each of status) await this.#stand(each);
    for (const { kind, id } of gone) await this.#withdraw(kind, id);
    for (const { kind, id, leaf } of erased) await this.#erase(kind, id, leaf);
    return undefined;
  }

  /** @param forgotten texts of which no word may stay in the index, unless another card has it */
  writes(): { readonly snapshots: readonly SnapshotWrite[]; readonly forgotten: readonly string[] } {
    const snapshots = [...this.#changed.values()].map(({ before, after }): SnapshotWrite => {
      const search = this.#searchOf(before, after);
      return { snapshot: after, addLabels: [], dropLabels: [], ...(search ? { search } : {}) };
    });
    return { snapshots, forgotten: this.#forgotten };
  }

  /**
   * Takes what the owner has signed. A statement of a later program, or of an unknown kind, is left alone; one that this
   * program cannot take withdraws the card, which would show less than its owner has stated.
   */
  async #statement({ core, payload, texts = {} }: CardPart): Promise<string | undefined> {
    const { home, network, kinds, hasRoom } = this.options;
    if (!core || !payload || !isStatement(kinds, payload)) return undefined;
    const payloadText = canonical({ public: payload } as unknown as JsonObject);
    const found = findingInCore({ core, coreText: canonical(core), payloadText });
    if (found) return found.check === 'version' ? undefined : found.what;
    const { event, time } = core;
    const { kind, id, input } = payload;
    if (event.home !== home || event.network !== network) return 'its event is for another home or network';
    const written = core.versions.find((each) => each.kind === kind && each.id === id);
    if (!written) return 'its event states what the entry does not change';
    const known = await this.#known(kind, id);
    if (!known && (await this.#hasAnotherKind(kind, id))) return 'its id is that of a listing of another kind';
    const card = unlessWithdrawn(known);
    const owner = kinds.listings.has(kind) ? (known?.context.seller ?? event.issuer) : id;
    if (owner !== event.issuer) return 'another DID has stated it';
    if (known && (known.context as unknown as CardContext).nonce >= event.nonce)
      return 'its owner has stated something newer';
    const values = Object.fromEntries(Object.entries(texts).map(([hash, { value }]) => [hash, value]));
    const statement = { signer: event.issuer, input, time, texts: values };
    const context = hasRoom ? this.#stated(payload, card, statement) : undefined;
    if (!context) await this.#withdraw(kind, id, event.nonce);
    else {
      const state = card?.state ?? initialState(kinds.listings.get(kind));
      const { version } = written;
      // The signer's own time, which no home can move.
      const at = { version, lastHash: event.hash, updatedAt: Math.min(event.ts, this.options.world.now()) };
      this.#keep(kind, id, { ...at, state, context: { ...context, nonce: event.nonce } });
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
    const { texts: _, nonce: __, ...stated } = context as unknown as JsonObject;
    const known = { ...(card ? textsOfCard(card.context) : {}), ...statement.texts };
    const texts = Object.fromEntries(
      [...leavesIn(stated)].flatMap((hash) => (Object.hasOwn(known, hash) ? [[hash, known[hash]!]] : [])),
    );
    const whole = withTexts(stated, textsIn({ texts }));
    return JSON.stringify(whole).length > longestCard ? undefined : { ...stated, texts };
  }

  /** A status that this program does not know leaves the card as it is. */
  async #stand({ kind, id, version, state, stock, lastHash, updatedAt, ...more }: CardStatus): Promise<void> {
    const definition = this.options.kinds.listings.get(kind);
    const card = await this.#card(kind, id);
    if (!definition || !card || !nodeOf(definition.machine, state)) return;
    if (state === 'removed') return this.#withdraw(kind, id);
    this.#keep(kind, id, { version, lastHash, state, updatedAt, context: { ...card.context, stock } });
    if (definition.companion !== undefined)
      this.#keep(definition.companion, id, { version, lastHash, state: 'current', updatedAt, context: more });
  }

  /** What is left of the card says whose it was, and which statement was the newest. */
  async #withdraw(kind: string, id: string, stated = 0): Promise<void> {
    const card = await this.#card(kind, id);
    if (!card) return;
    this.#forget(Object.values(textsOfCard(card.context)));
    const { seller, nonce } = card.context as unknown as CardContext & { readonly seller?: string };
    const left = { nonce: Math.max(nonce, stated), ...(seller === undefined ? {} : { seller }) };
    this.#keep(kind, id, { ...card, state: withdrawn, context: left });
  }

  async #erase(kind: string, id: string, hash: string): Promise<void> {
    const card = await this.#card(kind, id);
    const { [hash]: text, ...texts } = card ? textsOfCard(card.context) : {};
    if (!card || text === undefined) return;
    this.#forget([text]);
    this.#keep(kind, id, { ...card, context: { ...card.context, texts } });
  }

  #forget(texts: readonly Json[]): void {
    for (const text of texts) if (typeof text === 'string') this.#forgotten.push(text);
  }

  /** Searches find listings of all kinds by their ids. */
  async #hasAnotherKind(kind: string, id: string): Promise<boolean> {
    const { listings } = this.options.kinds;
    if (!listings.has(kind)) return false;
    for (const other of listings.keys()) if (other !== kind && (await this.#known(other, id))) return true;
    return false;
  }

  async #card(kind: string, id: string): Promise<Snapshot | undefined> {
    return unlessWithdrawn(await this.#known(kind, id));
  }

  async #known(kind: string, id: string): Promise<Snapshot | undefined> {
    const key = `${kind}/${id}`;
    const changed = this.#changed.get(key);
    if (changed) return changed.after;
    const card = await this.options.store.load(kind, cardId(id, this.options.home));
    if (card) this.#changed.set(key, { before: card, after: card });
    return card;
  }

  #keep(
    kind: string,
    id: string,
    card: Pick<Snapshot, 'version' | 'lastHash' | 'state' | 'context' | 'updatedAt'>,
  ): void {
    const { home, catalogue, world } = this.options;
    const key = `${kind}/${id}`;
    const known = this.#changed.get(key);
    const machine = definitionVersion(catalogue.definitions[kind] as AnyDefinition);
    const { version, lastHash, state, context, updatedAt } = card;
    const createdAt = known?.before?.createdAt ?? world.now();
    const after = { kind, id: cardId(id, home), version, lastHash, state, context, updatedAt, createdAt, machine };
    this.#changed.set(key, { before: known?.before, after });
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
