/** Maps texts to the integers that other tables use for them. */
import { growingCache } from '../../core/growing-cache.js';
import { assert } from '../../core/refusal.js';

/** Texts cached per table. */
const kept = 50_000;

/** A table that assigns an integer to each text, or combination of texts. */
export class Numbers {
  readonly #known = growingCache<string, number>(kept);

  constructor(
    private readonly find: (values: readonly string[]) => readonly [number] | undefined,
    private readonly insert: (values: readonly string[]) => readonly [number] | undefined,
  ) {}

  of(...texts: readonly string[]): number {
    const key = texts.length === 1 ? texts[0]! : texts.join('\n');
    let number = this.#known.get(key);
    if (number === undefined) {
      number = (this.find(texts) ?? this.insert(texts))?.[0];
      assert(number !== undefined, 'what was inserted has a number');
      this.#known.set(key, number);
    }
    return number;
  }

  clear(): void {
    this.#known.clear();
  }
}
