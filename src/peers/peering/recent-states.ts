/**
 * States of resources just after their newest entries, so that a follower that is nearly up to date gets the state of
 * an entry although a newer entry has changed it since.
 */
import { LRUCache } from 'lru-cache';
import { weightOf } from '../../actors/weight.js';
import type { Resource } from '../../machines/kernel/definition.js';
import type { NumberedEntry } from '../../store/entry.js';

/** Size of the cached contexts in bytes. */
const maxSize = 2 * 1024 * 1024;

/** The newest durable state; synchronous where it is in memory. */
export type NewestState = (kind: string, id: string) => Resource | undefined | Promise<Resource | undefined>;

export class RecentStates {
  readonly #states = new LRUCache<string, Resource>({
    maxSize,
    sizeCalculation: ({ context }) => weightOf(context) || 1,
  });

  constructor(private readonly newest: NewestState) {}

  /** Keeps the states that an entry has just written, if they are in memory. */
  saw({ core }: Pick<NumberedEntry, 'core'>): void {
    for (const { kind, id, version } of core.versions) {
      const state = this.newest(kind, id);
      if (state instanceof Promise || state?.version !== version) continue;
      this.#states.set(`${kind}/${id}@${version}`, state);
    }
  }

  /** The state at that version if it is cached, else the newest one. */
  readonly of = async (kind: string, id: string, version?: number): Promise<Resource | undefined> =>
    (version === undefined ? undefined : this.#states.get(`${kind}/${id}@${version}`)) ?? this.newest(kind, id);
}
