/**
 * The outage policy of a start and a stop. A start waits for its database without a limit and answers 503 meanwhile
 * (http/server/starting-server.ts); a wrong configuration ends it at once. A stop does not wait for the database.
 */
import { bounds } from '../core/bounds.js';
import { type Environment, pause, type Timer } from '../core/environment.js';
import { RefusedError } from '../core/refusal.js';
import { Metrics } from '../http/server/metrics.js';
import { StartingServer } from '../http/server/starting-server.js';
import { type SharedStore, StoreAway } from '../store/store.js';
import type { NodeOptions, RunningNode } from './dependencies.js';

/** The reason shown to callers: only the log names the database's address. */
const publicReason = 'the start waits for its database, which does not answer';
const firstPauseMs = 250;
const longestPauseMs = 2_000;

/** @param open tries to open the node; it calls `releasePort` before it listens on the port itself */
export async function openWhenAvailable(
  { config, world, log, onWaiting }: NodeOptions,
  open: (releasePort: () => Promise<void>) => Promise<RunningNode>,
): Promise<RunningNode> {
  const meanwhile = new StartingServer([config, world, log, new Metrics()]);
  // An error is ignored here, because the node reports the same one when it listens.
  const late = world.after(bounds.quietStartMs, () => void meanwhile.open().catch(() => {}));
  const releasePort = () => {
    late.cancel();
    return meanwhile.close();
  };
  let reported = '';
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const why = await open(releasePort).catch(whyAway);
      if (typeof why !== 'string') return why;
      const { listenUrl } = await meanwhile.open(publicReason);
      if (why !== reported) log.warn({ reason: why, url: listenUrl }, 'the start waits for its database');
      if (reported === '') onWaiting?.(why, listenUrl);
      reported = why;
      await pause(world, pauseMs);
    }
  } finally {
    await releasePort();
  }
}

/** The reason of an outage; any other error is thrown on. */
function whyAway(error: unknown): string {
  if (error instanceof StoreAway) return error.message;
  if (error instanceof RefusedError && error.refusal.code === 'SERVICE_UNAVAILABLE') return error.refusal.detail;
  throw error;
}

/** Interval of the outage check while a node stops. */
const closingLookMs = 100;

/** Ends all waits for the database once its outage exceeds `bounds.storeAwayMs`, because they would delay the stop. */
export function giveUpWhenAway(shared: SharedStore, world: Environment): Timer {
  const look = () => {
    if ((shared.awayForMs ?? 0) > bounds.storeAwayMs) shared.giveUp();
    else timer = world.after(closingLookMs, look);
  };
  let timer = world.after(0, look);
  return { cancel: () => timer.cancel() };
}
