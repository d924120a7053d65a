/** Answers that were just paid for, for buyers whose connection broke. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { paymentBounds } from '../../../src/core/bounds.js';

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

interface KeptAnswers {
  /** The answer to the same proof, once it is made. */
  of(event: string): AnswerRecord | undefined;
  /** @param failed called if nothing was served */
  begin(event: string, failed: () => Promise<void>): AnswerRecord;
}

/** One answer while it is made. */
export class AnswerRecord {
  readonly answer: Promise<RecordedAnswer | undefined>;
  #resolve!: (answer: RecordedAnswer | undefined) => void;

  constructor(
    /** Forgets it. */
    readonly drop: () => void,
    private readonly failed: () => Promise<void>,
  ) {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  static kept(now: () => number): KeptAnswers {
    const { answerKeptMs, answersKept } = paymentBounds;
    const kept = new Map<string, { readonly record: AnswerRecord; readonly until: number }>();
    return {
      of(event) {
        const found = kept.get(event);
        return found && found.until > now() ? found.record : undefined;
      },
      begin(event, failed) {
        for (const [each, { until }] of kept) if (until <= now() || kept.size >= answersKept) kept.delete(each);
        const drop = () => {
          if (kept.get(event)?.record === record) kept.delete(event);
          record.#resolve(undefined);
        };
        const record: AnswerRecord = new AnswerRecord(drop, failed);
        kept.set(event, { record, until: now() + answerKeptMs });
        return record;
      },
    };
  }

  /** Records what is written, unless it is too long. An answer that says that the server has failed can be asked for again. */
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
      void this.#ended(response, chunks);
      return ended;
    };
  }

  /** Koa writes nothing to a closed connection: takes the answer that it would have sent. */
  unsent(response: ServerResponse, body: unknown): void {
    if (!response.destroyed || response.writableEnded || body === undefined) return;
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    this.#resolve({ status: response.statusCode, headers: response.getHeaders(), body: Buffer.from(text) });
  }

  async #ended(response: ServerResponse, chunks: Buffer[] | undefined): Promise<void> {
    const { statusCode: status } = response;
    if (response.writableEnded && status >= 500) {
      await this.failed().catch(() => {});
      this.drop();
    } else if (chunks && response.writableEnded)
      this.#resolve({ status, headers: response.getHeaders(), body: Buffer.concat(chunks) });
    else this.drop();
  }
}
