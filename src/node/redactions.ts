/** Repeats erasures whose entries a restore has lost (docs/reference/erasure.md#after-a-restore). */
import type { SystemWriter } from '../actors/system.js';
import { isRefusal } from '../core/refusal.js';
import { type ErasureInput, leafKind, reasonLength } from '../machines/leaf/leaf.js';
import { mirroredErasuresTable, redactionsTable, type Store } from '../store/store.js';
import type { NodeOptions } from './dependencies.js';
import { StartRefused } from './identity.js';

const again = ' (applied again after a restore)';

const reasonAgain = (reason: string): string =>
  reason.endsWith(again) || reason.length + again.length > reasonLength ? reason : reason + again;

/**
 * Call before the node answers. Records of texts that this journal does not have stay, for a later restore.
 * @throws StartRefused if a text can't be erased
 */
export async function redactAgain(
  { log }: Pick<NodeOptions, 'log'>,
  store: Store,
  system: SystemWriter,
): Promise<void> {
  const redact = async (table: string, id: string, { reason, operator, resource }: ErasureInput): Promise<void> => {
    const isErased = async () => (await store.load(leafKind, id)) !== undefined;
    if (!(await isErased())) {
      const input = { reason: reasonAgain(reason), operator, resource };
      const result = await system.execute({ kind: leafKind, id, action: 'redact', input });
      // Another process of this database may have been faster.
      if (isRefusal(result) && !(await isErased()))
        throw new StartRefused(`The node could not erase the text ${id} again: ${result.detail}.`);
      log.info({ leaf: id }, 'a text was erased again, because the restore had lost its erasure');
    }
    await store.deleteLocal(table, id);
  };
  for (const { id, value } of await store.listLocal(redactionsTable)) {
    const isKnown = (await store.texts([id])).has(id) || (await store.load(leafKind, id));
    if (isKnown) await redact(redactionsTable, id, value as ErasureInput);
  }
  for (const { id, value } of await store.listLocal(mirroredErasuresTable)) {
    await redact(mirroredErasuresTable, id, value as ErasureInput);
  }
}
