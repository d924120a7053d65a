/**
 * The server may be away for a while: an election, a restart, a cut network. Reads answer 503; whoever has promised a
 * write goes on trying until it knows the outcome, for so long as `outageMs`.
 */
import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb';
import { RefusedError, refuse } from '../../machines/kernel/refusal.js';
import { pause, type World } from '../../world.js';
import { StoreFault } from '../store.js';

export const duplicateKey = 11_000;

/** Codes of servers that step down, shut down, are not in charge, or are too busy to say when. */
const passingCodes = new Set([
  6, 7, 24, 50, 64, 89, 91, 112, 134, 189, 202, 262, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);
const passingNames = new Set([
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedOnNetworkError',
  // The client was replaced meanwhile.
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
]);

/** The driver has not settled a call for longer than all of its own waits together. */
class Unanswered extends MongoError {
  override get name(): string {
    return 'Unanswered';
  }
}

/** Whether the same call may succeed a little later; its outcome is unknown. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (error instanceof Unanswered || error instanceof MongoNetworkError || error instanceof MongoServerSelectionError)
    return true;
  if (error instanceof MongoWriteConcernError || passingNames.has(error.name)) return true;
  if (error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('RetryableError')) return true;
  if (error instanceof MongoBulkWriteError && isWrapped(error)) return true;
  return error instanceof MongoServerError && passingCodes.has(Number(error.code));
}

/** A bulk write wraps what went wrong with its connection, and a write concern that was not met. */
function isWrapped(error: MongoBulkWriteError): boolean {
  if (error.result.getWriteConcernError()) return true;
  return [error.writeErrors].flat().length === 0 && error.code === undefined;
}

export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && Number(error.code) === duplicateKey;

const firstPauseMs = 20;
const longestPauseMs = 500;

export interface Insistence {
  readonly world: World;
  /** How long the outcome of a write may stay unknown before the process gives up. */
  readonly outageMs: number;
  readonly log: (message: string, detail: object) => void;
}

export interface AwayOptions extends Insistence {
  /** Replaces the client. */
  readonly renew?: () => void;
}

/** The driver's own waits end before that. */
const callMs = 12_000;
/** A server that is away for so long may be there again, and the client be who does not notice. */
const renewMs = 5_000;

export class Away {
  #since: number | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(private readonly options: AwayOptions) {}

  /** Milliseconds since the server was last heard of, where it is away. */
  get forMs(): number | undefined {
    return this.#since === undefined ? undefined : this.options.world.monotonic() - this.#since;
  }

  /** From now on nobody goes on trying. */
  end(): void {
    this.#ended = true;
  }

  /** Calls until the server answers. Rejects with StoreFault when it doesn't for too long, with its own errors else. */
  async insist<T>(call: () => Promise<T>): Promise<T> {
    const from = this.options.world.monotonic();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const result = await this.#call(call);
        this.#here();
        return result;
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#noteAway(error);
        if (this.#ended) throw new StoreFault('the store was closed before the database answered', { cause: error });
        if (this.options.world.monotonic() - from > this.options.outageMs) {
          throw new StoreFault(`the database has not answered for ${this.options.outageMs} ms`, { cause: error });
        }
      }
      await pause(this.options.world, pauseMs);
    }
  }

  /** Calls once. @returns undefined where the server did not answer, after a moment: whether it did it is unknown */
  async once<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await this.#call(call);
      this.#here();
      return result;
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#noteAway(error);
      await pause(this.options.world, firstPauseMs);
      return undefined;
    }
  }

  /** One read for a caller who can be told to come again. */
  async read<T>(call: () => Promise<T>): Promise<T> {
    try {
      const result = await this.#call(call);
      this.#here();
      return result;
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#noteAway(error);
      throw new RefusedError(refuse('SERVICE_UNAVAILABLE', 'the database does not answer', { retryAfter: 5 }));
    }
  }

  #call<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = this.options.world.after(callMs, () => {
        reject(new Unanswered(`the driver has not answered for ${callMs} ms`));
      });
      const settle = () => timer.cancel();
      call().then(resolve, reject).then(settle, settle);
    });
  }

  #noteAway(error: unknown): void {
    const now = this.options.world.monotonic();
    const isNews = this.#since === undefined;
    this.#since ??= now;
    if (isNews) {
      this.options.log('the database is away', { error: error instanceof Error ? error.message : String(error) });
    }
    const isStuck = error instanceof Unanswered || now - this.#since > renewMs;
    if (!isStuck || now - this.#renewedAt < renewMs || this.#ended) return;
    this.#renewedAt = now;
    this.options.renew?.();
  }

  #here(): void {
    if (this.#since === undefined) return;
    this.options.log('the database is back', { afterMs: Math.round(this.forMs ?? 0) });
    this.#since = undefined;
  }
}
