/**
 * When to retry a peer that could not be reached, or was lost: after random delays whose bound doubles up to a maximum,
 * so that many followers of one home do not return at the same moment.
 */
import { peerBounds } from '../../core/bounds.js';
import { type Environment, pauseUnless } from '../../core/environment.js';

export class Reconnection {
  #ceilingMs: number = peerBounds.reconnectFirstMs;
  /** Monotonic ms; undefined while there is no connection. */
  #connectedAt: number | undefined;
  /** Ends the current pause. */
  #wake: (() => void) | undefined;

  constructor(private readonly world: Environment) {}

  connected(): void {
    this.#connectedAt = this.world.monotonic();
  }

  /**
   * Records a failed attempt, or a lost connection. @returns the delay before the next attempt, ms: from half the bound
   * to all of it
   */
  lost(): number {
    const { reconnectFirstMs, reconnectLongestMs, reconnectStableMs } = peerBounds;
    const lastedMs = this.#connectedAt === undefined ? 0 : this.world.monotonic() - this.#connectedAt;
    this.#connectedAt = undefined;
    if (lastedMs >= reconnectStableMs) this.#ceilingMs = reconnectFirstMs;
    const ceilingMs = this.#ceilingMs;
    this.#ceilingMs = Math.min(2 * ceilingMs, reconnectLongestMs);
    const [high = 0, low = 0] = this.world.random(2);
    return (ceilingMs / 2) * (1 + (high * 256 + low) / 65_536);
  }

  /** Resolves after the delay of `lost`, or at once when the signal aborts or `wake` is called. */
  async pause(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const end = () => over.abort();
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    this.#wake = end;
    await pauseUnless(over.signal, this.world, this.lost());
    this.#wake = undefined;
    signal.removeEventListener('abort', end);
  }

  /** Ends a pause: there is reason to believe that the peer can be reached again. */
  wake(): void {
    this.#wake?.();
  }
}
