/**
 * An entry of the journal as a reader may see it: only readers of the resource see the payload’s confidential members
 * (docs/reference/events-and-entries.md#reading-events).
 */
import type { JsonObject } from '../../core/canonical.js';
import { leavesIn } from '../../core/leaf.js';
import { isVisible, mayReadConfidential, partiesOf } from '../../machines/kernel/visibility.js';
import { isSearched } from '../../projections/search-index.js';
import type { NumberedEntry } from '../../store/entry.js';
import { storedPayloadOf } from '../../store/payload.js';
import { StoreDamaged } from '../../store/store.js';
import { type PublishedPayload, publishedPayload } from '../../verify/published-payload.js';
import { entryView } from '../render/entry-view.js';
import type { ReadContext } from './read-context.js';

/** @returns the view; `reader` is a DID, or undefined for an anonymous reader */
export function eventViews(
  read: Pick<ReadContext, 'catalogue' | 'committed' | 'settlement' | 'log' | 'moderations'>,
): (entry: NumberedEntry, reader?: string) => Promise<JsonObject> {
  const { catalogue, committed, settlement, log, moderations } = read;
  /**
   * What a reader may see of a payload: nothing of a hidden resource, and confidential members if it reads them now. What
   * was written while the resource was hidden stays with its parties.
   */
  async function accessTo(
    { payload }: NumberedEntry,
    reader: string | undefined,
  ): Promise<'none' | 'public' | 'whole'> {
    const definition = catalogue.definitions[payload.kind];
    const isModerated = payload.kind === 'identity' || isSearched(definition);
    if (isModerated && moderations.hiddenFrom(payload.id, reader) !== undefined) return 'none';
    if (definition?.form !== 'machine' || !(definition.isVisibleTo || definition.payloadReaders)) return 'whole';
    const snapshot = await committed.resource(payload.kind, payload.id);
    if (!snapshot || !isVisible(definition, snapshot, reader)) return 'none';
    const isReader = definition.payloadReaders
      ? mayReadConfidential(definition, snapshot.context, reader)
      : reader !== undefined && partiesOf(definition, snapshot.context).has(reader);
    return isReader ? 'whole' : 'public';
  }

  async function payloadFor(entry: NumberedEntry, reader: string | undefined): Promise<Partial<PublishedPayload>> {
    const access = await accessTo(entry, reader);
    if (access === 'none') return {};
    const texts = await moderations.texts([...leavesIn(entry.payload.input)], reader, true);
    return publishedPayload(storedPayloadOf(entry.payloadText), access === 'whole', (hash) => texts.get(hash));
  }

  return async (entry, reader) => {
    // Skips the member, not the entry, which is sound: omitting it would leave a gap in the page or fail the whole
    // page.
    const unreadable: string[] = [];
    async function unlessDamaged<T>(member: string, read: () => Promise<T>, otherwise: T): Promise<T> {
      try {
        return await read();
      } catch (err) {
        // A context may be valid JSON but not have the form that its definition expects.
        if (!(err instanceof StoreDamaged || err instanceof TypeError)) throw err;
        log.error({ err, seq: entry.seq, member }, 'an entry is shown without what cannot be read');
        unreadable.push(member);
        return otherwise;
      }
    }
    const payload = await unlessDamaged('payload', () => payloadFor(entry, reader), {});
    const receipt = await unlessDamaged('receipt', async () => settlement.receipt(entry.core.event.hash), undefined);
    return entryView({ entry, receipt, ...payload, unreadable });
  };
}
