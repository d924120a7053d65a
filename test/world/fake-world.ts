/** An environment that the test controls: its clock moves only when the test advances it, its randomness is seeded. */
import { createHash } from 'node:crypto';
import type { Environment, Timer } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
}

/** Noon, UTC, so that no test crosses midnight by accident. */
export const noon = Date.UTC(2026, 5, 15, 12);

/** Lets everything run that needs no time: promise chains, and I/O that is done. */
export async function flush(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export class FakeWorld implements Environment {
  #wall: number;
  #monotonic = 1_000;
  #slept = 0;
  #draws = 0;
  #order = 0;
  readonly #timers = new Set<Pending>();
  /** Calls that a real server answers, in real time. */
  readonly #outside = new Set<Promise<unknown>>();

  constructor(
    private readonly seed = 'seed',
    startsAt = noon,
  ) {
    this.#wall = startsAt;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  uptime(): number {
    return this.#monotonic + this.#slept;
  }

  random(bytes: number): Uint8Array {
    const drawn: Buffer[] = [];
    for (let length = 0; length < bytes; length += 32) {
      drawn.push(
        createHash('sha256')
          .update(`${this.seed} ${this.#draws++}`)
          .digest(),
      );
    }
    return new Uint8Array(Buffer.concat(drawn).subarray(0, bytes));
  }

  after(delayMs: number, call: () => void): Timer {
    const pending = { at: this.#monotonic + Math.max(0, delayMs), order: this.#order++, call };
    this.#timers.add(pending);
    return { cancel: () => this.#timers.delete(pending) };
  }

  /** The clock does not move until a call to the outside has been answered. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    const answer = work();
    const settled = answer.then(
      () => {},
      () => {},
    );
    this.#outside.add(settled);
    void settled.then(() => this.#outside.delete(settled));
    return answer;
  }

  async #flush(turns?: number): Promise<void> {
    await flush(turns);
    while (this.#outside.size > 0) {
      await Promise.all(this.#outside);
      await flush(turns);
    }
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Sets the wall clock, as a person or NTP does, without time passing. */
  setWall(byMs: number): void {
    this.#wall += byMs;
  }

  /** Lets the machine sleep: its monotonic clock and its timers stand still. */
  sleep(ms: number): void {
    this.#wall += ms;
    this.#slept += ms;
  }

  /** Lets time pass. Timers fire in order, and what each starts runs before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await this.#flush();
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) {
      this.#fire(next);
      await this.#flush();
    }
    this.#pass(end - this.#monotonic);
    await this.#flush();
  }

  /** Lets time pass until the promise settles. Fails if no timer is left that could help. */
  async settle<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const watch = promise.then(
      () => {
        done = true;
      },
      () => {
        done = true;
      },
    );
    for (let idle = 0; !done; ) {
      await this.#flush(2);
      if (done) break;
      const next = this.#next();
      if (next) this.#fire(next);
      else assert(++idle < 200, 'nothing is left that could make this promise settle');
    }
    await watch;
    return promise;
  }

  #next(): Pending | undefined {
    let next: Pending | undefined;
    for (const timer of this.#timers) {
      if (!next || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer;
    }
    return next;
  }

  #fire(timer: Pending): void {
    this.#timers.delete(timer);
    this.#pass(Math.max(0, timer.at - this.#monotonic));
    timer.call();
  }

  #pass(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
  }
}
