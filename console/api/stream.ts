/**
 * Reads the event stream with fetch, because an EventSource cannot send a key. It resumes after the last event received, waits
 * longer after each failure, takes silence for a broken connection, and reports the state of the connection.
 */
import { type SseMessage, SseParser } from '../../packages/client/src/sse.ts';
import { type Problem, unreachable } from './problem.ts';
import { ask, asProblem, withQuery } from './read.ts';
import type { Entry } from './types.ts';

export type ConnectionState = 'connecting' | 'live' | 'away';

export interface Following {
  /** `<kind>/<id>`: follow only the entries of this resource. */
  readonly resource?: string | undefined;
  /** Number of the last entry that the caller already has. */
  readonly after: number;
  readonly signal: AbortSignal;
  onEntry(entry: Entry): void;
  onConnection(standing: ConnectionState, problem?: Problem): void;
}

const shortestWaitMs = 1_000;
const longestWaitMs = 15_000;
const longestSilenceMs = 45_000;

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Follows until the signal aborts, or until the node refuses in a way that a retry cannot change: no key, missing scope, or 409,
 * because an older backup was restored whose journal does not have the last entry. The page then has to be loaded again.
 */
export async function follow({ resource, after, signal, onEntry, onConnection }: Following): Promise<void> {
  let last = String(after);
  let waitMs = shortestWaitMs;
  while (!signal.aborted) {
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(unreachable()), longestSilenceMs);
    };
    try {
      onConnection('connecting');
      heard();
      const reply = await ask(withQuery('/api/v1/events/stream', { resource }), {
        signal: AbortSignal.any([signal, silence.signal]),
        headers: { Accept: 'text/event-stream', 'Last-Event-ID': last },
      });
      onConnection('live');
      waitMs = shortestWaitMs;
      for await (const { id, data } of messages(reply, heard)) {
        last = id;
        onEntry(JSON.parse(data) as Entry);
      }
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      onConnection('away', problem);
      if ([401, 403, 409].includes(problem.status)) return;
    } finally {
      clearTimeout(timer);
    }
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

/** The messages of one connection, and `heard` at each sign of life: the node sends a heartbeat every 15 s. */
async function* messages(reply: Response, heard: () => void): AsyncGenerator<SseMessage> {
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new SseParser();
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return;
    heard();
    yield* parser.feed(part.value);
  }
}
