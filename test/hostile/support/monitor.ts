/**
 * Measures what ordinary clients notice: a worker thread requests /healthz twenty times a second and reads the process's
 * resident memory. The worker has its own event loop, so a busy test does not count as a slow node; and time in which the node
 * had no processor is subtracted.
 */
import http from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { residentMb } from '../../support/resident-memory.js';
import { waitedMs } from '../../support/scheduling.js';

export interface Observed {
  readonly probes: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly startMb: number;
  readonly peakMb: number;
}

interface Watched {
  readonly url: string;
  readonly pid: number;
}

const everyMs = 50;

export class Monitor {
  readonly #worker: Worker;

  constructor(watched: Watched) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: watched });
    // A test that fails before it stops the monitor can still end.
    this.#worker.unref();
  }

  stop(): Promise<Observed> {
    return new Promise((resolve, reject) => {
      this.#worker.once('message', resolve).once('error', reject);
      this.#worker.postMessage('stop');
    });
  }
}

function observe({ url, pid }: Watched): void {
  const delays: number[] = [];
  let failures = 0;
  const startMb = residentMb(pid);
  let peakMb = startMb;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const probe = () => {
    const [from, waitedFrom] = [performance.now(), waitedMs(pid)];
    const over = (ok: boolean) => {
      delays.push(Math.max(0, performance.now() - from - (waitedMs(pid) - waitedFrom)));
      if (!ok) failures++;
    };
    const ask = () => {
      const request = http
        .get(`${url}/healthz`, { agent, timeout: 30_000 }, (answer) => {
          answer.resume().on('end', () => over(answer.statusCode === 200));
        })
        // The node may close an idle connection just as it is used again, also while this process is paused.
        .on('error', () => (request.reusedSocket ? ask() : over(false)));
    };
    ask();
    peakMb = Math.max(peakMb, residentMb(pid));
  };
  const timer = setInterval(probe, everyMs);
  parentPort!.once('message', () => {
    clearInterval(timer);
    agent.destroy();
    delays.sort((a, b) => a - b);
    const at = (share: number) => Math.round((delays[Math.floor(delays.length * share)] ?? 0) * 10) / 10;
    const maxMs = Math.round(delays.at(-1) ?? 0);
    const mb = { startMb: Math.round(startMb), peakMb: Math.round(peakMb) };
    parentPort!.postMessage({ probes: delays.length, failures, p50Ms: at(0.5), p99Ms: at(0.99), maxMs, ...mb });
  });
}

if (!isMainThread && workerData?.pid) observe(workerData as Watched);
