import type { Committed } from '../../actors/committed.js';
import type { JournalClock } from '../../actors/journal-clock.js';
import type { Settlement, SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { searchedOf } from '../../machines/catalogue.js';
import type { AnyResource, Catalogue } from '../../machines/kernel/definition.js';
import { isVisible } from '../../machines/kernel/visibility.js';
import { hiddenBecause, type Moderations } from '../../projections/moderations.js';
import type { ViewOptions } from '../render/render.js';
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

  /** The title of the listing that a view names, as a reference to its text; undefined if the reader may not see the listing. */
  async listingTitle({ listingId, marketType }: JsonObject, reader: string | undefined): Promise<Json | undefined> {
    const id = String(listingId);
    if (this.moderations.hiddenFrom(id, reader) !== undefined) return undefined;
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
