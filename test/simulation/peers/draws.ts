/**
 * Seeded pseudo-random numbers. Each part of a history has its own stream, so that one more draw in one part changes no other.
 */
import { createHash } from 'node:crypto';

export class Draws {
  /** State of the generator sfc32. */
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(private readonly seed: string) {
    const digest = createHash('sha256').update(seed).digest();
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
  }

  stream(name: string): Draws {
    return new Draws(`${this.seed}/${name}`);
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#count++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** An integer from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor((this.#next() / 2 ** 32) * count);
  }

  /** An integer between the two, inclusive. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.#next() / 2 ** 32 < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** @param weights relative weight of each name */
  weighted<Name extends string>(weights: { readonly [N in Name]: number }): Name {
    const names = Object.keys(weights) as Name[];
    let left = this.below(names.reduce((sum, name) => sum + weights[name], 0));
    return names.find((name) => {
      left -= weights[name];
      return left < 0;
    })!;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#next() & 0xff);
  }
}
