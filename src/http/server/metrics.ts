/**
 * Metrics of a server in Prometheus' text format, in their own registry (served at /metrics), and the node's activity
 * of the last minutes in memory, for operators without a metrics server. The label sets of a route are resolved once,
 * so that a request costs two additions.
 */
import { type Counter, collectDefaultMetrics, Gauge, Histogram, Counter as PromCounter, Registry } from 'prom-client';
import type { Environment, Timer } from '../../core/environment.js';

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30];

/** Records the requests of one route. */
export interface RouteMeter {
  observe(status: number, seconds: number): void;
}

export interface MetricsOptions {
  /** Metrics of the process and the event loop; off in tests, because they cover the whole process. @default false */
  readonly process?: boolean;
}

type Labels = Readonly<Record<string, string>>;

const labelled = (label: string, values: Iterable<readonly [string, number]>): readonly (readonly [Labels, number])[] =>
  [...values].map(([value, number]) => [{ [label]: value }, number]);

export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'route' | 'method' | 'status'>;
  readonly #latency: Histogram<'route' | 'method'>;
  /** Requests not answered yet. A plain number, because a gauge of prom-client costs a microsecond at each change. */
  inFlight = 0;
  #watcher: RouteMeter | undefined;

  constructor({ process = false }: MetricsOptions = {}) {
    const registers = [this.registry];
    this.#requests = new PromCounter({
      name: 'svc_http_requests_total',
      help: 'Requests answered, by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      registers,
    });
    this.#latency = new Histogram({
      name: 'svc_http_request_duration_seconds',
      help: 'Time from the head of the request to the answer.',
      labelNames: ['route', 'method'],
      buckets: latencyBuckets,
      registers,
    });
    this.gauge('svc_http_requests_in_flight', 'Requests not yet answered.', () => this.inFlight);
    if (process) collectDefaultMetrics({ register: this.registry });
  }

  /** @param route its pattern, never the path of a request: labels must stay few */
  route(method: string, route: string): RouteMeter {
    const latency = this.#latency.labels({ route, method });
    const byStatus = new Map<number, Counter.Internal>();
    return {
      observe: (status, seconds) => {
        let requests = byStatus.get(status);
        if (!requests) {
          requests = this.#requests.labels({ route, method, status: String(status) });
          byStatus.set(status, requests);
        }
        requests.inc();
        latency.observe(seconds);
        this.#watcher?.observe(status, seconds);
      },
    };
  }

  /** Counts the requests of all routes as well. */
  watch(meter: RouteMeter): void {
    this.#watcher = meter;
  }

  /** A gauge whose value is read at each scrape: heights, queues, lags. */
  gauge(name: string, help: string, read: () => number): void {
    this.#readEach(Gauge, { name, help }, () => [[{}, read()]]);
  }

  /** A counter kept elsewhere, read at each scrape. */
  total(name: string, help: string, read: () => number): void {
    this.#readEach(PromCounter, { name, help }, () => [[{}, read()]]);
  }

  /** Gauges by one label, read at each scrape. */
  gauges(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void {
    this.#readEach(Gauge, { name, help, labelNames: [label] }, () => labelled(label, read()));
  }

  /** Counters kept elsewhere by one label, read at each scrape. */
  totals(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void {
    this.#readEach(PromCounter, { name, help, labelNames: [label] }, () => labelled(label, read()));
  }

  #readEach(
    Kind: typeof Gauge | typeof PromCounter,
    options: { readonly name: string; readonly help: string; readonly labelNames?: string[] },
    read: () => Iterable<readonly [Labels, number]>,
  ): void {
    new Kind({
      ...options,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [labels, number] of read()) this.inc(labels, number);
      },
    });
  }

  counter(name: string, help: string): { inc(by?: number): void } {
    return new PromCounter({ name, help, registers: [this.registry] });
  }

  /** @returns a function that records a duration in seconds */
  histogram(name: string, help: string): { observe(seconds: number): void } {
    return new Histogram({ name, help, buckets: latencyBuckets, registers: [this.registry] });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}

export interface ActivityPoint {
  /** End of the period, epoch milliseconds. */
  readonly measuredAt: number;
  /** Replies per second. */
  readonly requests: number;
  /** Replies per second with a status of 500 and above. */
  readonly failures: number;
  /** Entries committed per second. */
  readonly entries: number;
  /** Time from the head of a request to its reply, milliseconds; null without any reply. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Number of the newest entry. */
  readonly height: number;
  /** Operations committed and not yet settled. */
  readonly lag: number;
}

export interface ActivityOptions {
  readonly world: Environment;
  readonly height: () => number;
  readonly lag: () => number;
}

export const activityEveryMs = 5_000;
/** A quarter of an hour of points. */
export const activityPoints = 180;

/** Histogram buckets per octave, from `leastMs` on: a quantile is off by 9 % at most. */
const perOctave = 8;
const leastMs = 0.05;
const octaves = 21;

export class Activity {
  readonly #points: ActivityPoint[] = [];
  readonly #buckets = new Uint32Array(perOctave * octaves);
  #answers = 0;
  #failures = 0;
  #height = 0;
  #since = 0;
  #timer: Timer | undefined;

  constructor(private readonly options: ActivityOptions) {}

  /** Runs on every request: one logarithm, three additions. */
  answered(status: number, seconds: number): void {
    this.#answers += 1;
    if (status >= 500) this.#failures += 1;
    const bucket = Math.floor(perOctave * Math.log2((seconds * 1_000) / leastMs));
    this.#buckets[Math.min(Math.max(0, bucket), this.#buckets.length - 1)]! += 1;
  }

  /** Oldest first. */
  get points(): readonly ActivityPoint[] {
    return this.#points;
  }

  start(): void {
    this.#height = this.options.height();
    this.#since = this.options.world.monotonic();
    this.#wait();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #wait(): void {
    this.#timer = this.options.world.after(activityEveryMs, () => {
      this.#note();
      this.#wait();
    });
  }

  #note(): void {
    const { world, height, lag } = this.options;
    const now = world.monotonic();
    const seconds = Math.max(now - this.#since, 1) / 1_000;
    const head = height();
    if (this.#points.length === activityPoints) this.#points.shift();
    this.#points.push({
      measuredAt: world.now(),
      requests: rounded(this.#answers / seconds),
      failures: rounded(this.#failures / seconds),
      entries: rounded((head - this.#height) / seconds),
      p50Ms: this.#quantile(0.5),
      p99Ms: this.#quantile(0.99),
      height: head,
      lag: lag(),
    });
    this.#since = now;
    this.#height = head;
    this.#answers = 0;
    this.#failures = 0;
    this.#buckets.fill(0);
  }

  /** The middle of the histogram bucket that contains the quantile. */
  #quantile(share: number): number | null {
    if (this.#answers === 0) return null;
    let left = Math.ceil(this.#answers * share);
    const bucket = this.#buckets.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return rounded(leastMs * 2 ** ((bucket + 0.5) / perOctave));
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
