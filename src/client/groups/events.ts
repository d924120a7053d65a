/** The journal, read (decisions.md, Events and entries). */
import { pathOf, type ReadOptions } from '../http.js';
import { follow, type StreamOptions } from '../stream.js';
import type { EventProof, JournalEvent } from '../views.js';
import type { Writes } from '../writes.js';

export interface EventFilter {
  readonly issuer?: string;
  /** `<kind>/<id>` */
  readonly resource?: string;
  readonly type?: string;
  /** Number of the last entry seen. */
  readonly after?: number;
}

export interface EventPage {
  readonly events: readonly JournalEvent[];
  /** `after` of the next page; null at the end. */
  readonly next: number | null;
  readonly hasMore: boolean;
  /** Number of the newest entry in the journal. */
  readonly head: number;
}

const largestPage = 100;

export class Events {
  constructor(private readonly writes: Writes) {}

  list(query?: EventFilter & { readonly limit?: number }, options?: ReadOptions): Promise<EventPage> {
    return this.writes.http.get('/events', { ...query }, options);
  }

  /** @param hash of the event */
  get(hash: string, options?: ReadOptions): Promise<JournalEvent> {
    return this.writes.http.get(pathOf`/events/${hash}`, undefined, options);
  }

  /** Proof that the event was in the journal when it was anchored. @param hash of the event */
  proof(hash: string, options?: ReadOptions): Promise<EventProof> {
    return this.writes.http.get(pathOf`/events/${hash}/proof`, undefined, options);
  }

  /** Every entry that there is now, page by page. */
  async *all(filter?: EventFilter, options?: ReadOptions): AsyncGenerator<JournalEvent, void, undefined> {
    for (let after: number | null = filter?.after ?? 0; after !== null; ) {
      const page: EventPage = await this.list({ ...filter, after, limit: largestPage }, options);
      yield* page.events;
      after = page.next;
    }
  }

  /** Entries as they are numbered, for ever; from now on, or from `after`. Survives lost connections. */
  async *stream(filter: EventFilter = {}, options?: StreamOptions): AsyncGenerator<JournalEvent, void, undefined> {
    const { after, ...query } = filter;
    // Asked for here rather than left to the server, so that a connection that breaks at once loses nothing.
    const start = after ?? (await this.list({ limit: 1 }, options?.signal ? { signal: options.signal } : {})).head;
    yield* follow(this.writes.http, query, start, options);
  }
}
