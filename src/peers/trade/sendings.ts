/**
 * The Tokens of this home's residents that are on their way to other homes: in open requests, and in those that are being
 * written. Kept in memory, so that a request costs no look-up of the others.
 */
import type { RemoteRequestContext } from '../../machines/remote-request/machine.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import { openRequests } from './open-requests.js';

/** A request that is being written. */
export interface OutgoingRequest {
  readonly signer: string;
  readonly home: string;
  money: number;
}

type KnownRequest = Readonly<OutgoingRequest>;

export class Sendings {
  readonly #open = new Map<string, KnownRequest>();
  /** Tokens in open requests, by home. */
  readonly #sums = new Map<string, number>();
  /** Number of open requests, by signer and home. */
  readonly #counts = new Map<string, number>();
  readonly #written = new Set<OutgoingRequest>();

  /** Must be called before anything is written. */
  async load(store: Pick<StoreReader, 'find'>): Promise<void> {
    for await (const { id, context } of openRequests(store)) {
      const { signer, home, money } = context as unknown as RemoteRequestContext;
      this.#add(id, { signer, home, money });
    }
  }

  /** Call when an own entry is on disk. */
  committed({ payload, core }: Pick<NumberedEntry, 'payload' | 'core'>): void {
    if (payload?.kind !== 'remote-request') return;
    const { id, action, input } = payload;
    if (action !== 'create') this.#remove(id);
    else this.#add(id, { signer: core.event.issuer, home: String(input.home), money: Number(input.money) });
  }

  /** Call before a request is tried on the copy of its home, and `end` once it is written or refused. */
  begin(signer: string, home: string): OutgoingRequest {
    const sending = { signer, home, money: 0 };
    this.#written.add(sending);
    return sending;
  }

  end(sending: OutgoingRequest): void {
    this.#written.delete(sending);
  }

  /** Tokens in requests to this home. */
  sum(home: string): number {
    let sum = this.#sums.get(home) ?? 0;
    for (const each of this.#written) if (each.home === home) sum += each.money;
    return sum;
  }

  /** Whether the signer has a request to this home, apart from this one. */
  has(signer: string, home: string, except?: OutgoingRequest): boolean {
    if (this.#counts.has(`${signer} ${home}`)) return true;
    for (const each of this.#written) if (each.signer === signer && each.home === home && each !== except) return true;
    return false;
  }

  #add(id: string, request: KnownRequest): void {
    if (this.#open.has(id)) return;
    this.#open.set(id, request);
    this.#count(request, 1);
  }

  #remove(id: string): void {
    const found = this.#open.get(id);
    if (!found) return;
    this.#open.delete(id);
    this.#count(found, -1);
  }

  #count({ signer, home, money }: KnownRequest, by: 1 | -1): void {
    this.#sums.set(home, (this.#sums.get(home) ?? 0) + by * money);
    const key = `${signer} ${home}`;
    const count = (this.#counts.get(key) ?? 0) + by;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
