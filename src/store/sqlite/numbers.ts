/** Texts that stand as integers in other tables. */
import { assert } from '../../machines/kernel/refusal.js';

/** Kept in memory, of each table; all are forgotten when there are more. */
const kept = 50_000;

/** A table of texts, or of some texts together, each with its integer. */
export class Numbers {
  readonly #known = new Map<string, number>();

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
      if (this.#known.size >= kept) this.#known.clear();
      this.#known.set(key, number);
    }
    return number;
  }

  clear(): void {
    this.#known.clear();
  }
}
