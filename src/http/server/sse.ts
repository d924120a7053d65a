/**
 * Server-sent events (docs/reference/events-and-entries.md#event-stream): the text, its heartbeat, and writing it to a
 * consumer that may be slow.
 */
import type { ServerResponse } from 'node:http';
import { bounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import { parse, place } from '../../core/schema/scalar.js';
import type { Call, Reply } from './route.js';

export interface StreamEvent {
  /** Sent back as `Last-Event-ID` by a client that resumes after this event. */
  readonly id?: string;
  readonly event?: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

export interface SseOptions {
  readonly world: Environment;
  readonly signal: AbortSignal;
  readonly heartbeatMs?: number;
  /** Epoch ms at which the stream ends. */
  readonly until?: number | undefined;
}

/** A reply that streams the events, or their text, until they end or the signal aborts. */
export const sseReply = (events: AsyncIterable<StreamEvent | Uint8Array>, options: SseOptions): Reply => ({
  status: 200,
  stream: { type: 'text/event-stream; charset=utf-8', chunks: sse(events, options) },
});

/**
 * The place in the journal to resume after: the header `Last-Event-ID`, which browsers send when they reconnect, else
 * `fallback` (the query's `after`).
 */
export function lastEventId(call: Call, fallback: number | string): number | string | Refusal {
  const text = call.header('last-event-id');
  if (text === undefined || text === '') return fallback;
  return isRefusal(parse(place, text)) ? invalid('Last-Event-ID', 'must be an id of this stream') : text;
}

export const frame = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/**
 * Chunks of text: one for each event, and a comment if nothing was sent for `heartbeatMs`, so that proxies keep the
 * connection and a dead one is noticed.
 */
export async function* sse(
  events: AsyncIterable<StreamEvent | Uint8Array>,
  { world, signal, heartbeatMs = bounds.streamHeartbeatMs, until = Number.POSITIVE_INFINITY }: SseOptions,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  const iterator = events[Symbol.asyncIterator]();
  let arrived: IteratorResult<StreamEvent | Uint8Array> | undefined;
  let failure: { error: unknown } | undefined;
  let wake: () => void = () => {};
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  // Adds one reaction per pending event; racing it against every heartbeat would accumulate reactions for days.
  const pull = () => {
    iterator.next().then(
      (result) => {
        arrived = result;
        wake();
      },
      (error: unknown) => {
        failure = { error };
        wake();
      },
    );
  };
  try {
    yield 'retry: 2000\n: open\n\n';
    pull();
    while (!signal.aborted && world.now() < until) {
      let beat = false;
      if (!arrived && !failure) {
        const timer = world.after(Math.min(heartbeatMs, until - world.now()), () => {
          beat = true;
          wake();
        });
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        timer.cancel();
      }
      if (signal.aborted) return;
      if (failure) throw failure.error;
      if (arrived) {
        const { done, value } = arrived;
        arrived = undefined;
        if (done) return;
        yield value instanceof Uint8Array ? value : frame(value);
        pull();
      } else if (beat) yield ': beat\n\n';
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that waits for its next event would return only after it.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** The destination of a stream's bytes, and its bounds. */
export interface Outlet {
  readonly res: ServerResponse;
  /** The memory budget for a chunk until it is sent; absent if it is counted elsewhere. */
  readonly room?: { take(bytes: number): boolean; give(bytes: number): void } | undefined;
  /** Resolves when the next chunk may be built. */
  readonly next?: (() => Promise<void>) | undefined;
  /** The consumer has read more. */
  readMore(): void;
}

/** Writes chunks as fast as the consumer reads; if the budget has no room for the next one, the stream is cut off. */
export async function pump(
  chunks: AsyncIterable<string | Uint8Array>,
  { res, room, next, readMore }: Outlet,
): Promise<void> {
  for await (const chunk of chunks) {
    if (res.destroyed) return;
    const bytes = room ? Buffer.byteLength(chunk) : 0;
    if (room && !room.take(bytes)) {
      res.destroy();
      return;
    }
    if (!res.write(chunk)) await drained(res);
    room?.give(bytes);
    readMore();
    await next?.();
  }
  res.end();
}

/** Resolves also if the consumer disconnects. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      res.off('drain', finish);
      res.off('close', finish);
      resolve();
    };
    res.once('drain', finish);
    res.once('close', finish);
  });
}
