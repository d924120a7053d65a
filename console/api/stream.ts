/**
 * Reads the event stream with fetch, because an EventSource cannot send a key. It resumes after the last event received, waits
 * longer after each failure, and reports the state of the connection.
 */
import type { Problem } from './problem.ts';
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

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Follows until the signal aborts, or until the node refuses in a way that a retry cannot change (no key, missing scope). */
export async function follow({ resource, after, signal, onEntry, onConnection }: Following): Promise<void> {
  let last = after;
  let waitMs = shortestWaitMs;
  while (!signal.aborted) {
    try {
      onConnection('connecting');
      const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(last) };
      const reply = await ask(withQuery('/api/v1/events/stream', { resource }), { signal, headers });
      onConnection('live');
      waitMs = shortestWaitMs;
      for await (const { id, data } of frames(reply)) {
        last = id ?? last;
        onEntry(JSON.parse(data) as Entry);
      }
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      onConnection('away', problem);
      if (problem.status === 401 || problem.status === 403) return;
    }
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

interface Frame {
  readonly id: number | undefined;
  readonly data: string;
}

async function* frames(reply: Response): AsyncGenerator<Frame> {
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return;
    text += part.value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = frameOf(block);
      if (frame) yield frame;
    }
  }
}

/** Undefined for comments, which the node sends only to keep the connection open. */
function frameOf(block: string): Frame | undefined {
  const lines = block.split('\n');
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = field('data');
  const id = field('id');
  return data === undefined ? undefined : { id: id === undefined ? undefined : Number(id), data };
}
