/** The journal, read (docs/reference/events-and-entries.md#reading-events). */
import { pathOf, type ReadOptions } from '../http.js';
import { numbered } from '../pages.js';
import { follow, type StreamOptions } from '../stream.js';
import type { Entry, Proof, Queries, Replies } from '../wire.js';
import type { Writes } from '../writes.js';

/** What a list or a stream of entries selects by. */
export type EventFilter = Omit<Queries['listEvents'], 'limit'>;

export class Events {
  constructor(private readonly writes: Writes) {}

  list(query?: Queries['listEvents'], options?: ReadOptions): Promise<Replies['listEvents']> {
    return this.writes.http.get('/events', { ...query }, options);
  }

  /** @param hash of the event */
  get(hash: string, options?: ReadOptions): Promise<Entry> {
    return this.writes.http.get(pathOf`/events/${hash}`, undefined, options);
  }

  /** Proof that the event was in the journal when it was anchored. @param hash of the event */
  proof(hash: string, options?: ReadOptions): Promise<Proof> {
    return this.writes.http.get(pathOf`/events/${hash}/proof`, undefined, options);
  }

  /** Every entry that there is now, page by page. */
  all(filter?: EventFilter, options?: ReadOptions): AsyncGenerator<Entry, void, undefined> {
    return numbered(
      (place) => this.list({ ...filter, ...place }, options),
      ({ events }) => events,
      filter?.after,
    );
  }

  /** Entries as they are numbered, for ever; from now on, or from `after`. Survives lost connections. */
  async *stream(filter: EventFilter = {}, options?: StreamOptions): AsyncGenerator<Entry, void, undefined> {
    const { after, ...query } = filter;
    // Asked for here rather than left to the server, so that a connection that breaks at once loses nothing.
    const start = after ?? (await this.list({ limit: 1 }, options?.signal ? { signal: options.signal } : {})).head;
    yield* follow(this.writes.http, query, start, options);
  }
}
