/**
 * HTTP requests to a remote node. If the node asks to retry later (429, 503), waits as long as it asks and repeats the
 * request, which it has refused before doing anything.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Body } from '../../packages/model/src/scenario.js';
import type { Reply } from './driver.js';

/**
 * The walk cannot continue, because the node is unreachable or rejects it. The message is for the person who started
 * it.
 */
export class Stuck extends Error {
  override name = 'Stuck';
}

export interface Waits {
  count: number;
  seconds: number;
}

/** The walk ends if the node asks for a longer wait. */
const longestWaitSeconds = 300;
/** How often one request is repeated. */
const mostRepeats = 20;
const requestMs = 60_000;

export class Wire {
  readonly waits: Waits = { count: 0, seconds: 0 };

  constructor(
    readonly url: string,
    private readonly key: string | undefined,
    private readonly wait: (seconds: number) => Promise<unknown> = (seconds) => pause(seconds * 1000),
  ) {}

  /** Requests to the same node with another key; waits are counted together. */
  keyed(key: string): Wire {
    const other = new Wire(this.url, key, this.wait);
    return Object.assign(other, { waits: this.waits });
  }

  get(path: string): Promise<Reply> {
    return this.#send('GET', path);
  }

  post(path: string, body: Body): Promise<Reply> {
    return this.#send('POST', path, body);
  }

  async #send(method: string, path: string, body?: Body): Promise<Reply> {
    for (let repeats = 0; ; repeats++) {
      const reply = await this.#once(method, path, body);
      if (reply.status !== 429 && reply.status !== 503) return reply;
      const seconds = Number(reply.headers['retry-after'] ?? 1);
      const asked = `${method} ${path}: ${reply.status}, ${reply.body?.detail ?? ''}`;
      if (!(seconds <= longestWaitSeconds)) throw new Stuck(`${asked} (Retry-After: ${seconds} s)`);
      if (repeats === mostRepeats) throw new Stuck(`${asked}, ${mostRepeats} times`);
      this.waits.count += 1;
      this.waits.seconds += seconds;
      await this.wait(seconds);
    }
  }

  async #once(method: string, path: string, body?: Body): Promise<Reply> {
    try {
      const response = await fetch(this.url + path, {
        method,
        headers: {
          ...(this.key === undefined ? {} : { 'X-Api-Key': this.key }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestMs),
      });
      const text = await response.text();
      return { status: response.status, headers: Object.fromEntries(response.headers), text, body: parsed(text) };
    } catch (error) {
      const { message, cause } = error as Error;
      throw new Stuck(`${method} ${this.url}${path}: ${(cause as Error | undefined)?.message ?? message}`);
    }
  }
}

/** Undefined if the text is not JSON. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    // The caller has the text, and finds no member in the body.
    return undefined;
  }
}
