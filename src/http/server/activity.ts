/**
 * The node's activity of the last minutes, for people without a metrics server: a point every few seconds, in memory,
 * of this process.
 */
import type { Environment, Timer } from '../../core/environment.js';

export interface ActivityPoint {
  /** End of the period, epoch milliseconds. */
  readonly at: number;
  /** Replies per second. */
  readonly requests: number;
  /** Replies per second with a status of 500 and above. */
  readonly failures: number;
  /** Entries committed per second. */
  readonly entries: number;
  /** Time from the head of a request to its reply, milliseconds; null without any reply. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Number of the newest entry. */
  readonly height: number;
  /** Operations committed and not yet settled. */
  readonly lag: number;
}

export interface ActivityOptions {
  readonly world: Environment;
  readonly height: () => number;
  readonly lag: () => number;
}

export const activityEveryMs = 5_000;
/** A quarter of an hour of points. */
export const activityPoints = 180;

/** Histogram buckets per octave, from `leastMs` on: a quantile is off by 9 % at most. */
const perOctave = 8;
const leastMs = 0.05;
const octaves = 21;

export class Activity {
  readonly #points: ActivityPoint[] = [];
  readonly #buckets = new Uint32Array(perOctave * octaves);
  #answers = 0;
  #failures = 0;
  #height = 0;
  #since = 0;
  #timer: Timer | undefined;

  constructor(private readonly options: ActivityOptions) {}

  /** Runs on every request: one logarithm, three additions. */
  answered(status: number, seconds: number): void {
    this.#answers += 1;
    if (status >= 500) this.#failures += 1;
    const bucket = Math.floor(perOctave * Math.log2((seconds * 1_000) / leastMs));
    this.#buckets[Math.min(Math.max(0, bucket), this.#buckets.length - 1)]! += 1;
  }

  /** Oldest first. */
  get points(): readonly ActivityPoint[] {
    return this.#points;
  }

  start(): void {
    this.#height = this.options.height();
    this.#since = this.options.world.monotonic();
    this.#wait();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #wait(): void {
    this.#timer = this.options.world.after(activityEveryMs, () => {
      this.#note();
      this.#wait();
    });
  }

  #note(): void {
    const { world, height, lag } = this.options;
    const now = world.monotonic();
    const seconds = Math.max(now - this.#since, 1) / 1_000;
    const head = height();
    if (this.#points.length === activityPoints) this.#points.shift();
    this.#points.push({
      at: world.now(),
      requests: rounded(this.#answers / seconds),
      failures: rounded(this.#failures / seconds),
      entries: rounded((head - this.#height) / seconds),
      p50Ms: this.#quantile(0.5),
      p99Ms: this.#quantile(0.99),
      height: head,
      lag: lag(),
    });
    this.#since = now;
    this.#height = head;
    this.#answers = 0;
    this.#failures = 0;
    this.#buckets.fill(0);
  }

  /** The middle of the bucket that it falls into. */
  #quantile(share: number): number | null {
    if (this.#answers === 0) return null;
    let left = Math.ceil(this.#answers * share);
    const bucket = this.#buckets.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return rounded(leastMs * 2 ** ((bucket + 0.5) / perOctave));
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
