/**
 * The reputation scores at a given time, computed from the records about a DID (docs/reference/reputation.md#weights).
 * Weights change with time, so sums cannot be stored; but all weights up to 598 days decay at the same rate, and all
 * from there to two years are equal. Running sums of both, one pair per record, give the score at any time with three
 * searches, however many records there are.
 */

import { dayMs } from '../../core/bounds.js';
import { type Dimension, dimensions, ratingOfScore } from './record.js';
import { lostScore } from './trade.js';

/**
 * A record loses half of its weight in this time. Within the same time it also reduces the weight of further records by
 * its issuer.
 */
const halfLifeMs = 180 * dayMs;
const leastWeight = 0.1;
/**
 * From this age on a record has the minimum weight. Up to it all weights decay at the same rate, so that no score
 * changes.
 */
export const decayedMs = halfLifeMs * Math.log2(1 / leastWeight);
/** Beyond this age a record has no weight. */
export const lifeMs = 730 * dayMs;

const shares: { readonly [D in Dimension]: number } = {
  transaction: 0.25,
  fulfillment: 0.3,
  quality: 0.2,
  social: 0.15,
  behavior: 0.1,
};

export interface Noted {
  /** Time of its entry, epoch ms. */
  readonly at: number;
  readonly issuer: string;
  readonly dimension: Dimension;
  /** 0..1000 */
  readonly score: number;
  /** Id of the trade. Its parties are the issuer and the DID that the reputation is about. */
  readonly ref: string;
  readonly source: 'deal' | 'review';
}

export interface DimensionScore {
  /** 0..1000; null if all records have lost their weight. */
  readonly score: number | null;
  readonly count: number;
  readonly updatedAt: number;
}

export interface Scores {
  readonly score: number | null;
  readonly level: Level;
  readonly dimensions: { readonly [D in Dimension]?: DimensionScore };
  /** Finished trades for which Tokens were paid. */
  readonly totalTransactions: number;
  /** Share of trades without a lost dispute, 0..1; null before the first trade. */
  readonly successRate: number | null;
  /** Average of all reviews, in stars; null before the first. */
  readonly averageRating: number | null;
  readonly updatedAt: number;
}

/** Levels, with the minimum score of each. */
const levels = [
  [900, 'excellent'],
  [750, 'good'],
  [500, 'fair'],
  [0, 'poor'],
] as const;
export type Level = (typeof levels)[number][1] | 'unrated';
/** From the lowest to the highest. */
export const levelNames: readonly Level[] = ['unrated', ...levels.map(([, name]) => name).reverse()];

const levelOf = (score: number | null): Level =>
  score === null ? 'unrated' : levels.find(([least]) => score >= least)![1];

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
/** Rounds, so that sums that differ in their last bits, because of the order of addition, look the same. */
const wholeOf = (score: number): number => Math.round(rounded(score, 6));

/** Records of one dimension, ordered by time. All lists have one element per record. */
class Course {
  readonly at: number[] = [];
  /** Running sums of the weights that still decay, relative to `origin`. */
  readonly #fading: number[] = [];
  readonly #fadingScore: number[] = [];
  /** Running sums of the weights without decay. */
  readonly #lasting: number[] = [];
  readonly #lastingScore: number[] = [];
  #origin = 0;

  add(at: number, score: number, weight: number): void {
    if (this.at.length === 0) this.#origin = at;
    const fading = weight * 2 ** ((at - this.#origin) / halfLifeMs);
    this.at.push(at);
    push(this.#fading, fading);
    push(this.#fadingScore, fading * score);
    push(this.#lasting, weight);
    push(this.#lastingScore, weight * score);
  }

  /** The weighted mean; null if no record has weight. */
  score(time: number): number | null {
    const living = this.#countBefore(time - lifeMs);
    const fading = Math.max(living, this.#countBefore(time - decayedMs));
    const scale = 2 ** ((this.#origin - time) / halfLifeMs);
    const sum = (faded: readonly number[], lasting: readonly number[]) =>
      scale * between(faded, fading, faded.length) + leastWeight * between(lasting, living, fading);
    if (living === this.at.length) return null;
    return sum(this.#fadingScore, this.#lastingScore) / sum(this.#fading, this.#lasting);
  }

  #countBefore(time: number): number {
    let [low, high] = [0, this.at.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const push = (sums: number[], more: number): number => sums.push((sums.at(-1) ?? 0) + more);
const between = (sums: readonly number[], from: number, to: number): number =>
  (sums[to - 1] ?? 0) - (sums[from - 1] ?? 0);

/** When each trade of one issuer was first recorded; those before `start` are more than 180 days older than the last. */
interface Window {
  times: number[];
  start: number;
}

export class ReputationScores {
  readonly #courses = new Map<Dimension, Course>();
  /** By trade, its ordinal among its issuer's trades. */
  readonly #ordinals = new Map<string, number>();
  readonly #windows = new Map<string, Window>();
  #count = 0;
  #newest = 0;
  #transactions = 0;
  #lost = 0;
  #reviews = 0;
  #reviewScores = 0;

  get count(): number {
    return this.#count;
  }

  get averageRating(): number | null {
    return this.#reviews === 0 ? null : rounded(ratingOfScore(this.#reviewScores / this.#reviews), 2);
  }

  add({ at, issuer, dimension, score, ref, source }: Noted): void {
    const course = this.#courses.get(dimension) ?? new Course();
    this.#courses.set(dimension, course);
    let ordinal = this.#ordinals.get(ref);
    if (ordinal === undefined) {
      ordinal = this.#nextOrdinal(issuer, at);
      this.#ordinals.set(ref, ordinal);
    }
    course.add(at, score, 1 / ordinal);
    this.#count++;
    this.#newest = at;
    if (source === 'review') {
      this.#reviews++;
      this.#reviewScores += score;
    } else if (dimension === 'transaction') this.#transactions++;
    else if (score === lostScore) this.#lost++;
  }

  /** The ordinal, from 1, of another trade of this issuer within the last 180 days. */
  #nextOrdinal(issuer: string, at: number): number {
    const window = this.#windows.get(issuer);
    if (!window) {
      this.#windows.set(issuer, { times: [at], start: 0 });
      return 1;
    }
    window.times.push(at);
    while (window.times[window.start]! < at - halfLifeMs) window.start++;
    if (window.start > window.times.length / 2) {
      window.times = window.times.slice(window.start);
      window.start = 0;
    }
    return window.times.length - window.start;
  }

  /** Undefined before the first record. @param now the node's clock */
  at(now: number): Scores | undefined {
    if (this.#count === 0) return undefined;
    // Entries may be ahead of a clock that was set back.
    const time = Math.max(now, this.#newest);
    const shown: { [D in Dimension]?: DimensionScore } = {};
    let [sum, share] = [0, 0];
    for (const dimension of dimensions) {
      const course = this.#courses.get(dimension);
      if (!course) continue;
      const score = course.score(time);
      shown[dimension] = {
        score: score === null ? null : wholeOf(score),
        count: course.at.length,
        updatedAt: course.at.at(-1)!,
      };
      if (score === null) continue;
      sum += shares[dimension] * score;
      share += shares[dimension];
    }
    const score = share === 0 ? null : wholeOf(sum / share);
    return {
      score,
      level: levelOf(score),
      dimensions: shown,
      totalTransactions: this.#transactions,
      successRate: this.#transactions === 0 ? null : rounded(1 - this.#lost / this.#transactions, 4),
      averageRating: this.averageRating,
      updatedAt: this.#newest,
    };
  }
}
