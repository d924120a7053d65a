/**
 * An entry of the journal as a reader may see it: only readers of the resource see the payload
 * (docs/reference/events-and-entries.md#reading-events).
 */
import type { JsonObject } from '../../core/canonical.js';
import { mayReadPayload } from '../../machines/kernel/visibility.js';
import type { NumberedEntry } from '../../store/entry.js';
import { StoreDamaged } from '../../store/store.js';
import type { ReadContext } from '../context/read-context.js';
import { entryView, type ShownEntry } from './entry-view.js';

/** @returns the view; `reader` is a DID, or undefined for an anonymous reader */
export function eventViews(
  read: Pick<ReadContext, 'catalogue' | 'committed' | 'settlement' | 'log' | 'foreign'>,
): (entry: NumberedEntry, reader?: string) => Promise<JsonObject> {
  const { catalogue, committed, settlement, log } = read;
  async function isPayloadFor({ payload }: NumberedEntry, reader: string | undefined): Promise<boolean> {
    const definition = payload ? catalogue.definitions[payload.kind] : undefined;
    if (!payload || definition?.form !== 'machine' || !(definition.isVisibleTo || definition.payloadReaders))
      return true;
    const snapshot = await committed.resource(payload.kind, payload.id);
    return snapshot !== undefined && mayReadPayload(definition, payload, snapshot.context, reader);
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
    const show = await unlessDamaged('payload', () => isPayloadFor(entry, reader), false);
    const receipt = await unlessDamaged('receipt', async () => settlement.receipt(entry.core.event.hash), undefined);
    const { payloadText } = entry;
    const revealed = show && payloadText ? (JSON.parse(payloadText) as ShownEntry['revealed']) : undefined;
    return entryView({ entry, receipt, revealed, unreadable, journal: read.foreign?.home });
  };
}
