/**
 * The journal as it grows: an endless async iterator over `GET /events/stream`. It reconnects after a failure and
 * resumes after the last entry, so that no entry is missed or repeated.
 */
import type { ClientEnvironment } from './environment.js';
import { ApiError } from './errors.js';
import type { Http, Query } from './http.js';
import { longestWaitMs, retryDelay } from './retry.js';
import { SseParser } from './sse.js';
import type { Entry } from './wire.js';

export interface StreamOptions {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal;
  /** A connection that is silent for longer is closed; the node sends a heartbeat every 15 s. */
  readonly silenceMs?: number;
}

const usualSilenceMs = 45_000;
/** Pause after the server has ended a stream regularly and has not set a delay. */
const usualPauseMs = 2_000;

/** @param after the last entry seen: its number, or its id in the stream */
export async function* follow(
  http: Http,
  query: Query,
  after: number | string,
  { signal, silenceMs = usualSilenceMs }: StreamOptions = {},
): AsyncGenerator<Entry, void, undefined> {
  const { environment } = http.options;
  let last = after;
  let seen = Number.parseInt(String(after), 10);
  let failures = 0;
  while (!signal?.aborted) {
    const connection = new StreamConnection(environment, silenceMs, signal);
    const parser = new SseParser();
    let delayMs: number | undefined;
    try {
      for await (const text of connection.read(http, { ...query, after: last })) {
        for (const { id, data } of parser.feed(text)) {
          const entry = JSON.parse(data) as Entry;
          if (signal?.aborted) return;
          if (entry.seq <= seen) continue;
          seen = entry.seq;
          last = id;
          failures = 0;
          yield entry;
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      // The node would refuse again what it has refused as invalid; everything else is temporary.
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
      delayMs = retryDelay(failures, error, environment.random()) ?? longestWaitMs;
      failures += 1;
    } finally {
      connection.close();
    }
    await environment.wait(delayMs ?? parser.retryMs ?? usualPauseMs, signal).catch(() => {}); // rejects when aborted, which ends the loop
  }
}

/** One connection, which is cut when it is silent for too long. */
class StreamConnection {
  readonly #abort = new AbortController();
  readonly #stop = () => this.#abort.abort(this.signal?.reason);
  #heard = new AbortController();

  constructor(
    private readonly environment: ClientEnvironment,
    private readonly silenceMs: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    signal?.addEventListener('abort', this.#stop, { once: true });
  }

  async *read(http: Http, query: Query): AsyncGenerator<string, void, undefined> {
    this.#listen();
    const response = await http.open('/events/stream', query, { Accept: 'text/event-stream' }, this.#abort.signal);
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      this.#listen();
      const read = await reader?.read();
      // Nothing is read while the consumer is busy, and that time does not count as silence.
      this.#heard.abort();
      if (!read || read.done) return;
      yield decoder.decode(read.value, { stream: true });
    }
  }

  close(): void {
    this.signal?.removeEventListener('abort', this.#stop);
    this.#heard.abort();
    this.#abort.abort();
  }

  #listen(): void {
    this.#heard.abort();
    this.#heard = new AbortController();
    this.environment.wait(this.silenceMs, this.#heard.signal).then(
      () => this.#abort.abort(new DOMException('the stream fell silent', 'TimeoutError')),
      () => {}, // rejects when something has arrived in time
    );
  }
}
