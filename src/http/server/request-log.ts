/** The newest requests in memory, for operators: no query, no body, no key. */
import { bounds } from '../../core/bounds.js';

export interface LoggedRequest {
  /** Number of the request since the start of the process, from 1. */
  readonly number: number;
  readonly requestId: string;
  readonly answeredAt: number;
  readonly method: string;
  /** Pattern of the route: `(none)` if there is no such route. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Id of the API key, or the address; empty if the request was refused before that was known. */
  readonly caller: string;
}

export interface RequestFilter {
  readonly method?: string;
  readonly route?: string;
  readonly caller?: string;
  readonly minStatus?: number;
  readonly minMs?: number;
  readonly before?: number;
  readonly limit?: number;
}

export class RequestLog {
  readonly #kept: LoggedRequest[] = [];
  #last = 0;

  add(request: Omit<LoggedRequest, 'number'>): void {
    this.#last += 1;
    this.#kept[this.#last % bounds.requestsLogged] = { ...request, number: this.#last };
  }

  /** Newest first. */
  page({ limit = 50, before = this.#last + 1, ...filter }: RequestFilter): {
    readonly requests: readonly LoggedRequest[];
    readonly next: number | null;
  } {
    const { method, route, caller, minStatus = 0, minMs = 0 } = filter;
    const oldest = Math.max(1, this.#last - bounds.requestsLogged + 1);
    const requests: LoggedRequest[] = [];
    for (let number = Math.min(before - 1, this.#last); number >= oldest; number--) {
      const each = this.#kept[number % bounds.requestsLogged]!;
      const isAsked =
        (method === undefined || each.method === method) &&
        (route === undefined || each.route === route) &&
        (caller === undefined || each.caller === caller) &&
        each.status >= minStatus &&
        each.ms >= minMs;
      if (!isAsked) continue;
      if (requests.length === limit) return { requests, next: requests.at(-1)!.number };
      requests.push(each);
    }
    return { requests, next: null };
  }
}
