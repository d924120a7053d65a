/**
 * JSON-RPC over HTTP with keep-alive. It uses node:http instead of fetch, which takes three times the CPU; the time-out
 * covers a request from the connection to the last byte.
 */
import http from 'node:http';
import https from 'node:https';
import type { Environment } from '../../core/environment.js';
import { ChainAway } from './evm.js';
import type { RpcAnswer, RpcCall, Transport } from './transport.js';

export interface HttpTransportOptions {
  readonly url: string;
  readonly world: Environment;
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

/** The most calls in one request; some providers reject more. */
const batchSize = 50;
const sockets = 8;

export class HttpTransport implements Transport {
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: sockets }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: sockets }),
  };
  readonly #url: URL;
  #lastId = 0;
  /** Set when the provider rejected a batch; calls are sent one by one from then on. */
  #batches = true;

  constructor(private readonly options: HttpTransportOptions) {
    this.#url = new URL(options.url);
  }

  async request(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
    if (calls.length > 1 && !this.#batches) return Promise.all(calls.map((call) => this.#single(call)));
    if (calls.length === 1) return [await this.#single(calls[0]!)];
    const answers: RpcAnswer[] = [];
    for (let from = 0; from < calls.length; from += batchSize) {
      const part = await this.#batch(calls.slice(from, from + batchSize));
      if (!part) return this.request(calls);
      answers.push(...part);
    }
    return answers;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #single(call: RpcCall): Promise<RpcAnswer> {
    const id = ++this.#lastId;
    const answer = await this.#ask({ jsonrpc: '2.0', id, ...call });
    return answerIn(answer, id);
  }

  /** @returns undefined when the provider accepts no batches */
  async #batch(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[] | undefined> {
    const questions = calls.map((call) => ({ jsonrpc: '2.0', id: ++this.#lastId, ...call }));
    const answers = await this.#ask(questions);
    if (!Array.isArray(answers)) {
      answerIn(answers, undefined);
      this.#batches = false;
      return undefined;
    }
    const byId = new Map(answers.map((each) => [(each as { id?: unknown } | null)?.id, each as unknown]));
    return questions.map(({ id }) => answerIn(byId.get(id), id));
  }

  async #ask(question: unknown): Promise<unknown> {
    const text = await this.#post(JSON.stringify(question));
    try {
      return JSON.parse(text);
    } catch {
      throw new ChainAway('the RPC answered with something that is not JSON');
    }
  }

  /** The body of the reply; some providers send a JSON-RPC error with a status other than 200. */
  #post(body: string): Promise<string> {
    const { world, answerBytes, timeoutMs } = this.options;
    const secure = this.#url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(this.#url, {
        method: 'POST',
        agent: this.#agents[secure ? 'https:' : 'http:'],
        headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      });
      const timer = world.after(timeoutMs, () =>
        request.destroy(new ChainAway(`the RPC did not answer in ${timeoutMs} ms`)),
      );
      const fail = (error: Error) => {
        timer.cancel();
        reject(error instanceof ChainAway ? error : new ChainAway(reasonOf(error), { cause: error }));
      };
      request.on('error', fail);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > answerBytes) request.destroy(new ChainAway('the answer of the RPC is too large'));
          else chunks.push(chunk);
        });
        response.on('error', fail);
        // 'close' fires after every reply, and creating an error costs as much as signing a transfer.
        response.on('close', () => {
          if (!response.complete) fail(new ChainAway('the RPC hung up in the middle of its answer'));
        });
        response.on('end', () => {
          timer.cancel();
          const text = Buffer.concat(chunks).toString('utf8');
          const status = response.statusCode ?? 0;
          if (status === 200 || text.startsWith('{"')) resolve(text);
          else reject(new ChainAway(`the RPC answered with HTTP ${status}`));
        });
      });
      request.end(body);
    });
  }
}

/** Describes the failure without the URL, which may contain an API key. */
function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return `the RPC cannot be reached (${code ?? error.name})`;
}

function answerIn(value: unknown, id: number | undefined): RpcAnswer {
  const answer = value as {
    id?: unknown;
    result?: unknown;
    error?: { code?: unknown; message?: unknown; data?: unknown };
  };
  if (typeof answer !== 'object' || answer === null) throw new ChainAway('the RPC left a question unanswered');
  const { error } = answer;
  if (error !== undefined && error !== null) {
    const { code, message, data } = error;
    return { error: { code: Number(code), message: String(message), ...(data === undefined ? {} : { data }) } };
  }
  if (answer.id !== id) throw new ChainAway('the RPC answered another question');
  if (!('result' in answer)) throw new ChainAway('the RPC answered with neither a result nor an error');
  return { result: answer.result };
}
