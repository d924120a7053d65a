/**
 * Metrics of a server in Prometheus' text format, in their own registry (served at /metrics), and the node's activity
 * of the last minutes in memory, for operators without a metrics server. The label sets of a route are resolved once,
 * so that a request costs two additions.
 */
import { createHistogram } from 'node:perf_hooks';
import { type Counter, collectDefaultMetrics, Gauge, Histogram, Counter as PromCounter, Registry } from 'prom-client';
import type { ActivityPoint } from '../../../packages/client/src/wire.js';
import type { Environment, Timer } from '../../core/environment.js';

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30];

export interface RouteMeter {
  /** Pattern of the route. */
  readonly route: string;
  observe(status: number, seconds: number): void;
}

export interface MetricsOptions {
  /** Metrics of the process and the event loop; off in tests, because they cover the whole process. @default false */
  readonly process?: boolean;
}

type Labels = Readonly<Record<string, string>>;

const labelled = (label: string, values: Iterable<readonly [string, number]>): readonly (readonly [Labels, number])[] =>
  [...values].map(([value, number]) => [{ [label]: value }, number]);

const unlabelled = (number: number | undefined): readonly (readonly [Labels, number])[] =>
  number === undefined ? [] : [[{}, number]];

export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'route' | 'method' | 'status'>;
  readonly #latency: Histogram<'route' | 'method'>;
  /** Requests not answered yet. A plain number, because a gauge of prom-client costs a microsecond at each change. */
  inFlight = 0;
  #watcher: Pick<RouteMeter, 'observe'> | undefined;

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
      route,
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
  watch(meter: Pick<RouteMeter, 'observe'>): void {
    this.#watcher = meter;
  }

  /** A gauge whose value is read at each scrape: heights, queues, lags; it has no sample while that is undefined. */
  gauge(name: string, help: string, read: () => number | undefined): void {
    this.#readEach(Gauge, { name, help }, () => unlabelled(read()));
  }

  /** A counter kept elsewhere, read at each scrape. */
  total(name: string, help: string, read: () => number | undefined): void {
    this.#readEach(PromCounter, { name, help }, () => unlabelled(read()));
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
        // Without labels, there is a sample of 0 after `reset`.
        if (!options.labelNames) this.remove();
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

export interface ActivityOptions {
  readonly world: Environment;
  readonly height: () => number;
  readonly lag: () => number;
}

export const activityEveryMs = 5_000;
/** A quarter of an hour of points. */
export const activityPoints = 180;

export class Activity {
  readonly #points: ActivityPoint[] = [];
  /** Latencies of the period, in microseconds. */
  readonly #latencies = createHistogram();
  #failures = 0;
  #height = 0;
  #since = 0;
  #timer: Timer | undefined;

  constructor(private readonly options: ActivityOptions) {}

  answered(status: number, seconds: number): void {
    if (status >= 500) this.#failures += 1;
    this.#latencies.record(Math.max(1, Math.round(seconds * 1e6)));
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
      requests: rounded(this.#latencies.count / seconds),
      failures: rounded(this.#failures / seconds),
      entries: rounded((head - this.#height) / seconds),
      p50Ms: this.#percentile(50),
      p99Ms: this.#percentile(99),
      height: head,
      lag: lag(),
    });
    this.#since = now;
    this.#height = head;
    this.#failures = 0;
    this.#latencies.reset();
  }

  #percentile(percent: number): number | null {
    return this.#latencies.count === 0 ? null : rounded(this.#latencies.percentile(percent) / 1_000);
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
