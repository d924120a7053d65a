/** What the operator hides (docs/reference/moderation.md), in memory, because most reads ask. */
import { bounds } from '../core/bounds.js';
import type { LeafText } from '../core/leaf.js';
import { type Refusal, refuse } from '../core/refusal.js';
import type { Request } from '../machines/kernel/resource.js';
import { hiddenLabel, type ModerationContext, moderationKind } from '../machines/moderation/moderation.js';
import type { NumberedEntry } from '../store/entry.js';
import type { StoreReader } from '../store/store.js';

export interface HiddenTarget extends Pick<ModerationContext, 'reason' | 'operator' | 'owners'> {
  readonly target: string;
}

const isHash = /^[0-9a-f]{64}$/;
const isListing = ({ target }: HiddenTarget): boolean => !target.startsWith('did:') && !isHash.test(target);

export class Moderations {
  readonly #hidden = new Map<string, HiddenTarget>();
  /** Those that are listings; undefined once something was hidden or shown. */
  #listings: readonly HiddenTarget[] | undefined;
  /** While it reads what is hidden: targets of newer entries, which a page may not know of. */
  #newer: Set<string> | undefined = new Set();

  /** What hidden texts belong to, once a search has asked. */
  readonly #places = new Map<string, Pick<Request, 'kind' | 'id'> | undefined>();

  constructor(private readonly store: Pick<StoreReader, 'find' | 'texts' | 'broughtBy'>) {}

  /** Reads what is hidden already; called before the node answers. */
  async open(): Promise<void> {
    for (let after: string | null | undefined; after !== null; ) {
      const page = { limit: bounds.pageLimit, offset: 0, ...(after === undefined ? {} : { after }) };
      const { items, next } = await this.store.find({ kind: moderationKind, anyLabel: [hiddenLabel], page });
      for (const { id, context } of items)
        if (!this.#newer?.has(id)) this.#hide(id, context as unknown as ModerationContext);
      after = next;
    }
    this.#newer = undefined;
  }

  /** Called for each committed entry, of this or another process. */
  saw({ payload: { kind, id, action, input } }: NumberedEntry): void {
    if (kind !== moderationKind) return;
    this.#newer?.add(id);
    if (action === 'hide') this.#hide(id, input as unknown as ModerationContext);
    else this.#show(id);
  }

  get isEmpty(): boolean {
    return this.#hidden.size === 0;
  }

  get all(): readonly HiddenTarget[] {
    return [...this.#hidden.values()];
  }

  of(target: string): HiddenTarget | undefined {
    return this.#hidden.get(target);
  }

  /** Why a reader does not see it; undefined for its owner, and if it is not hidden. */
  hiddenFrom(target: string, reader: string | undefined): string | undefined {
    const hidden = this.#hidden.get(target);
    return hidden && isHiddenFrom(reader, hidden) ? hiddenBecause(hidden) : undefined;
  }

  /** Listings of this and other homes. */
  get listings(): readonly HiddenTarget[] {
    this.#listings ??= this.all.filter(isListing);
    return this.#listings;
  }

  /** Listings that a reader's searches leave out, as ids of the stores. */
  listingsHiddenFrom(reader: string | undefined): readonly string[] {
    return this.listings.filter((each) => isHiddenFrom(reader, each)).map(({ target }) => target);
  }

  textsHiddenFrom(reader: string | undefined): readonly string[] {
    return this.all
      .filter((each) => isHash.test(each.target) && isHiddenFrom(reader, each))
      .map(({ target }) => target);
  }

  /** The resource that a text came with. */
  async placeOf(hash: string): Promise<Pick<Request, 'kind' | 'id'> | undefined> {
    if (this.#places.has(hash)) return this.#places.get(hash);
    const { kind, id } = (await this.store.broughtBy(hash))?.payload ?? {};
    const place = kind === undefined || id === undefined ? undefined : { kind, id };
    this.#places.set(hash, place);
    return place;
  }

  /**
   * The texts of leaves as a reader sees them: a hidden one is a sentence that says so.
   * @param asErased a hidden one is missing, like an erased one: where the reader compares it with its hash, and of identities
   */
  async texts(
    hashes: readonly string[],
    reader: string | undefined,
    asErased = false,
  ): Promise<ReadonlyMap<string, LeafText>> {
    const texts = await this.store.texts(hashes);
    if (this.isEmpty) return texts;
    return new Map(
      [...texts].flatMap(([hash, text]) => {
        const because = this.hiddenFrom(hash, reader);
        if (because === undefined) return [[hash, text]];
        return asErased || typeof text.value !== 'string' ? [] : [[hash, { ...text, value: because }]];
      }),
    );
  }

  /** Refuses a new trade on a hidden listing. Those that there are run on. */
  refusalOf({
    action,
    input,
    signer,
  }: Pick<Request, 'action' | 'input'> & { readonly signer: string }): Refusal | undefined {
    if (action !== 'create' || this.#hidden.size === 0) return undefined;
    const because = this.hiddenFrom(String(input.listingId ?? input.taskId), signer);
    return because === undefined ? undefined : refuse('LISTING_NOT_ACTIVE', because);
  }

  #hide(target: string, { reason, operator, owners }: ModerationContext): void {
    this.#hidden.set(target, { target, reason, operator, owners });
    this.#listings = undefined;
  }

  #show(target: string): void {
    this.#hidden.delete(target);
    this.#listings = undefined;
  }
}

const isHiddenFrom = (reader: string | undefined, { owners }: HiddenTarget): boolean =>
  reader === undefined || !owners.includes(reader);

export const hiddenBecause = ({ reason }: HiddenTarget): string => `hidden by the operator: ${reason}`;
