/**
 * Whether this process is the one that delivers. A new holder waits until nothing of the one before can be on its way any more,
 * unless that one has said that it is done.
 */
import type { SharedStore, StoreReader, StoreWriter } from '../store/store.js';
import type { World } from '../world.js';

export interface TenureOptions {
  readonly store: Pick<StoreReader, 'getLocal'> &
    Pick<StoreWriter, 'putLocal'> & { readonly shared?: Pick<SharedStore, 'holds'> | undefined };
  readonly world: World;
  /** The longest that a delivery may take, ms. */
  readonly totalMs: number;
}

const lease = 'webhooks';
const table = 'webhook-holder';
/** Another process may have the lease 2.5 s after this one was last heard of; before that this one must have stopped. */
const certainMs = 2_000;

export class Tenure {
  #token: number | undefined;
  #seenAt = Number.NEGATIVE_INFINITY;
  #waitsUntil = 0;

  constructor(private readonly options: TenureOptions) {}

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

  /** @returns whether a tenure has begun */
  async look(): Promise<boolean> {
    const { store, world, totalMs } = this.options;
    const askedAt = world.monotonic();
    const token = store.shared ? await store.shared.holds(lease) : 0;
    const begins = token !== undefined && token !== this.#token;
    if (begins && store.shared) {
      const record = await store.getLocal(table, lease);
      const isLeft = !record || record.value.isLeft === true;
      // The holder before was leaving, or another one begins: whose turn it is the next look tells.
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

  /** Nothing of this process is on its way, and nothing will be. */
  async leave(): Promise<void> {
    const { store } = this.options;
    const token = this.#token;
    this.#token = undefined;
    if (token === undefined || !store.shared) return;
    const record = await store.getLocal(table, lease);
    if (record?.value.token === token) await store.putLocal(table, lease, { token, isLeft: true }, record.revision);
  }
}
