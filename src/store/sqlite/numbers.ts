/** Maps texts to the integers that other tables use for them. */
import { growingCache } from '../../core/growing-cache.js';
import { assert } from '../../core/refusal.js';
import type { SqliteConnection } from './connection.js';

const kept = 50_000;

export class Numbers {
  readonly #known = growingCache<string, number>(kept);

  constructor(
    private readonly connection: SqliteConnection,
    private readonly find: string,
    private readonly insert: string,
  ) {}

  of(...texts: readonly string[]): number {
    const key = texts.length === 1 ? texts[0]! : texts.join('\n');
    let number = this.#known.get(key);
    if (number === undefined) {
      const row = (sql: string) => this.connection.row<[number]>(sql, ...texts);
      number = (row(this.find) ?? row(this.insert))?.[0];
      assert(number !== undefined, 'what was inserted has a number');
      this.#known.set(key, number);
    }
    return number;
  }

  clear(): void {
    this.#known.clear();
  }
}
