/** Server-sent events as a browser reads them. */
import http from 'node:http';
import { expect } from 'chai';
import type { Body, Headers } from './client.js';

export interface StreamedEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Body;
}

export class EventStream {
  readonly #request: http.ClientRequest;
  readonly #arrived: StreamedEvent[] = [];
  #wake: () => void = () => {};
  #ended = false;
  #rest = '';
  /** Comments and `retry:` lines in order. */
  readonly notes: string[] = [];

  private constructor(
    request: http.ClientRequest,
    readonly response: http.IncomingMessage,
  ) {
    this.#request = request;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    for (const end of ['end', 'close', 'error']) {
      response.on(end, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  static open(url: string, headers: Headers = {}): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const request = http.get(url, { headers: { Accept: 'text/event-stream', ...headers }, agent: false }, (answer) =>
        resolve(new EventStream(request, answer)),
      );
      request.on('error', reject);
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The next events. Rejects if the stream ends or is silent before that. */
  async take(count: number, withinMs = 120_000): Promise<StreamedEvent[]> {
    const until = Date.now() + withinMs;
    while (this.#arrived.length < count) {
      if (this.#ended) expect.fail(`the stream ended after ${this.#arrived.length} of ${count} events`);
      if (Date.now() > until) expect.fail(`${this.#arrived.length} of ${count} events came in ${withinMs} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#arrived.splice(0, count);
  }

  close(): void {
    this.#request.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map<string, string>();
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        if (colon <= 0 || line.startsWith('retry')) this.notes.push(line);
        else fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
      }
      const data = fields.get('data');
      if (data !== undefined)
        this.#arrived.push({ id: fields.get('id'), event: fields.get('event'), data: JSON.parse(data) });
    }
    this.#wake();
  }
}
