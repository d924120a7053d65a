/** The newest requests in memory, for operators: no query, no body, no key. */
import type { LoggedRequest, Queries, Replies } from '../../../packages/client/src/wire.js';
import { bounds } from '../../core/bounds.js';

export class RequestLog {
  /** Each at its number, modulo the size. */
  readonly #kept: Omit<LoggedRequest, 'number'>[] = [];
  #last = 0;

  add(request: Omit<LoggedRequest, 'number'>): void {
    this.#last += 1;
    this.#kept[this.#last % bounds.requestsLogged] = request;
  }

  /** Newest first. */
  page({
    limit = 50,
    before = this.#last + 1,
    method,
    route,
    caller,
    minStatus = 0,
    code,
    minMs = 0,
  }: Queries['listRequests']): Replies['listRequests'] {
    const oldest = Math.max(1, this.#last - bounds.requestsLogged + 1);
    const requests: LoggedRequest[] = [];
    for (let number = Math.min(before - 1, this.#last); number >= oldest; number--) {
      const each = this.#kept[number % bounds.requestsLogged]!;
      const isAsked =
        (method === undefined || each.method === method) &&
        (route === undefined || each.route === route) &&
        (caller === undefined || each.caller === caller) &&
        each.status >= minStatus &&
        (code === undefined || each.code === code) &&
        each.ms >= minMs;
      if (!isAsked) continue;
      if (requests.length === limit) return { requests, next: requests.at(-1)!.number };
      requests.push({ ...each, number });
    }
    return { requests, next: null };
  }
}
