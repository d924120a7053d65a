/** Writes a local record whatever its revision is. Only one process has peers, so that there is no other writer. */
import type { JsonObject } from '../core/canonical.js';
import type { Store } from '../store/store.js';

/** Durable when it resolves. */
export async function putNewest(
  store: Pick<Store, 'getLocal' | 'putLocal'>,
  table: string,
  id: string,
  value: JsonObject,
): Promise<void> {
  for (let isWritten = false; !isWritten; ) {
    const revision = (await store.getLocal(table, id))?.revision ?? 0;
    isWritten = await store.putLocal(table, id, value, revision);
  }
}
