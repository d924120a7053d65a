/** Local records that have one writer. */
import type { JsonObject } from '../core/canonical.js';
import type { Store } from './store.js';

/** Writes a record whatever its revision is. Durable when it resolves. */
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
