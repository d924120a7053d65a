/** A home as the model sees it, and a property that does not hold. */
import type { EquivocationProof } from '../../../src/peers/checkpoint.js';
import type { JournalHead } from '../../../src/store/store.js';
import type { CardDisk } from './card-disk.js';
import type { SimulatedDisk } from './disk.js';

export interface ModelHome {
  readonly name: string;
  readonly did: string;
  readonly disk: SimulatedDisk;
  readonly cards: CardDisk;
  /** Whether it still knows which entry of the other home had this number: only then can it compare a checkpoint. */
  remembers(did: string, seq: number): boolean;
  /** This home's proof of another home's two journals. */
  proofOf(did: string): EquivocationProof | undefined;
}

/** Up to where the home has followed another one. */
export function followedBy({ disk }: Pick<ModelHome, 'disk'>, did: string): JournalHead | undefined {
  const record = disk.tables.local.get('peer-feeds')?.get(did);
  return record && (JSON.parse(record.text) as JournalHead);
}

export class ModelViolation extends Error {
  override name = 'ModelViolation';
}
