/**
 * Sends one delivery over HTTP to one address: without redirects and proxies, within one time limit. The reply's body
 * is discarded.
 */
import http from 'node:http';
import https from 'node:https';
import type { Environment } from '../../core/environment.js';
import { type DeliveryTarget, type Resolve, type TargetRules, targetOf } from './target.js';

export interface PosterOptions extends TargetRules {
  readonly world: Environment;
  readonly resolve: Resolve;
  /** Time limit from the DNS look-up to the status, ms. */
  readonly totalMs: number;
  /** Bytes of the reply's body that are read and discarded. */
  readonly replyBytes: number;
  /** For tests: an additional certificate authority, PEM. */
  readonly ca?: string | undefined;
}

export interface DeliveryOutcome {
  /** HTTP status; null where no reply came. */
  readonly status: number | null;
  /** Short reason of a failure; null for a 2xx. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The delay that a 429 or 503 asks for, ms. */
  readonly retryAfterMs: number | null;
}

interface ReceiverReply {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

export class Poster {
  constructor(private readonly options: PosterOptions) {}

  /**
   * Never rejects.
   * @param signal aborts the delivery
   */
  async post(
    url: string,
    headers: { readonly [name: string]: string },
    body: Buffer,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const { world, totalMs } = this.options;
    const startedAt = world.monotonic();
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = world.after(totalMs, end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    let answer: ReceiverReply | string;
    try {
      answer = await this.#send(new URL(url), headers, body, ending.signal);
      if (typeof answer === 'string' && ending.signal.aborted) {
        answer = signal.aborted ? 'it was aborted' : `no answer within ${totalMs / 1_000} s`;
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
      if (signal.aborted) over('it was aborted');
      signal.addEventListener('abort', () => over('it was aborted'), { once: true });
    });
    // Races with the signal, because a resolver may ignore it.
    const target = await Promise.race([targetOf(url, rules, { resolve, signal }), aborted]);
    return typeof target === 'string' ? target : this.#connect(url, target, { headers, body, signal });
  }

  #connect(
    url: URL,
    { address, name }: DeliveryTarget,
    sent: {
      readonly headers: { readonly [name: string]: string };
      readonly body: Buffer;
      readonly signal: AbortSignal;
    },
  ): Promise<ReceiverReply | string> {
    const { ca, replyBytes } = this.options;
    const isEncrypted = url.protocol === 'https:';
    const options: https.RequestOptions = {
      host: address,
      port: url.port || (isEncrypted ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: { Host: url.host, ...sent.headers, 'Content-Length': sent.body.length, Connection: 'close' },
      // Uses a separate agent, so that connections are not reused and the environment's proxy is not used.
      agent: isEncrypted ? new https.Agent({ keepAlive: false }) : new http.Agent({ keepAlive: false }),
      signal: sent.signal,
      ...(isEncrypted ? { servername: name ?? '', rejectUnauthorized: true, ...(ca ? { ca } : {}) } : {}),
    };
    return new Promise((resolve) => {
      let answer: ReceiverReply | undefined;
      const request = (isEncrypted ? https : http).request(options, (response) => {
        const come = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
        answer = come;
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > replyBytes) response.destroy();
        });
        // The status has arrived, so errors of the body don't matter.
        for (const over of ['end', 'close', 'error']) response.on(over, () => resolve(come));
      });
      request.on('error', (error: NodeJS.ErrnoException) =>
        resolve(answer ?? `the connection failed: ${error.code ?? 'broken'}`),
      );
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve('the receiver requires another protocol');
      });
      request.end(sent.body);
    });
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`;
}
