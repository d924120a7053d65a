/**
 * Whether this process is the leader that delivers. A new leader waits until no delivery of the former one can be in
 * flight, unless that one has recorded that it is done.
 */

import type { Environment } from '../../core/environment.js';
import type { SharedStore, StoreReader, StoreWriter } from '../../store/store.js';

export interface LeadershipOptions {
  readonly store: Pick<StoreReader, 'getLocal'> &
    Pick<StoreWriter, 'putLocal'> & { readonly shared?: Pick<SharedStore, 'holds'> | undefined };
  readonly world: Environment;
  /** Longest duration of a delivery, ms. */
  readonly totalMs: number;
}

const lease = 'webhooks';
const table = 'webhook-holder';
/** A lease passes on 2.5 s after its holder's last heartbeat. Stops delivering before that. */
const certainMs = 2_000;

export class Leadership {
  #token: number | undefined;
  #seenAt = Number.NEGATIVE_INFINITY;
  #waitsUntil = 0;

  constructor(private readonly options: LeadershipOptions) {}

  get holds(): boolean {
    return this.#token !== undefined;
  }

  get token(): number {
    return this.#token ?? 0;
  }

  get mayDeliver(): boolean {
    const { store, world } = this.options;
    if (!store.shared) return this.holds;
    const now = world.monotonic();
    return this.holds && now - this.#seenAt < certainMs && now >= this.#waitsUntil;
  }

  /** @returns whether this process has just become the leader */
  async look(): Promise<boolean> {
    const { store, world, totalMs } = this.options;
    const askedAt = world.monotonic();
    const token = store.shared ? await store.shared.holds(lease) : 0;
    const begins = token !== undefined && token !== this.#token;
    if (begins && store.shared) {
      const record = await store.getLocal(table, lease);
      const isLeft = !record || record.value.isLeft === true;
      // The former leader was just leaving, or another process became leader; the next check shows which.
      if (!(await store.putLocal(table, lease, { token, isLeft: false }, record?.revision ?? 0))) {
        this.#token = undefined;
        return false;
      }
      this.#waitsUntil = isLeft ? 0 : world.monotonic() + totalMs;
    }
    this.#token = token;
    this.#seenAt = askedAt;
    return begins;
  }

  /** Records that no delivery of this process is in flight and none will follow. */
  async leave(): Promise<void> {
    const { store } = this.options;
    const token = this.#token;
    this.#token = undefined;
    if (token === undefined || !store.shared) return;
    const record = await store.getLocal(table, lease);
    if (record?.value.token === token) await store.putLocal(table, lease, { token, isLeft: true }, record.revision);
  }
}
