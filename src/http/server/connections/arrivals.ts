/** Bodies on their way: whose bytes come too slowly is not waited for until the whole request is late. */
import { bounds } from '../../../core/bounds.js';
import type { Environment, Timer } from '../../../core/environment.js';

export interface Arrival {
  /** Bytes so far. */
  held: number;
  /** As it was at the last look. */
  seen?: number;
  /** Its bytes come too slowly. */
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
