/** Reads the journal (docs/reference/events-and-entries.md#reading-events). */
import { ApiError, UncheckedError, UnreachableError } from '../errors.js';
import { pathOf, type ReadOptions } from '../http.js';
import { numbered } from '../pages.js';
import type { SignedWrite } from '../signing/key-writes.js';
import { follow, type StreamOptions } from '../stream.js';
import { type WaitOptions, waitFor } from '../transition.js';
import type { CheckedEntry, Entry, Proof, Queries, Replies, Requests, SignedEntry } from '../wire.js';
import type { WriteOptions } from '../write-options.js';
import type { Writes } from '../writes.js';

/** Filters of a list or a stream of entries. */
export type EventFilter = Omit<Queries['listEvents'], 'limit'>;

/** An event as it is submitted, with the payload that it signs. */
export type SubmittedEvent = Requests['submitEvent'];

export class Events {
  constructor(private readonly writes: Writes) {}

  list(query?: Queries['listEvents'], options?: ReadOptions): Promise<Replies['listEvents']> {
    return this.writes.http.get('/events', { ...query }, options);
  }

  /** @param hash hash of the event, or the number of its entry */
  get(hash: string, options?: ReadOptions): Promise<Replies['getEvent']> {
    return this.writes.http.get(pathOf`/events/${hash}`, undefined, options);
  }

  /**
   * Waits until an event of another home is in the journal that this client's node follows of that home. Rejects with
   * UncheckedError if what the home shows is not in it, and with NotReachedError if that is not known in time, as while the
   * home is away or does not show the event.
   * @param hash hash of the event @param home DID of its home
   */
  async untilChecked(hash: string, home: string, options?: WaitOptions): Promise<CheckedEntry> {
    const what = `the event ${hash} of ${home}`;
    const read = async (asked: ReadOptions) => {
      try {
        return { state: 'not followed', entry: await this.get(`${hash}~${home}`, asked) };
      } catch (error) {
        const isOpen =
          error instanceof ApiError && (error.status === 404 || error.status === 429 || error.status >= 500);
        if (isOpen || error instanceof UnreachableError) return { state: `not shown (${error.message})` };
        throw error;
      }
    };
    const isChecked = ({ entry }: { readonly entry?: CheckedEntry }): boolean => {
      if (entry === undefined) return false;
      const { violation, followed } = entry.checked ?? { violation: 'the node asked is of that home', followed: 0 };
      if (violation !== null) throw new UncheckedError(`${what}: ${violation}`);
      return followed === 1;
    };
    return (await waitFor(this.writes.http.options.environment, { what, read }, isChecked, options)).entry!;
  }

  /** Sends an event that was signed elsewhere, or once more: the same event gives the reply of its action again. */
  submit<T>(write: SubmittedEvent | SignedWrite, options?: WriteOptions): Promise<T> {
    return this.writes.submitted<T>(write as SignedWrite, options);
  }

  /** Proves that the event is in the journal, against an anchor on chain. @param hash hash of the event */
  proof(hash: string, options?: ReadOptions): Promise<Proof> {
    return this.writes.http.get(pathOf`/events/${hash}/proof`, undefined, options);
  }

  /** The entry with a checkpoint that the home has signed of it: checked with the home's DID alone. @param hash hash of the event */
  signed(hash: string, options?: ReadOptions): Promise<SignedEntry> {
    return this.writes.http.get(pathOf`/events/${hash}/signed`, undefined, options);
  }

  /** Iterates over all present entries, reading page by page. */
  all(filter?: EventFilter, options?: ReadOptions): AsyncGenerator<Entry, void, undefined> {
    return numbered(
      (place) => this.list({ ...filter, ...place }, options),
      ({ events }) => events,
      filter?.after,
    );
  }

  /**
   * Iterates endlessly over entries as they are written, from now on or from `after`. Survives lost connections. Throws
   * ApiError with status 409 if the journal does not have the last entry seen, as after an older backup was restored:
   * what was read after `problem.head` is void.
   */
  async *stream(filter: EventFilter = {}, options?: StreamOptions): AsyncGenerator<Entry, void, undefined> {
    const { after, ...query } = filter;
    // The starting point is read here, not left to the server, so that nothing is lost if the first connection breaks
    // at once.
    const start = after ?? (await this.list({ limit: 1 }, options?.signal ? { signal: options.signal } : {})).head;
    yield* follow(this.writes.http, query, start, options);
  }
}
