/** Combines reads of single documents in the same turn of the event loop into one query. */
import { nextTurn } from './turn.js';

interface PendingRead<V> {
  readonly key: string;
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

const largestGroup = 200;

export class Grouped<V> {
  #asked: PendingRead<V>[] = [];

  /** @param read finds values by key; keys without a value are left out */
  constructor(private readonly read: (keys: string[]) => Promise<ReadonlyMap<string, V>>) {}

  get(key: string): Promise<V | undefined> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ key, resolve, reject });
      if (this.#asked.length === 1) void nextTurn().then(() => this.#askAll());
    });
  }

  #askAll(): void {
    const asked = this.#asked;
    this.#asked = [];
    for (let at = 0; at < asked.length; at += largestGroup) void this.#ask(asked.slice(at, at + largestGroup));
  }

  async #ask(asked: readonly PendingRead<V>[]): Promise<void> {
    try {
      const found = await this.read([...new Set(asked.map(({ key }) => key))]);
      for (const { key, resolve } of asked) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
