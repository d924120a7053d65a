/** An entry of the journal as a reader may see it: only readers of the resource see the payload. */
import type { JsonObject } from '../../core/canonical.js';
import type { NumberedEntry } from '../../store/entry.js';
import { mayReadPayload } from '../access/visibility.js';
import type { ApiContext } from '../context/api-context.js';
import { eventView } from './render.js';

/** @returns the view; `reader` is a DID, or undefined for an anonymous reader */
export function eventViews({
  catalogue,
  committed,
  settlement,
}: Pick<ApiContext, 'catalogue' | 'committed' | 'settlement'>): (
  entry: NumberedEntry,
  reader?: string,
) => Promise<JsonObject> {
  return async (entry, reader) => {
    const { payload, core } = entry;
    const definition = payload ? catalogue.definitions[payload.kind] : undefined;
    let show = true;
    if (payload && definition?.form === 'machine' && (definition.isVisibleTo || definition.payloadReaders)) {
      const snapshot = await committed.resource(payload.kind, payload.id);
      show = snapshot !== undefined && mayReadPayload(definition, payload, snapshot.context, reader);
    }
    return eventView(entry, show, await settlement.receipt(core.event.hash));
  };
}
