/** Erases the texts that a restored backup has brought back (docs/reference/erasure.md#after-a-restore). */
import type { SystemWriter } from '../actors/system.js';
import { isRefusal } from '../core/refusal.js';
import { type ErasureInput, leafKind, reasonLength } from '../machines/leaf/leaf.js';
import { redactionsTable, type Store } from '../store/store.js';
import type { NodeOptions } from './dependencies.js';
import { StartRefused } from './identity.js';

const again = ' (applied again after a restore)';

const reasonAgain = (reason: string): string =>
  reason.endsWith(again) || reason.length + again.length > reasonLength ? reason : reason + again;

/**
 * Call before the node answers. Records of texts that this journal does not have stay, for a later restore.
 * @throws StartRefused if a text can't be erased
 */
export async function redactAgain({ log }: NodeOptions, store: Store, system: SystemWriter): Promise<void> {
  for (const { id, value } of await store.listLocal(redactionsTable)) {
    const isErased = async () => (await store.load(leafKind, id)) !== undefined;
    if (!(await isErased())) {
      if (!(await store.texts([id])).has(id)) continue;
      const { reason, operator, resource } = value as ErasureInput;
      const input = { reason: reasonAgain(reason), operator, resource };
      const result = await system.execute({ kind: leafKind, id, action: 'redact', input });
      // Another process of this database may have been faster.
      if (isRefusal(result) && !(await isErased()))
        throw new StartRefused(`The node could not erase the text ${id} again: ${result.detail}.`);
      log.info({ leaf: id }, 'a text that the restored backup had brought back was erased');
    }
    await store.deleteLocal(redactionsTable, id);
  }
}
