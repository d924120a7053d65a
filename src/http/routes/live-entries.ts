/**
 * Distributes new entries of the journal to all event streams: they are read from the store once, filtered in memory,
 * and rendered once for all readers with the same rights.
 */

import PQueue from 'p-queue';
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { type Environment, pause } from '../../core/environment.js';
import type { Feed } from '../../core/feed.js';
import { type NumberedEntry, resourcesOf } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import { frame } from '../server/sse.js';
import { entriesOfTypes, type TypedFilter } from './event-types.js';

type Show = (entry: NumberedEntry, reader: string | undefined) => Promise<JsonObject>;

export interface Following {
  /** Number of the last entry that the consumer has seen. */
  readonly after: number;
  readonly filter: TypedFilter;
  /** DID of the consumer. */
  readonly reader: string | undefined;
  /** Each event has its type as its name. */
  readonly isNamed: boolean;
  readonly signal: AbortSignal;
}

const nothing = Buffer.alloc(0);

/** How long entries are rendered before other requests get a turn. */
const renderedMs = 2;

/** Entries that pass one filter, with their rendered text for each reader. */
class Batch {
  /** By reader, and whether events have names. */
  readonly #texts = new Map<string, Promise<Buffer>>();
  readonly characters: number;

  constructor(
    readonly entries: readonly NumberedEntry[],
    private readonly options: Pick<LiveEntriesOptions, 'show' | 'world'>,
  ) {
    this.characters = entries.reduce(
      (sum, { coreText, payloadText }) => sum + coreText.length + (payloadText?.length ?? 0),
      0,
    );
  }

  textFor(reader: string | undefined, isNamed: boolean): Promise<Buffer> {
    const key = `${isNamed} ${reader ?? ''}`;
    const known = this.#texts.get(key);
    if (known) return known;
    const text = this.#rendered(reader, isNamed);
    this.#texts.set(key, text);
    return text;
  }

  /** Gives others their turn between entries, because a hundred of them may have ten thousand texts. */
  async #rendered(reader: string | undefined, isNamed: boolean): Promise<Buffer> {
    const { world } = this.options;
    const frames: string[] = [];
    let since = world.monotonic();
    for (const entry of this.entries) {
      if (world.monotonic() - since > renderedMs) {
        await pause(world, 0);
        since = world.monotonic();
      }
      frames.push(await this.#frame(entry, reader, isNamed));
    }
    return Buffer.from(frames.join(''));
  }

  async #frame(entry: NumberedEntry, reader: string | undefined, isNamed: boolean): Promise<string> {
    const name = isNamed ? { event: entry.core.event.type } : {};
    return frame({
      id: `${entry.seq}.${entry.chainHash.slice(0, 8)}`,
      ...name,
      data: await this.options.show(entry, reader),
    });
  }
}

class Subscriber {
  /** Name of its filter. */
  readonly name: string;
  waiting: Batch[] = [];
  #characters = 0;
  /** The consumer was too slow: the entries that it missed must be read from the store. */
  isBehind = false;
  failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(
    readonly filter: TypedFilter,
    /** Only entries after this number are delivered. */
    readonly from: number,
  ) {
    this.name = JSON.stringify([filter.issuer, filter.resource, filter.types]);
  }

  push(batch: Batch): void {
    this.#characters += batch.characters;
    // One batch is always kept, whatever its size.
    this.isBehind ||= this.waiting.length > 0 && this.#characters > bounds.streamWaitingCharacters;
    if (this.isBehind) this.waiting = [];
    else this.waiting.push(batch);
    this.wake();
  }

  wake = (): void => this.#wake();

  /** All waiting batches, oldest first; none if it is behind or aborted. */
  async take(signal: AbortSignal): Promise<readonly Batch[]> {
    while (this.waiting.length === 0 && !this.isBehind && !this.failure && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.failure) throw this.failure.error;
    const { waiting } = this;
    this.waiting = [];
    this.#characters = 0;
    return waiting;
  }
}

export interface LiveEntriesOptions {
  readonly store: Pick<StoreReader, 'entries'>;
  readonly feed: Feed;
  readonly world: Environment;
  readonly show: Show;
}

export class LiveEntries {
  /** One stream at a time reads and renders entries of the past: a page of long ones holds the others up for some ms. */
  readonly #past = new PQueue({ concurrency: 1 });
  readonly #subscribers = new Set<Subscriber>();
  /** Number of the last entry that was delivered to subscribers. */
  #seq = 0;
  /** Aborts the read in progress. */
  #reading: AbortController | undefined;

  constructor(private readonly options: LiveEntriesOptions) {}

  /** Text of a stream: each entry that passes the filter, in order and once, until the signal aborts. */
  async *follow({ after, filter, reader, isNamed, signal }: Following): AsyncGenerator<Uint8Array, void, undefined> {
    let seq = after;
    while (!signal.aborted) {
      const subscriber = this.#subscribe(filter);
      signal.addEventListener('abort', subscriber.wake, { once: true });
      try {
        while (seq < subscriber.from && !signal.aborted) {
          const past = { after: seq, until: subscriber.from, filter, reader, isNamed, signal };
          const { text, reached } = await this.#past.add(() => this.#stored(past));
          yield* pieces(text);
          seq = reached;
        }
        while (!signal.aborted && !subscriber.isBehind) {
          for (const batch of await subscriber.take(signal)) {
            // A resuming consumer may have seen entries that this process had not read when it subscribed.
            const fresh = batch.entries.filter((entry) => entry.seq > seq);
            if (fresh.length === 0) continue;
            const news = fresh.length < batch.entries.length ? new Batch(fresh, this.options) : batch;
            yield* pieces(await news.textFor(reader, isNamed));
            seq = batch.entries.at(-1)!.seq;
          }
        }
      } finally {
        signal.removeEventListener('abort', subscriber.wake);
        this.#leave(subscriber);
      }
    }
  }

  /** Some of the entries that are already in the store, up to `until`. @returns how far they reach */
  async #stored({ after, until, filter, reader, isNamed, signal }: Following & { readonly until: number }) {
    if (signal.aborted) return { text: nothing, reached: after };
    const page = await entriesOfTypes(this.options.store, {
      ...filter,
      after,
      limit: bounds.streamPage,
      characters: bounds.pageCharacters,
    });
    const entries = page.filter((entry) => entry.seq <= until);
    const text = entries.length > 0 ? await new Batch(entries, this.options).textFor(reader, isNamed) : nothing;
    return { text, reached: Math.min(page.at(-1)?.seq ?? until, until) };
  }

  #subscribe(filter: TypedFilter): Subscriber {
    if (!this.#reading) {
      this.#seq = this.options.feed.head;
      this.#reading = new AbortController();
      void this.#read(this.#reading.signal);
    }
    const subscriber = new Subscriber(filter, this.#seq);
    this.#subscribers.add(subscriber);
    return subscriber;
  }

  #leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    this.#reading?.abort();
    this.#reading = undefined;
  }

  /** One read loop for all followers. If it fails, their streams end, and clients resume. */
  async #read(signal: AbortSignal): Promise<void> {
    const { store, feed, world } = this.options;
    let isMore = false;
    try {
      for (;;) {
        await feed.beyond(this.#seq, signal);
        // Wakes many streams once for several entries: waking costs more than an entry.
        const gatherMs = (this.#subscribers.size - 1) * bounds.streamGatherMs;
        if (gatherMs > 0 && !isMore) await pause(world, gatherMs);
        const { head } = feed;
        const page = await store.entries({
          after: this.#seq,
          limit: bounds.streamPage,
          characters: bounds.pageCharacters,
        });
        if (signal.aborted) return;
        this.#publish(page);
        this.#seq = page.at(-1)?.seq ?? Math.max(this.#seq, head);
        isMore = this.#seq < head;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#reading = undefined;
      for (const subscriber of this.#subscribers) {
        subscriber.failure = { error };
        subscriber.wake();
      }
      this.#subscribers.clear();
    }
  }

  #publish(page: readonly NumberedEntry[]): void {
    const found = page.map((entry) => ({ entry, resources: resourcesOf(entry.core) }));
    const batches = new Map<string, Batch>();
    for (const subscriber of this.#subscribers) {
      const { filter, name } = subscriber;
      const batch =
        batches.get(name) ??
        new Batch(
          found.filter(passing(filter)).map(({ entry }) => entry),
          this.options,
        );
      batches.set(name, batch);
      if (batch.entries.length > 0) subscriber.push(batch);
    }
  }
}

/** Splits the text, so that a slow consumer leaves little unsent data in memory. */
function* pieces(text: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at += bounds.streamPieceBytes)
    yield text.subarray(at, at + bounds.streamPieceBytes);
}

const passing =
  ({ issuer, types, resource }: TypedFilter) =>
  ({ entry, resources }: { readonly entry: NumberedEntry; readonly resources: ReadonlySet<string> }): boolean =>
    (issuer === undefined || issuer === entry.core.event.issuer) &&
    (types === undefined || types.includes(entry.core.event.type)) &&
    (resource === undefined || resources.has(resource));
