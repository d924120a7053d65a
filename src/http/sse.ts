/**
 * Server-sent events (decisions.md, `GET /api/v1/events/stream`): the text, its heartbeat, and writing it to a
 * consumer that may be slow.
 */
import type { ServerResponse } from 'node:http';
import { bounds } from '../config.js';
import { invalid, type Refusal } from '../machines/kernel/refusal.js';
import type { World } from '../world.js';
import type { Call, Reply } from './route.js';

export interface StreamEvent {
  /** What a client sends as `Last-Event-ID` to go on after this event. */
  readonly id?: string | number;
  readonly event?: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

export interface SseOptions {
  readonly world: World;
  readonly signal: AbortSignal;
  readonly heartbeatMs?: number;
}

/** A reply that streams the events until they end or the signal aborts. */
export const sseReply = (events: AsyncIterable<StreamEvent>, options: SseOptions): Reply => ({
  status: 200,
  stream: { type: 'text/event-stream; charset=utf-8', chunks: sse(events, options) },
});

/**
 * The sequence number to go on after: the header `Last-Event-ID`, which a browser sends by itself when it
 * reconnects, else `fallback` (the query's `after`).
 */
export function lastEventId(call: Call, fallback = 0): number | Refusal {
  const text = call.header('last-event-id');
  if (text === undefined || text === '') return fallback;
  return /^\d{1,15}$/.test(text) ? Number(text) : invalid('Last-Event-ID', 'must be a sequence number');
}

const frame = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/**
 * Chunks of text: a chunk an event, and a comment wherever nothing else came for `heartbeatMs`, so that proxies
 * keep the connection and a dead one is noticed.
 */
export async function* sse(
  events: AsyncIterable<StreamEvent>,
  { world, signal, heartbeatMs = bounds.streamHeartbeatMs }: SseOptions,
): AsyncGenerator<string, void, undefined> {
  const iterator = events[Symbol.asyncIterator]();
  let arrived: IteratorResult<StreamEvent> | undefined;
  let failure: { error: unknown } | undefined;
  let wake: () => void = () => {};
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  // One reaction per pending event: racing it against every heartbeat anew would pile up reactions for days.
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
    while (!signal.aborted) {
      let beat = false;
      if (!arrived && !failure) {
        const timer = world.after(heartbeatMs, () => {
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
        yield frame(value);
        pull();
      } else if (beat) yield ': beat\n\n';
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that waits for its next event would answer only after that.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** Writes chunks as fast as the consumer takes them; one that takes nothing for `slowConsumerMs` is cut off. */
export async function pump(
  chunks: AsyncIterable<string>,
  res: ServerResponse,
  world: World,
  slowMs: number = bounds.slowConsumerMs,
): Promise<void> {
  for await (const chunk of chunks) {
    if (res.destroyed) return;
    if (!res.write(chunk) && !(await drained(res, world, slowMs))) {
      res.destroy();
      return;
    }
  }
  res.end();
}

/** False when the consumer went away or took too long. */
function drained(res: ServerResponse, world: World, slowMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (took: boolean) => {
      timer.cancel();
      res.off('drain', onDrain);
      res.off('close', onClose);
      resolve(took);
    };
    const onDrain = () => finish(true);
    const onClose = () => finish(false);
    const timer = world.after(slowMs, onClose);
    res.once('drain', onDrain);
    res.once('close', onClose);
  });
}
