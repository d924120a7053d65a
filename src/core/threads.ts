/** Starts worker threads with bounded memory and a heartbeat that the watchdog checks. */
import { Worker, workerData } from 'node:worker_threads';
import { realEnvironment } from './environment.js';

export const pulseMs = 1_000;

/** Counts up while the thread's event loop runs; 0 while the thread is not watched. */
export type Pulse = Int32Array<SharedArrayBuffer>;
export const newPulse = (): Pulse => new Int32Array(new SharedArrayBuffer(4));

export interface ThreadOptions {
  readonly name: string;
  /** Bound of the heap, MiB. Beyond it the thread ends, not the process. */
  readonly heap: number;
  /** Bound of V8's young generation, MiB. The default of 48 delays garbage collection. */
  readonly young?: number;
  /** Set if no request depends on the thread: if it hangs, the thread is ended and the process continues. */
  readonly isAside?: boolean;
  readonly data?: object;
}

export interface RunningThread {
  readonly name: string;
  readonly isAside: boolean;
  readonly pulse: Pulse;
  /** Resolves when the thread has ended; a call into native code delays that. */
  end(): Promise<void>;
}

const running = new Set<RunningThread>();

export const runningThreads = (): readonly RunningThread[] => [...running];

export function startThread(script: URL, { name, heap, young, isAside = false, data }: ThreadOptions): Worker {
  const pulse = newPulse();
  const worker = new Worker(script, {
    ...{ name, workerData: { ...data, pulse } },
    // Drops this process's flags: some (--input-type) keep a thread from starting from a file.
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: heap,
      ...(young === undefined ? {} : { maxYoungGenerationSizeMb: young }),
    },
  });
  const thread: RunningThread = {
    ...{ name, isAside, pulse },
    end: async () => void (await worker.terminate()),
  };
  running.add(thread);
  worker.once('exit', () => running.delete(thread));
  return worker;
}

const ownPulse = (): Pulse | undefined => (workerData as { pulse?: Pulse } | null)?.pulse;

/** Call inside the thread: from now on the watchdog watches it. */
export function showPulse(pulse = ownPulse()): void {
  if (!pulse) return;
  Atomics.add(pulse, 0, 1);
  realEnvironment.after(pulseMs, () => showPulse(pulse));
}

/** Call between the steps of long synchronous work, to show that the thread is alive. */
export function beat(pulse = ownPulse()): void {
  if (pulse && Atomics.load(pulse, 0) !== 0) Atomics.add(pulse, 0, 1);
}

/** Suspends the watchdog for work that may take long, such as copying or checking a database. */
export function unwatched<T>(work: () => T): T {
  const pulse = ownPulse();
  const beats = pulse ? Atomics.exchange(pulse, 0, 0) : 0;
  try {
    return work();
  } finally {
    if (pulse) Atomics.store(pulse, 0, beats);
  }
}
