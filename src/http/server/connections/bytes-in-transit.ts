/** Bytes in transit (request bodies and replies): limits how many are kept in memory, and how long a body may take. */
import { bounds } from '../../../core/bounds.js';
import type { Environment, Timer } from '../../../core/environment.js';

export interface Arrival {
  /** Bytes received so far. */
  held: number;
  /** The bytes at the previous check. */
  seen?: number;
  /** Called if the bytes arrive too slowly. */
  late: () => void;
}

const ended = () => {};

export class Arrivals {
  readonly #open = new Set<Arrival>();
  #timer: Timer | undefined;

  constructor(private readonly environment: Environment) {}

  begin(arrival: Arrival): void {
    this.#open.add(arrival);
    this.#timer ??= this.environment.after(bounds.arrivalLookMs, () => this.#look());
  }

  end(arrival: Arrival): void {
    this.#open.delete(arrival);
    // V8 keeps the members of a Set's earlier tables until a full collection. The callback would keep the request.
    arrival.late = ended;
  }

  #look(): void {
    for (const arrival of this.#open) {
      const isLate = arrival.seen !== undefined && arrival.held - arrival.seen < bounds.arrivalLeastBytes;
      arrival.seen = arrival.held;
      if (!isLate) continue;
      this.#open.delete(arrival);
      arrival.late();
    }
    this.#timer = this.#open.size > 0 ? this.environment.after(bounds.arrivalLookMs, () => this.#look()) : undefined;
  }
}

/** Bytes that the node keeps in memory for callers: bounded per caller and in total. */
export class ByteBudget {
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(private readonly most: { readonly caller: number; readonly total: number }) {}

  get total(): number {
    return this.#total;
  }

  /**
   * Which bound the bytes would exceed. A caller that holds nothing may exceed its bound once, so that a reply or body
   * of any size can pass.
   */
  exceeds(caller: string, bytes: number): 'caller' | 'total' | undefined {
    const held = this.#held.get(caller) ?? 0;
    if (held > 0 && held + bytes > this.most.caller) return 'caller';
    return this.#total > 0 && this.#total + bytes > this.most.total ? 'total' : undefined;
  }

  take(caller: string, bytes: number): void {
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + bytes);
    this.#total += bytes;
  }

  give(caller: string, bytes: number): void {
    const left = (this.#held.get(caller) ?? 0) - bytes;
    if (left > 0) this.#held.set(caller, left);
    else this.#held.delete(caller);
    this.#total -= bytes;
  }
}

/** Large replies are built and written in pieces: few in a turn of the event loop, alternating between replies. */
export class Pace {
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly world: Environment) {}

  /** Calls back when the next piece may be built. */
  take(call: () => void): void {
    this.#waiting.push(call);
    if (this.#waiting.length === 1) this.world.after(0, () => this.#next());
  }

  #next(): void {
    const due = this.#waiting.slice(0, bounds.piecesPerTurn);
    for (const call of due) call();
    this.#waiting.splice(0, due.length);
    if (this.#waiting.length > 0) this.world.after(0, () => this.#next());
  }
}
