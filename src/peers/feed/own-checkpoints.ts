/** Checkpoints of our own journal. Followers that have reached the same entry share one signature. */
import type { Environment } from '../../core/environment.js';
import type { Signer } from '../../keys/signing.js';
import type { JournalHead } from '../../store/store.js';
import { type Checkpoint, signCheckpoint } from '../checkpoint.js';

export interface OwnCheckpointsOptions {
  /** The home's own key. */
  readonly signer: Signer;
  readonly network: string;
  readonly world: Environment;
  /** Called with each new checkpoint before anyone receives it. */
  readonly onSigned?: (checkpoint: Checkpoint) => void;
}

/** How long a checkpoint is reused before a newer time is signed. */
const freshMs = 500;
/** Cached checkpoints: followers that start later end their batches at the same entries. */
const kept = 64;

export class OwnCheckpoints {
  readonly #signed = new Map<number, Checkpoint>();

  constructor(private readonly options: OwnCheckpointsOptions) {}

  /** The home whose key signs. */
  get home(): string {
    return this.options.signer.did;
  }

  /** @param head an entry of our journal that is on disk, or the empty journal */
  at({ seq, chainHash }: JournalHead): Checkpoint {
    const { signer, network, world, onSigned } = this.options;
    const time = world.now();
    const known = this.#signed.get(seq);
    if (known?.chainHash === chainHash && Math.abs(time - known.time) < freshMs) return known;
    const checkpoint = signCheckpoint(signer, { seq, chainHash }, { network, time });
    this.#signed.delete(seq);
    this.#signed.set(seq, checkpoint);
    if (this.#signed.size > kept) this.#signed.delete(this.#signed.keys().next().value!);
    onSigned?.(checkpoint);
    return checkpoint;
  }
}
