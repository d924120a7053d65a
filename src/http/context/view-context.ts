import type { Committed } from '../../actors/committed.js';
import type { JournalClock } from '../../actors/journal-clock.js';
import type { Settlement, SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { machinesOf, searchedOf } from '../../machines/catalogue.js';
import type { AnyResource, Catalogue } from '../../machines/kernel/definition.js';
import type { Request } from '../../machines/kernel/resource.js';
import { isVisible } from '../../machines/kernel/visibility.js';
import { hiddenBecause, type Moderations } from '../../projections/moderations.js';
import { type ViewOptions, viewOf } from '../render/render.js';
import type { Call } from '../server/route.js';

export class ViewContext {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly committed: Pick<Committed, 'resource'>,
    private readonly settlement: Settlement,
    private readonly environment: Environment,
    private readonly clock: Pick<JournalClock, 'deadlinesWait'>,
    private readonly moderations: Pick<Moderations, 'of' | 'hiddenFrom'>,
  ) {}

  get hasChain(): boolean {
    return this.settlement.status().kind !== 'none';
  }

  /** The definition of a kind that has a machine. */
  definitionOf(kind: string): AnyResource {
    return this.catalogue.definitions[kind] as AnyResource;
  }

  /** The options for showing a resource to a caller: what they may see, and the present time. */
  optionsFor(
    { caller }: Call,
    receipt?: SettlementReceipt,
    companion?: JsonObject,
    withoutPermitted = false,
  ): ViewOptions {
    const { deadlinesWait } = this.clock;
    return { time: this.environment.now(), deadlinesWait, reader: caller.reader, receipt, companion, withoutPermitted };
  }

  /** The state of the projection that a kind shows next to a resource, and why the operator hides that. */
  async companion({ companion }: AnyResource, id: string): Promise<JsonObject | undefined> {
    const figures = companion === undefined ? undefined : (await this.committed.resource(companion, id))?.context;
    const hidden = this.moderations.of(id);
    return hidden ? { ...figures, hidden: hiddenBecause(hidden) } : figures;
  }

  /**
   * The title of what a view is about (an order's listing, a dispute's contract), as a reference to its text; undefined if
   * there is none that the reader may see. A party also sees that of a hidden listing.
   */
  titleOf(view: JsonObject, reader: string | undefined, isParty: boolean): Promise<Json | undefined> | undefined {
    const { listingId, subject, purpose } = view;
    const about = (subject ?? purpose) as Pick<Request, 'kind' | 'id'> | undefined;
    if (about) return this.#titleIn(about, reader, isParty);
    if (listingId === undefined || listingId === view.id) return undefined;
    const isHidden = this.moderations.hiddenFrom(String(listingId), reader) !== undefined;
    return isHidden && !isParty ? undefined : this.#listingTitle(view, reader);
  }

  async #titleIn(
    { kind, id }: Pick<Request, 'kind' | 'id'>,
    reader: string | undefined,
    isParty: boolean,
  ): Promise<Json | undefined> {
    // An escrow names its order without the market.
    const isOrder = ({ trade, route }: AnyResource) => trade?.order !== undefined && id.startsWith(route.idPrefix);
    const definition = machinesOf(this.catalogue).find(
      (each) => each.kind === kind || (kind === 'order' && isOrder(each)),
    );
    const found = definition && (await this.committed.resource(definition.kind, id));
    if (!found || !isVisible(definition, found, reader)) return undefined;
    const view = viewOf(definition, found, { time: this.environment.now(), reader, withoutPermitted: true });
    return view.title ?? this.titleOf(view, reader, isParty);
  }

  async #listingTitle({ listingId, marketType }: JsonObject, reader: string | undefined): Promise<Json | undefined> {
    const id = String(listingId);
    for (const definition of searchedOf(this.catalogue)) {
      if (marketType !== undefined && definition.search?.market !== marketType) continue;
      const listing = await this.committed.resource(definition.kind, id);
      if (listing) return isVisible(definition, listing, reader) ? listing.context.title : undefined;
    }
    return undefined;
  }

  /** The hash of a resource's last event, if it is what `transaction` names: itself with 0x, or what settled it. */
  async eventOf(transaction: string, kind: string, id: string): Promise<string | undefined> {
    const snapshot = await this.committed.resource(kind, id);
    const receipt = snapshot && (await this.settlement.receipt(snapshot.lastHash));
    if (!snapshot) return undefined;
    return [`0x${snapshot.lastHash}`, receipt?.txHash].includes(transaction) ? snapshot.lastHash : undefined;
  }
}
