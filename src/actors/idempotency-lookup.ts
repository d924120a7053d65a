/**
 * Writes that were accepted before: a known key, or a known event of a signer elsewhere, returns its earlier reply, rendered
 * from the recorded entry (docs/reference/requests.md#idempotency).
 */
import { canonical } from '../core/canonical.js';
import { invalid, type Refusal, refuse } from '../core/refusal.js';
import type { Request } from '../machines/kernel/resource.js';
import type { Snapshot, StoreReader } from '../store/store.js';
import type { Accepted, Command, Idempotency } from './command.js';
import type { JournalClock } from './journal-clock.js';

const otherBody = (): Refusal => refuse('UNPROCESSABLE', 'this Idempotency-Key was used with another request');

type KnownBy = Pick<Command, 'idempotency' | 'presented' | keyof Request>;

export class IdempotencyLookup {
  /** Accepted commands that are not on disk yet. */
  readonly #pending = new Map<string, { fingerprint: string; accepted: Promise<Accepted> }>();

  constructor(
    private readonly store: StoreReader,
    private readonly clock: Pick<JournalClock, 'now'>,
  ) {}

  async find(command: KnownBy): Promise<Accepted | Refusal | undefined> {
    const { idempotency, presented } = command;
    if (presented) return this.#presented(presented.event.hash, command);
    if (!idempotency) return undefined;
    const { principal, key, fingerprint } = idempotency;
    const pending = this.#pending.get(nameOf(idempotency));
    if (pending) {
      return pending.fingerprint === fingerprint ? { ...(await pending.accepted), replayed: true } : otherBody();
    }
    const recalled = await this.store.recall(principal, key, this.clock.now);
    if (!recalled) return undefined;
    if (recalled.record.fingerprint !== fingerprint) return otherBody();
    return { entry: recalled.entry, snapshots: recalled.snapshots, replayed: true };
  }

  /** The event identifies itself, however old it is. Its resources are shown as they are now. */
  async #presented(hash: string, { kind, id, action, input, ids }: Request): Promise<Accepted | Refusal | undefined> {
    const entry = (await this.#pending.get(hash)?.accepted)?.entry ?? (await this.store.entryByEvent(hash));
    if (!entry) return undefined;
    if (canonical(entry.payload) !== canonical({ kind, id, action, input, ids }))
      return invalid('payload', 'is not the one that the event is signed for');
    const found = entry.core.versions.map(({ kind, id }) => this.store.load(kind, id));
    const snapshots = (await Promise.all(found)).filter((each): each is Snapshot => each !== undefined);
    return { entry, snapshots, replayed: true, anyoneMayAsk: true };
  }

  remember({ idempotency, presented }: KnownBy, accepted: Promise<Accepted>): void {
    const name = presented?.event.hash ?? (idempotency && nameOf(idempotency));
    if (name === undefined) return;
    this.#pending.set(name, { fingerprint: idempotency?.fingerprint ?? '', accepted });
    const forget = () => this.#pending.delete(name);
    accepted.then(forget, forget);
  }
}

const nameOf = ({ principal, key }: Idempotency): string => `${principal}#${key}`;
