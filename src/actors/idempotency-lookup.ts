/**
 * Idempotency: a known key returns its earlier reply, rendered from the recorded entry
 * (docs/reference/requests.md#idempotency).
 */
import { type Refusal, refuse } from '../core/refusal.js';
import type { StoreReader } from '../store/store.js';
import type { Accepted, Idempotency } from './command.js';
import type { JournalClock } from './journal-clock.js';

const otherBody = (): Refusal => refuse('UNPROCESSABLE', 'this Idempotency-Key was used with another request');

export class IdempotencyLookup {
  /** Accepted commands that are not on disk yet. */
  readonly #pending = new Map<string, { fingerprint: string; accepted: Promise<Accepted> }>();

  constructor(
    private readonly store: StoreReader,
    private readonly clock: Pick<JournalClock, 'now'>,
  ) {}

  async find({ principal, key, fingerprint }: Idempotency): Promise<Accepted | Refusal | undefined> {
    const pending = this.#pending.get(`${principal}#${key}`);
    if (pending) {
      return pending.fingerprint === fingerprint ? { ...(await pending.accepted), replayed: true } : otherBody();
    }
    const recalled = await this.store.recall(principal, key, this.clock.now);
    if (!recalled) return undefined;
    if (recalled.record.fingerprint !== fingerprint) return otherBody();
    return { entry: recalled.entry, snapshots: recalled.snapshots, replayed: true };
  }

  remember({ principal, key, fingerprint }: Idempotency, accepted: Promise<Accepted>): void {
    const name = `${principal}#${key}`;
    this.#pending.set(name, { fingerprint, accepted });
    const forget = () => this.#pending.delete(name);
    accepted.then(forget, forget);
  }
}
