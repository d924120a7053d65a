/**
 * Metrics in Prometheus' text format, in a registry of our own (served at /metrics). A route's labelled metrics are
 * resolved once, so that a request costs two additions.
 */
import { type Counter, collectDefaultMetrics, Gauge, Histogram, Counter as PromCounter, Registry } from 'prom-client';

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30];

/** Counts the requests of one route. */
export interface RouteMeter {
  observe(status: number, seconds: number): void;
}

export interface MetricsOptions {
  /** Metrics of the process and the event loop; off in tests, because they cover the whole process. @default false */
  readonly process?: boolean;
}

export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'route' | 'method' | 'status'>;
  readonly #latency: Histogram<'route' | 'method'>;
  /** Requests not yet answered; a plain number, as a gauge of prom-client costs a microsecond each time. */
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
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** A counter kept elsewhere, read at each scrape. */
  total(name: string, help: string, read: () => number): void {
    new PromCounter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** Gauges by one label, read at each scrape. */
  gauges(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, number] of read()) this.set({ [label]: value }, number);
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
