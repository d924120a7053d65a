/** The load generator: a separate process, so that its cost is not counted as the server's. */
import { Client } from '../../packages/client/src/client.js';
import { ApiError } from '../../packages/client/src/errors.js';
import { realEnvironment } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { answerParent, cpuMicros } from './child.js';
import { type Answer, Line } from './line.js';
import type { Person } from './people.js';
import { Payers, type Plan, type Traffic } from './traffic.js';

/** Time at the start of a measurement that is not measured, because connections are still filling up. */
const settlingMs = 300;

export interface Door {
  readonly url: string;
  readonly pid: number;
}

/** `sticky`: a connection always uses the same process; `random`: each request draws one. */
export type Spread = 'sticky' | 'random';

export interface Site extends Door {
  /** Other processes whose CPU time is counted with the server's, such as a chain. */
  readonly others?: readonly number[];
  /** Other processes that serve the same API: each load line has a connection to each. */
  readonly doors?: readonly Door[];
  /** How the requests of a line choose among the processes. @default sticky */
  readonly spread?: Spread;
  readonly people: readonly Person[];
}

export type LoadQuestion = {
  readonly ask: 'load';
  readonly site: Site;
  readonly plan: Plan;
  readonly seconds: number;
  /** Connections. @default 64 */
  readonly lines?: number;
};

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

/** Payers by server, because the nonces continue over several measurements. */
const payers = new Map<string, Promise<Payers>>();

async function openPayers({ url, people }: Site): Promise<Payers> {
  const nonces = await Promise.all(people.map(({ did }) => nonceOf(url, did)));
  return new Payers(new URL(url).host, people, nonces);
}

/** Nonce of the DID's last event; the reference server has no nonces. */
async function nonceOf(url: string, did: string): Promise<number> {
  try {
    return (await new Client({ url }).wallets.get(did)).nonce;
  } catch (error) {
    if (error instanceof ApiError) return 0;
    throw error;
  }
}

/** Connections of one caller, which uses one at a time. */
class Lines {
  private constructor(
    private readonly all: readonly { readonly line: Line; readonly host: string }[],
    private readonly own: number | undefined,
  ) {}

  static async open({ url, doors = [], spread = 'sticky' }: Site, index: number): Promise<Lines> {
    const targets = [url, ...doors.map((door) => door.url)].map((each) => new URL(each));
    const all = await Promise.all(
      targets.map(async ({ host, port }) => ({ line: await Line.open(Number(port)), host: `Host: ${host}\r\n` })),
    );
    return new Lines(all, spread === 'sticky' ? index % all.length : undefined);
  }

  /** @param text for the first of them; each answers under its own name only */
  send(text: string, heard: (answer: Answer) => void): void {
    const { line, host } = this.all[this.own ?? (realEnvironment.random(1)[0] ?? 0) % this.all.length]!;
    line.send(text.replace(this.all[0]!.host, host), heard);
  }

  close(): void {
    for (const { line } of this.all) line.close();
  }
}

class Run {
  done = 0;
  latencies: number[] = [];
  #stopped = false;
  #busy = 0;
  #idle: (() => void) | undefined;

  constructor(
    private readonly lines: readonly Lines[],
    private readonly traffic: Traffic,
  ) {}

  start(): void {
    for (const index of this.lines.keys()) {
      this.#busy++;
      this.#next(index);
    }
  }

  /** Waits for the replies of requests in flight. */
  stop(): Promise<void> {
    this.#stopped = true;
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }

  #next(index: number): void {
    if (this.#stopped) {
      if (--this.#busy === 0) this.#idle?.();
      return;
    }
    const text = this.traffic(index);
    const sentAt = realEnvironment.monotonic();
    this.lines[index]!.send(text, ({ status, body }) => {
      assert(status < 300, `the server answered ${status} ${body} to ${text}`);
      this.done++;
      this.latencies.push(realEnvironment.monotonic() - sentAt);
      this.#next(index);
    });
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function load({ site, plan, seconds, lines: number = 64 }: LoadQuestion): Promise<Measured> {
  const opening = payers.get(site.url) ?? openPayers(site);
  payers.set(site.url, opening);
  const traffic = (await opening).traffic(plan);
  const lines = await Promise.all(Array.from({ length: number }, (_, index) => Lines.open(site, index)));
  const run = new Run(lines, traffic);
  run.start();
  await pause(settlingMs);
  const pids = [site, ...(site.doors ?? [])].map(({ pid }) => pid).concat(site.others ?? []);
  const cpuOfAll = () => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0);
  const before = { done: run.done, at: realEnvironment.monotonic(), cpu: cpuOfAll(), own: process.cpuUsage() };
  run.latencies = [];
  await pause(seconds * 1_000);
  const operations = run.done - before.done;
  const took = (realEnvironment.monotonic() - before.at) / 1_000;
  const cpu = cpuOfAll() - before.cpu;
  const own = process.cpuUsage(before.own);
  // Requests still in flight do not count for this measurement.
  const latencies = [...run.latencies].sort((a, b) => a - b);
  await run.stop();
  for (const line of lines) line.close();
  return {
    operations,
    seconds: took,
    serverMicros: cpu / operations,
    ownMicros: (own.user + own.system) / operations,
    latencyP50: latencies[latencies.length >> 1]!,
    latencyP99: latencies[Math.floor(latencies.length * 0.99)]!,
  };
}

answerParent((question: LoadQuestion) => load(question));
process.once('SIGTERM', () => process.exit(0));
