/** Counts what a load has done, and measures it for a time. */
import { pause, realEnvironment as world } from '../../../src/core/environment.js';
import { assert } from '../../../src/core/refusal.js';
import { percentile } from './report.js';

/** Time at the start of a measurement that is not measured, because connections are still filling up. */
const settlingMs = 300;

export interface Measured {
  readonly operations: number;
  readonly seconds: number;
  /** CPU time for one operation, µs: of the server with the other counted processes, and of this process. */
  readonly serverMicros: number;
  readonly ownMicros: number;
  /** Latency of a reply, ms: median and 99th percentile. */
  readonly latencyP50: number;
  readonly latencyP99: number;
}

export class Tally {
  isStopped = false;
  #done = 0;
  #latencies: number[] = [];

  add(sentAt: number): void {
    this.#done++;
    this.#latencies.push(world.monotonic() - sentAt);
  }

  /** Measures, then stops the load, whose requests in flight don't count. @param cpu of all servers so far, µs */
  async measure(seconds: number, cpu: () => number): Promise<Measured> {
    await pause(world, settlingMs);
    const before = { done: this.#done, at: world.monotonic(), cpu: cpu(), own: process.cpuUsage() };
    this.#latencies = [];
    await pause(world, seconds * 1_000);
    const operations = this.#done - before.done;
    assert(operations > 0, 'the server has answered within the time');
    const own = process.cpuUsage(before.own);
    this.isStopped = true;
    return {
      operations,
      seconds: (world.monotonic() - before.at) / 1_000,
      serverMicros: (cpu() - before.cpu) / operations,
      ownMicros: (own.user + own.system) / operations,
      latencyP50: percentile(this.#latencies, 0.5),
      latencyP99: percentile(this.#latencies, 0.99),
    };
  }
}
