/** Answers that were just paid for, for buyers whose connection broke. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { paymentBounds } from '../../../src/core/bounds.js';
import { realEnvironment } from '../../../src/core/environment.js';

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

interface KeptAnswers {
  /** The answer to the same proof, once it is made. */
  of(event: string): AnswerRecord | undefined;
  /** @param release called if nothing was served */
  begin(event: string, release: () => Promise<void>): AnswerRecord;
}

/** One answer while it is made. */
export class AnswerRecord {
  readonly answer: Promise<RecordedAnswer | undefined>;
  #resolve!: (answer: RecordedAnswer | undefined) => void;
  #isOver = false;

  constructor(
    private readonly kept: { readonly answered: () => void; readonly forget: () => void },
    private readonly release: () => Promise<void>,
  ) {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  static kept(now: () => number): KeptAnswers {
    const { answerKeptMs, answersKept } = paymentBounds;
    const kept = new Map<string, { readonly record: AnswerRecord; until: number }>();
    return {
      of(event) {
        const found = kept.get(event);
        return found && found.until > now() ? found.record : undefined;
      },
      begin(event, release) {
        for (const [each, { until }] of kept) if (until <= now() || kept.size >= answersKept) kept.delete(each);
        const answered = () => {
          const found = kept.get(event);
          if (found?.record === record) found.until = now() + answerKeptMs;
        };
        const forget = () => kept.get(event)?.record === record && kept.delete(event);
        const record: AnswerRecord = new AnswerRecord({ answered, forget }, release);
        kept.set(event, { record, until: Number.POSITIVE_INFINITY });
        return record;
      },
    };
  }

  /** Records what is written, unless it is too long. */
  of(response: ServerResponse): void {
    let chunks: Buffer[] | undefined = [];
    let bytes = 0;
    const take = (chunk: unknown, encoding: unknown): void => {
      if (chunk === undefined || chunk === null || typeof chunk === 'function' || !chunks) return;
      const taken =
        typeof chunk === 'string'
          ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
          : Buffer.from(chunk as Uint8Array);
      bytes += taken.length;
      if (bytes > paymentBounds.answerKeptBytes) chunks = undefined;
      else chunks.push(taken);
    };
    const { write, end } = response;
    response.write = (...args: unknown[]) => {
      take(args[0], args[1]);
      return Reflect.apply(write, response, args);
    };
    response.end = (...args: unknown[]) => {
      take(args[0], args[1]);
      // An end that writes its chunk by `write` is not to be recorded twice.
      response.write = write;
      const ended = Reflect.apply(end, response, args);
      if (response.statusCode >= 500) void this.failed();
      else this.#settle(chunks && answerIn(response, Buffer.concat(chunks)));
      return ended;
    };
    // What is piped to a closed connection has no end.
    response.once('close', () => realEnvironment.after(paymentBounds.answerKeptMs, () => this.drop()));
  }

  /** Koa writes nothing to a closed connection: takes the answer that it would have sent, if it is not a stream. */
  async unsent(response: ServerResponse, body: unknown): Promise<void> {
    if (!response.destroyed || response.writableEnded) return;
    const isData = typeof body === 'string' || body instanceof Uint8Array;
    if (isData || isPlain(body))
      this.#settle(answerIn(response, Buffer.from(isData ? (body as string) : JSON.stringify(body))));
    else await this.failed();
  }

  /** Nothing was served: the payment can be shown again. */
  async failed(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.release().catch(() => {}); // It stays used.
    this.#end(undefined);
  }

  /** It will not be repeated. */
  drop(): void {
    this.#settle(undefined);
  }

  #settle(answer: RecordedAnswer | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end(answer);
  }

  #end(answer: RecordedAnswer | undefined): void {
    if (answer) this.kept.answered();
    else this.kept.forget();
    this.#resolve(answer);
  }
}

const answerIn = (response: ServerResponse, body: Buffer): RecordedAnswer => ({
  ...{ status: response.statusCode, headers: response.getHeaders(), body },
});

const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);
