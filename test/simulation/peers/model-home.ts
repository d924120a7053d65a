/** A home as the model sees it, and a property that does not hold. */
import type { EquivocationProof } from '../../../src/peers/checkpoint.js';
import type { SimulatedDisk } from './disk.js';

export interface ModelHome {
  readonly name: string;
  readonly did: string;
  readonly disk: SimulatedDisk;
  /** This home's proof of another home's two journals. */
  proofOf(did: string): EquivocationProof | undefined;
}

export class ModelViolation extends Error {
  override name = 'ModelViolation';
}
