/**
 * The checkpoint of a second journal for which there is no proof yet. It is kept with the replica, so that the
 * feed stays stopped after a restart, and the node proves the fork once a cover is near enough.
 */
import { type Checkpoint, checkpointForm, parseForm } from './checkpoint.js';
import type { HeldJournal } from './covers.js';

const place = ['peer-covers', 'unproven'] as const;

export async function keptUnproven(journal: Pick<HeldJournal, 'getLocal'>): Promise<Checkpoint | undefined> {
  const { checkpoint } = (await journal.getLocal(...place))?.value ?? {};
  const parsed = checkpoint === undefined ? undefined : parseForm(checkpointForm, checkpoint);
  return typeof parsed === 'string' ? undefined : parsed;
}

/** @param checkpoint verified; undefined once it is proven. Rejects as the store does. */
export async function keepUnproven(
  journal: Pick<HeldJournal, 'getLocal' | 'putLocal'>,
  checkpoint?: Checkpoint,
): Promise<void> {
  const revision = (await journal.getLocal(...place))?.revision ?? 0;
  await journal.putLocal(...place, checkpoint ? { checkpoint: { ...checkpoint } } : {}, revision);
}
