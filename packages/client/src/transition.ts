/**
 * Operations that take more than one request (docs/reference/errors.md#handling-errors-in-a-client): waiting for a
 * state, and writing to a resource that others also change.
 */
import type { ClientEnvironment } from './environment.js';
import { ApiError, UnreachableError } from './errors.js';
import type { ReadOptions } from './http.js';
import { retryDelay } from './retry.js';

/**
 * The type of a view's state. A contract's `state` is that of its state machine; its `status` is the one that lists
 * filter by.
 */
export type StateOf<View> = View extends { readonly state: infer S }
  ? S
  : View extends { readonly status: infer S }
    ? S
    : string;

/** A state, one of several states, or a predicate of the view. */
export type Wanted<View> = StateOf<View> | readonly StateOf<View>[] | ((view: View) => boolean);

export interface WaitOptions {
  /** Rejects with the signal's reason when it aborts. */
  readonly signal?: AbortSignal;
  /** Time for all reads together; default 60 s. */
  readonly timeoutMs?: number;
}

/** The resource did not reach the wanted state in time. */
export class NotReachedError extends Error {
  override name = 'NotReachedError';

  constructor(
    what: string,
    timeoutMs: number,
    /** The view that was read last. */
    readonly view: unknown,
  ) {
    super(`${what} was still ${stateOf(view)} after ${timeoutMs} ms`);
  }
}

const usualPatienceMs = 60_000;
/** First pause between two reads. */
const firstPauseMs = 100;
const longestPauseMs = 2_000;

export interface Watched<View> {
  /** Name of the resource for the error message: `escrow esc-1`. */
  readonly what: string;
  read(options: ReadOptions): Promise<View>;
}

/** @throws NotReachedError, the reason of the signal, or the error of a read */
export async function waitFor<View>(
  environment: ClientEnvironment,
  { what, read }: Watched<View>,
  wanted: Wanted<View>,
  { signal, timeoutMs = usualPatienceMs }: WaitOptions = {},
): Promise<View> {
  const ended = new AbortController();
  const timer = new AbortController();
  const stop = () => ended.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  let view: View | undefined;
  const late = () => ended.abort(new NotReachedError(what, timeoutMs, view));
  environment.wait(timeoutMs, timer.signal).then(late, () => {}); // rejects when the state is reached in time
  try {
    for (let look = 0; ; look++) {
      view = await read({ signal: ended.signal });
      if (isAs(view, wanted)) return view;
      await environment.wait(Math.min(longestPauseMs, firstPauseMs * 2 ** look), ended.signal);
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    timer.abort();
  }
}

function isAs<View>(view: View, wanted: Wanted<View>): boolean {
  if (typeof wanted === 'function') return (wanted as (view: View) => boolean)(view);
  return ([wanted].flat() as unknown[]).includes(stateOf(view));
}

function stateOf(view: unknown): unknown {
  const { state, status } = (view ?? {}) as { readonly state?: unknown; readonly status?: unknown };
  return state ?? status ?? 'unread';
}

/** The most times that the resource is read again. */
const mostLooks = 5;

/** A view that states its version. */
export interface Versioned {
  readonly resourcePrev: string | null;
}

/**
 * Reads the resource and lets `step` write. If another client has changed the resource meanwhile, or the outcome of the
 * write is unknown, reads and calls `step` again. `step` returns undefined if nothing is left to do. Its write should
 * use the view as its target: then no two of its attempts can both be accepted.
 * @throws the error of the write, if the resource has not changed: then the request itself was refused
 */
export async function transition<View extends Versioned, T>(
  environment: ClientEnvironment,
  read: () => Promise<View>,
  step: (view: View) => Promise<T> | undefined,
): Promise<{ readonly view: View; readonly done: T | undefined }> {
  let refused: { readonly version: string | null; readonly error: unknown } | undefined;
  for (let look = 0; ; look++) {
    const view = await read();
    if (refused?.version === view.resourcePrev) throw refused.error;
    try {
      return { view, done: await step(view) };
    } catch (error) {
      const why = whyAgain(error);
      if (!why || look === mostLooks) throw error;
      refused = why === 'conflict' ? { version: view.resourcePrev, error } : undefined;
      const delayMs = retryDelay(look, error, environment.random());
      if (delayMs === undefined) throw error;
      await environment.wait(delayMs);
    }
  }
}

function whyAgain(error: unknown): 'conflict' | 'unknown' | undefined {
  if (error instanceof UnreachableError) return 'unknown';
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 409) return 'conflict';
  // A committed event is final even if settlement on chain fails.
  return error.status >= 500 && !error.problem?.committed ? 'unknown' : undefined;
}
