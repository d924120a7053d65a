/** An entry of the journal as a reader may see it: the payload is for those who may read the resource. */
import type { JsonObject } from '../machines/kernel/canonical.js';
import type { NumberedEntry } from '../store/entry.js';
import type { Desk } from './desk.js';
import { eventView } from './render.js';
import { isShown } from './visibility.js';

/** @returns the view; `reader` is a DID, or undefined for anybody */
export function eventViews(
  desk: Pick<Desk, 'options'>,
): (entry: NumberedEntry, reader?: string) => Promise<JsonObject> {
  const { actors, settlement } = desk.options;
  const { catalogue } = actors.options;
  return async (entry, reader) => {
    const { payload, core } = entry;
    const definition = payload ? catalogue.definitions[payload.kind] : undefined;
    let show = true;
    if (payload && definition?.form === 'machine' && (definition.visibleTo || definition.privy)) {
      const snapshot = await actors.committed.resource(payload.kind, payload.id);
      show = snapshot !== undefined && isShown(definition, snapshot.context, reader);
    }
    return eventView(entry, show, await settlement.receipt(core.event.hash));
  };
}
