/**
 * The index of what other homes' feeds have shown (docs/reference/feeds.md#index): a separate SQLite file, which nothing of
 * the node depends on. It can be deleted at any time, and is read again from the feeds. A card is computed by this program's
 * own functions from what its owner has signed; status, stock and statistics are its home's word.
 */
import { erasureOf } from '../../actors/erasing.js';
import { bounds } from '../../core/bounds.js';
import { canonical, type JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { leavesIn, newLeaf } from '../../core/leaf.js';
import { isRefusal, type Refusal, RefusedError } from '../../core/refusal.js';
import { statedIdentity } from '../../machines/identity/stated.js';
import { nestedPaths } from '../../machines/kernel/definition.js';
import type { AnyDefinition, AnyResource } from '../../machines/kernel/resource.js';
import type { Searched } from '../../machines/kernel/searched.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import { definitionVersion } from '../../machines/kernel/versioning.js';
import { leafKind } from '../../machines/leaf/leaf.js';
import type { ListingContext } from '../../machines/listing/machine.js';
import { publishedListing, type Statement, updatedListing } from '../../machines/listing/stated.js';
import { rulesOf } from '../../projections/search-index.js';
import { noHash } from '../../store/entry.js';
import type {
  CardStore,
  Content,
  Erasure,
  JournalHead,
  Snapshot,
  SnapshotWrite,
  StoreReader,
} from '../../store/store.js';
import { findingInCore } from '../../verify/entry-text.js';
import { noPlace } from '../../verify/may-sign.js';
import type { ChainLink } from '../feed/feed-batch.js';
import type { CardPart, CardStatus } from './card-part.js';
import { cardId, cardIdParts, homeLabel, textKey, withTextKeys } from './foreign-cards.js';
import { type CardKinds, cardKinds, isStatement } from './kinds.js';

/** Where a feed was read up to, as a local record of the index. */
const cursors = 'card-cursors';
/** The state of a card that is shown no more. */
const withdrawn = 'withdrawn';
/** The member of a stored card's context that says what its owner has stated last. Readers do not get it. */
const lastStated = '$stated';
/** By what rules a file was made; one that was made by others is begun again. */
const rulesOfCards = (catalogue: Catalogue): string => `${rulesOf(catalogue)} texts-by-home`;
const nothing = { items: [], total: 0, next: null };

/** The file of the index. */
export interface CardFile {
  /** Opens it; one that cannot be used is replaced by an empty one. */
  open(): Promise<CardStore>;
  /** Whether the open file is still there: somebody may have deleted it. */
  isThere(): Promise<boolean>;
  /** Deletes it; it must be closed. */
  delete(): Promise<void>;
}

export interface CardIndexOptions {
  readonly file: CardFile;
  readonly catalogue: Catalogue;
  readonly network: string;
  readonly world: Environment;
}

export class CardIndex {
  readonly #kinds: CardKinds;
  /** Revisions of the cursors' records, by home. */
  readonly #revisions = new Map<string, number>();

  #fault: unknown;

  private constructor(
    private readonly options: CardIndexOptions,
    private store: CardStore,
  ) {
    this.#kinds = cardKinds(options.catalogue);
  }

  /** An index that another program has made, by other rules, is begun again. */
  static async open(options: CardIndexOptions): Promise<CardIndex> {
    const index = new CardIndex(options, await options.file.open());
    const rules = rulesOfCards(options.catalogue);
    const others = (await index.store.listLocal(cursors)).filter(({ value }) => value.rules !== rules);
    if (others.length > 0) await index.reset();
    return index;
  }

  /** The cards as resources; those that were withdrawn are missing. While the file cannot be read there are none. */
  readonly reader: Pick<StoreReader, 'load' | 'find' | 'search' | 'named' | 'texts'> = {
    load: async (kind, id) => {
      const card = shown(await this.#reading((store) => store.load(kind, id), undefined));
      return card && asRead(card);
    },
    find: async (query) => {
      const found = await this.#reading((store) => store.find(query), nothing);
      return { ...found, items: found.items.map(asRead) };
    },
    search: async (query) => {
      const found = await this.#reading((store) => store.search(query), { ...nothing, places: [], facets: {} });
      return { ...found, items: found.items.map(asRead) };
    },
    named: async (...asked) =>
      (await this.#reading((store) => store.named(...asked), [])).filter((each) => shown(each)).map(asRead),
    texts: (hashes) => this.#reading((store) => store.texts(hashes), new Map()),
  };

  async #reading<T>(read: (store: CardStore) => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await read(this.store);
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      this.#fault = error;
      return otherwise;
    }
  }

  /** The first failure since the index was opened. */
  get fault(): unknown {
    return this.#fault;
  }

  /** The entry up to which a home's feed was read. */
  async cursor(home: string): Promise<JournalHead> {
    const record = await this.store.getLocal(cursors, home);
    this.#revisions.set(home, record?.revision ?? 0);
    const { seq = 0, chainHash = noHash } = (record?.value ?? {}) as Partial<JournalHead>;
    return { seq, chainHash };
  }

  /** Whether the file is still there: somebody may have deleted it. */
  isThere(): Promise<boolean> {
    return this.options.file.isThere();
  }

  /** Begins with an empty file: every feed must be read again. */
  async reset(): Promise<void> {
    const { file } = this.options;
    // The file is deleted next, so a failure to close it has no consequence.
    await this.store.close().catch(() => {});
    await file.delete();
    this.store = await file.open();
    this.#fault = undefined;
    this.#revisions.clear();
  }

  /**
   * Takes what a home shows with these entries, in one transaction with its cursor. Only one call for a home at a time.
   * @returns the first entry whose card its owner cannot have stated, with which nothing was taken
   */
  async take(
    home: string,
    entries: readonly ChainLink[],
  ): Promise<{ readonly seq: number; readonly what: string } | undefined> {
    const last = entries.at(-1);
    if (!last) return undefined;
    const change = new CardChange(home, this.#kinds, this.store, this.options);
    for (const { seq, part } of entries) {
      const flaw = part && (await change.take(seq, part));
      if (flaw) return { seq, what: flaw };
    }
    const { seq, chainHash } = last;
    const revision = this.#revisions.get(home) ?? 0;
    const value = { seq, chainHash, rules: rulesOfCards(this.options.catalogue) };
    const cursor = { table: cursors, id: home, value, revision };
    await this.store.keepCards({ ...change.writes(), cursor });
    this.#revisions.set(home, revision + 1);
    return undefined;
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

const shown = (card: Snapshot | undefined): Snapshot | undefined => (card?.state === withdrawn ? undefined : card);

const asRead = (card: Snapshot): Snapshot => ({ ...card, context: statedIn(card.context) });

/** The context without `lastStated`. */
function statedIn({ [lastStated]: _, ...context }: JsonObject): JsonObject {
  return context;
}

/** The newest statement about a card: events of one issuer have rising nonces, so an older one is not stated again. */
interface LastStated {
  readonly seq: number;
  readonly nonce: number;
  readonly issuer: string;
}

interface ChangedCard {
  readonly before: Snapshot | undefined;
  readonly after: Snapshot;
}

/** What one batch of a home changes. */
class CardChange {
  readonly #changed = new Map<string, ChangedCard>();
  readonly #contents: Content[] = [];
  readonly #erased: Erasure[] = [];

  constructor(
    private readonly home: string,
    private readonly kinds: CardKinds,
    private readonly store: Pick<StoreReader, 'load'>,
    private readonly options: Omit<CardIndexOptions, 'file'>,
  ) {}

  /** @returns what is wrong with the part, as a sentence without its subject */
  async take(seq: number, part: CardPart): Promise<string | undefined> {
    const { status = [], withdrawn: gone = [], erased = [] } = part;
    const flaw = await this.#statement(seq, part);
    if (flaw) return flaw;
    for (const each of status) await this.#stand(each);
    for (const { kind, id } of gone) await this.#withdraw(kind, id);
    for (const { kind, id, leaf } of erased) await this.#erase(kind, id, leaf);
    return undefined;
  }

  /** Takes what the owner has signed. A statement of a later program, or of an unknown kind, is left alone. */
  async #statement(seq: number, { core, payload, texts = {} }: CardPart): Promise<string | undefined> {
    if (!core || !payload || !isStatement(this.kinds, payload)) return undefined;
    const payloadText = canonical({ public: payload } as unknown as JsonObject);
    const found = findingInCore({ core, coreText: canonical(core), payloadText }, noPlace);
    if (found) return found.check === 'version' ? undefined : found.what;
    const { network } = this.options;
    const { event, time } = core;
    if (event.home !== this.home || event.network !== network) return 'its event is for another home or network';
    if (time > this.options.world.now() + bounds.clockSkewMs) return 'its time is in the future';
    const written = core.versions.find(({ kind, id }) => kind === payload.kind && id === payload.id);
    if (!written) return 'its event states what the entry does not change';
    const { issuer, nonce } = event;
    const last = (await this.#known(payload.kind, payload.id))?.context[lastStated] as unknown as
      | LastStated
      | undefined;
    // Taken before: what came after the cards could not be kept.
    if (last && seq <= last.seq) return undefined;
    if (last && issuer !== last.issuer) return 'another DID has published it';
    if (last && nonce <= last.nonce) return 'its owner has stated something newer';
    const statement = { signer: issuer, input: payload.input, time };
    const at = { version: written.version, lastHash: event.hash };
    const refused = await this.#state(payload, statement, at, { seq, nonce, issuer });
    if (refused) return refused.detail;
    for (const { salt, value } of Object.values(texts)) {
      const { hash, bytes } = newLeaf(value, Buffer.from(salt, 'hex')).content;
      this.#contents.push({ hash: textKey(this.home, hash), bytes });
    }
    return undefined;
  }

  writes() {
    const snapshots: SnapshotWrite[] = [];
    const erases = [...this.#erased];
    for (const { before, after } of this.#changed.values()) {
      const left = leavesIn(after.context);
      if (before)
        for (const hash of leavesIn(before.context))
          if (!left.has(hash)) erases.push({ hash: textKey(this.home, hash) });
      const search = this.#searchOf(before, after);
      snapshots.push({ snapshot: after, addLabels: [], dropLabels: [], ...(search ? { search } : {}) });
    }
    return { snapshots, contents: this.#contents, erases };
  }

  async #state(
    { kind, id, action }: { readonly kind: string; readonly id: string; readonly action: string },
    statement: Statement,
    at: Pick<Snapshot, 'version' | 'lastHash'>,
    last: LastStated,
  ): Promise<Refusal | undefined> {
    const card = await this.#card(kind, id);
    const before = card && statedIn(card.context);
    const definition = this.kinds.listings.get(kind);
    const context = definition
      ? action === 'create'
        ? publishedListing(definition, statement)
        : updatedListing(definition, before as unknown as ListingContext | undefined, statement)
      : statedIdentity(before, { id, action, ...statement });
    if (isRefusal(context)) return context;
    const state = card?.state ?? (definition ? initialState(definition) : 'current');
    const stated = { ...(context as unknown as JsonObject), [lastStated]: { ...last } };
    this.#keep(kind, id, { ...at, state, context: stated, updatedAt: statement.time });
    return undefined;
  }

  /** A status that this program does not know leaves the card as it is. */
  async #stand({ kind, id, version, state, stock, lastHash, updatedAt, ...more }: CardStatus): Promise<void> {
    const definition = this.kinds.listings.get(kind);
    const card = await this.#card(kind, id);
    if (!definition || !card || !statesOf(definition).has(state)) return;
    this.#keep(kind, id, { version, lastHash, state, updatedAt, context: { ...card.context, stock } });
    if (definition.companion !== undefined)
      this.#keep(definition.companion, id, { version, lastHash, state: 'current', updatedAt, context: more });
  }

  async #withdraw(kind: string, id: string): Promise<void> {
    const card = await this.#card(kind, id);
    if (!card || !this.kinds.listings.has(kind)) return;
    const { [lastStated]: last } = card.context;
    this.#keep(kind, id, { ...card, state: withdrawn, context: last === undefined ? {} : { [lastStated]: last } });
  }

  async #erase(kind: string, id: string, hash: string): Promise<void> {
    const card = await this.#card(kind, id);
    if (!card || !leavesIn(card.context).has(hash)) return;
    const keyed = { ...card, context: withTextKeys(card.context, this.home) };
    const payload = {
      kind: leafKind,
      id: textKey(this.home, hash),
      action: 'redact',
      input: { resource: { kind, id } },
    };
    const erasure = erasureOf(this.options.catalogue, payload, () => keyed);
    if (erasure) this.#erased.push(erasure);
  }

  /** Reads the card; undefined if it was withdrawn. */
  async #card(kind: string, id: string): Promise<Snapshot | undefined> {
    return shown(await this.#known(kind, id));
  }

  /** Reads the card, also one that was withdrawn. */
  async #known(kind: string, id: string): Promise<Snapshot | undefined> {
    const key = `${kind}/${id}`;
    const changed = this.#changed.get(key);
    if (changed) return changed.after;
    const card = await this.store.load(kind, cardId(id, this.home));
    if (card) this.#changed.set(key, { before: card, after: card });
    return card;
  }

  #keep(
    kind: string,
    id: string,
    card: Pick<Snapshot, 'version' | 'lastHash' | 'state' | 'context' | 'updatedAt'>,
  ): void {
    const key = `${kind}/${id}`;
    const known = this.#changed.get(key);
    const definition = this.options.catalogue.definitions[kind] as AnyDefinition;
    const { version, lastHash, state, context, updatedAt } = card;
    const createdAt = known?.before?.createdAt ?? this.options.world.now();
    const after = { kind, id: cardId(id, this.home), version, lastHash, state, context, updatedAt, createdAt };
    this.#changed.set(key, { before: known?.before, after: { ...after, machine: definitionVersion(definition) } });
  }

  #searchOf(before: Snapshot | undefined, after: Snapshot) {
    const definition = this.kinds.listings.get(after.kind);
    if (!definition?.search) return undefined;
    const found = searchedIn(definition, after);
    return before ? { found, before: searchedIn(definition, before) } : { found };
  }
}

/** Every state, and every nested one, of a kind. */
const statesOf = ({ machine }: AnyResource): ReadonlySet<string> =>
  new Set(Object.keys(machine.states).flatMap((state) => [state, ...nestedPaths(machine, state)]));

const initialState = ({ machine }: AnyResource): string => {
  const [top = ''] = Object.keys(machine.states);
  const nested = nestedPaths(machine, top)[0];
  return nested ?? top;
};

/** A card that was withdrawn is found by nothing. */
function searchedIn({ search }: AnyResource, { id, state, context }: Snapshot): Searched {
  const home = cardIdParts(id).home!;
  const { market } = search!;
  if (state === withdrawn)
    return { texts: [], labels: [], market, owner: '', visibility: 'private', expiresAt: null, price: null };
  const found = search!.of(state, withTextKeys(context, home) as never);
  return { ...found, labels: [...found.labels, homeLabel(home)] };
}
