/** Bodies that are arriving: one that arrives too slowly is ended before the timeout of the whole request. */
import { bounds } from '../../../core/bounds.js';
import type { Environment, Timer } from '../../../core/environment.js';

export interface Arrival {
  /** Bytes received so far. */
  held: number;
  /** The bytes at the previous check. */
  seen?: number;
  /** Called if the bytes arrive too slowly. */
  late(): void;
}

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
