/**
 * Detects a thread whose event loop has stopped. The main thread watches the workers; a separate worker watches the
 * main thread and ends the process, because a hung main thread cannot.
 */
import { bounds } from '../../core/bounds.js';
import type { Environment, Timer } from '../../core/environment.js';
import { newPulse, pulseMs, type RunningThread, runningThreads, startThread } from '../../core/threads.js';
import { Silence } from './silence.js';
import type { WatchdogData } from './watchdog-thread.js';

export interface WatchdogOptions {
  readonly world: Environment;
  /** @default bounds.threadSilentMs */
  readonly silentMs?: number;
  readonly onSilent: (thread: RunningThread) => void;
}

export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #silence: Silence;
  readonly #own = newPulse();
  #timer: Timer | undefined;
  #silent: string | undefined;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#silence = new Silence(options.silentMs ?? bounds.threadSilentMs);
  }

  /** The name of a thread that does not answer. */
  get silent(): string | undefined {
    return this.#silent;
  }

  start(): void {
    const data: WatchdogData = { watched: this.#own, silentMs: this.#silence.silentMs };
    startThread(new URL('./watchdog-thread.js', import.meta.url), { name: 'watchdog', heap: 32, data }).unref();
    this.#look();
  }

  /** Stops watching all threads. */
  stop(): void {
    this.#timer?.cancel();
    Atomics.store(this.#own, 0, 0);
  }

  #look(): void {
    Atomics.add(this.#own, 0, 1);
    this.#timer = this.#options.world.after(pulseMs, () => this.#look());
    for (const thread of runningThreads().filter(({ pulse }) => this.#silence.look(pulse))) {
      // A call into native code may delay the thread's end: it is reported once.
      if (thread.isAside) Atomics.store(thread.pulse, 0, 0);
      else if (this.#silent !== undefined) continue;
      else this.#silent = thread.name;
      this.#options.onSilent(thread);
    }
  }
}
