/** One delivery over HTTP: to one address, without redirects and proxies, within one time limit, its reply's body dropped. */
import http from 'node:http';
import https from 'node:https';
import type { World } from '../world.js';
import { type Resolve, type Target, type TargetRules, targetOf } from './target.js';

export interface PosterOptions extends TargetRules {
  readonly world: World;
  readonly resolve: Resolve;
  /** From the look-up of the name to the status, ms. */
  readonly totalMs: number;
  /** Read of a reply's body, then dropped. */
  readonly replyBytes: number;
  /** For tests: who is trusted beside the usual authorities, PEM. */
  readonly ca?: string | undefined;
}

export interface Outcome {
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** Why it has failed, in a few words; null for a 2xx. */
  readonly error: string | null;
  readonly durationMs: number;
  /** What a 429 or 503 asks for, ms. */
  readonly retryAfterMs: number | null;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

export class Poster {
  constructor(private readonly options: PosterOptions) {}

  /** Never rejects. @param signal ends it at once */
  async post(
    url: string,
    headers: { readonly [name: string]: string },
    body: Buffer,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { world, totalMs } = this.options;
    const startedAt = world.monotonic();
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = world.after(totalMs, end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    let answer: Answer | string;
    try {
      answer = await this.#send(new URL(url), headers, body, ending.signal);
      if (typeof answer === 'string' && ending.signal.aborted) {
        answer = signal.aborted ? 'it was broken off' : `no answer within ${totalMs / 1_000} s`;
      }
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', end);
    }
    const durationMs = Math.round(world.monotonic() - startedAt);
    if (typeof answer === 'string') return { status: null, error: answer, durationMs, retryAfterMs: null };
    const { status, retryAfter } = answer;
    const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
    const asks = seconds !== undefined && (status === 429 || status === 503);
    return { status, error: errorOf(status), durationMs, retryAfterMs: asks ? seconds * 1_000 : null };
  }

  async #send(url: URL, headers: { readonly [name: string]: string }, body: Buffer, signal: AbortSignal) {
    const { resolve, ...rules } = this.options;
    const aborted = new Promise<string>((over) => {
      if (signal.aborted) over('it was broken off');
      signal.addEventListener('abort', () => over('it was broken off'), { once: true });
    });
    // A resolver may be deaf to its signal.
    const target = await Promise.race([targetOf(url, rules, { resolve, signal }), aborted]);
    return typeof target === 'string' ? target : this.#connect(url, target, { headers, body, signal });
  }

  #connect(
    url: URL,
    { address, name }: Target,
    sent: {
      readonly headers: { readonly [name: string]: string };
      readonly body: Buffer;
      readonly signal: AbortSignal;
    },
  ): Promise<Answer | string> {
    const { ca, replyBytes } = this.options;
    const isEncrypted = url.protocol === 'https:';
    const options: https.RequestOptions = {
      host: address,
      port: url.port || (isEncrypted ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: { Host: url.host, ...sent.headers, 'Content-Length': sent.body.length, Connection: 'close' },
      // An agent of its own: no connection is used twice, and none goes through a proxy of the environment.
      agent: isEncrypted ? new https.Agent({ keepAlive: false }) : new http.Agent({ keepAlive: false }),
      signal: sent.signal,
      ...(isEncrypted ? { servername: name ?? '', rejectUnauthorized: true, ...(ca ? { ca } : {}) } : {}),
    };
    return new Promise((resolve) => {
      let answer: Answer | undefined;
      const request = (isEncrypted ? https : http).request(options, (response) => {
        const come = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
        answer = come;
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > replyBytes) response.destroy();
        });
        // Whatever becomes of the body: the status has come.
        for (const over of ['end', 'close', 'error']) response.on(over, () => resolve(come));
      });
      request.on('error', (error: NodeJS.ErrnoException) =>
        resolve(answer ?? `the connection failed: ${error.code ?? 'broken'}`),
      );
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve('the receiver wants another protocol');
      });
      request.end(sent.body);
    });
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`;
}
