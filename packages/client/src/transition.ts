/**
 * What takes more than one request (docs/reference/errors.md#handling-errors-in-a-client): to wait for a state, and to
 * act on a resource that others change, too.
 */
import type { ClientEnvironment } from './environment.js';
import { ApiError, UnreachableError } from './errors.js';
import type { ReadOptions } from './http.js';
import { delayOf } from './retry.js';

/** The word of a view's state: a contract's `status` is the list filter's word, its `state` that of the state machine. */
export type StateOf<View> = View extends { readonly state: infer S }
  ? S
  : View extends { readonly status: infer S }
    ? S
    : string;

/** A state, any of some, or what the view must be like. */
export type Wanted<View> = StateOf<View> | readonly StateOf<View>[] | ((view: View) => boolean);

export interface WaitOptions {
  /** Ends the waiting with its reason. */
  readonly signal?: AbortSignal;
  /** In all; default 60 s. */
  readonly timeoutMs?: number;
}

/** The time was up before the resource was as wanted. */
export class NotReachedError extends Error {
  override name = 'NotReachedError';

  constructor(
    what: string,
    timeoutMs: number,
    /** As it was read last. */
    readonly view: unknown,
  ) {
    super(`${what} was still ${stateOf(view)} after ${timeoutMs} ms`);
  }
}

const usualPatienceMs = 60_000;
/** Between two looks. */
const firstPauseMs = 100;
const longestPauseMs = 2_000;

export interface Watched<View> {
  /** `escrow esc-1`, for the sentence that says what was not reached. */
  readonly what: string;
  read(options: ReadOptions): Promise<View>;
}

/** @throws NotReachedError, the reason of the signal, or what reading fails with */
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
  environment.wait(timeoutMs, timer.signal).then(late, () => {}); // reached in time
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

/** Looks at a resource again after so many failures. */
const mostLooks = 5;

/** A view that names its version. */
export interface Versioned {
  readonly resourcePrev: string | null;
}

/**
 * Reads the resource, has `step` act on what it is now, and where the write met a change by another client, or its
 * outcome is unknown, reads and asks `step` again. `step` gives undefined where nothing is left to do. Its write
 * should name the view as its target: then two of its attempts can't both be accepted.
 * @throws what the write failed with, where the resource is as it was: then it was the request that was refused
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
      const delayMs = delayOf(look, error, environment.random());
      if (delayMs === undefined) throw error;
      await environment.wait(delayMs);
    }
  }
}

function whyAgain(error: unknown): 'conflict' | 'unknown' | undefined {
  if (error instanceof UnreachableError) return 'unknown';
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 409) return 'conflict';
  // A committed event stands, whatever the chain made of it.
  return error.status >= 500 && !error.problem?.committed ? 'unknown' : undefined;
}
