/**
 * Handles outages of the server: elections, restarts, network failures. Reads fail with 503; a promised write is
 * retried until its outcome is known or the store is closed.
 */
import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
  type TopologyDescription,
} from 'mongodb';
import { type Environment, pause } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { RefusedError, refuse } from '../../core/refusal.js';
import { StoreClosed } from '../store.js';

export const duplicateKey = 11_000;

/** Codes of servers that step down, shut down, are not primary, or are overloaded. */
const passingCodes = new Set([
  6, 7, 24, 50, 64, 89, 91, 112, 134, 189, 202, 262, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);
/** Access denied or disk full: an operator has to act. Acknowledged writes are not affected. */
const deniedCodes = new Set([13, 18, 8_000]);
const fullCodes = new Set([14_031]);
/** The client was replaced, or its first connection failed, after which the driver does not retry. */
const closedNames = new Set([
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
]);
const passingNames = new Set([
  ...closedNames,
  'MongoServerClosedError',
  'MongoUnexpectedServerResponseError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedOnNetworkError',
  'MongoExpiredSessionError',
]);

class CallUnanswered extends MongoError {
  override get name(): string {
    return 'Unanswered';
  }
}

/** Whether a retry may succeed. The outcome of the failed call is unknown. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (
    error instanceof CallUnanswered ||
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError
  )
    return true;
  if (error instanceof MongoWriteConcernError || passingNames.has(error.name)) return true;
  if (error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('RetryableError')) return true;
  if (error instanceof MongoBulkWriteError && isWrapped(error)) return true;
  const code = Number(error.code);
  return error instanceof MongoServerError && [passingCodes, deniedCodes, fullCodes].some((codes) => codes.has(code));
}

const nameServerCodes = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'ENOTFOUND', 'ESERVFAIL', 'ETIMEOUT']);
const certificateCode = /^(?:CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|HOSTNAME_|SELF_SIGNED_|UNABLE_TO_)/;

/** Whether a start should wait for the server: not if credentials or certificate are refused. */
export function isWorthWaiting(error: unknown): boolean {
  if (error instanceof MongoServerError && deniedCodes.has(Number(error.code))) return false;
  if (causesOf(error).some(({ code }) => certificateCode.test(String(code)))) return false;
  return isPassing(error) || (error instanceof Error && nameServerCodes.has(String((error as { code?: string }).code)));
}

/** The error, its causes, and the errors that the driver recorded per server. */
function causesOf(error: unknown, depth = 0): { readonly code?: unknown }[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const { cause, reason } = error as { cause?: unknown; reason?: TopologyDescription };
  const seen = [...(reason?.servers?.values() ?? [])].map((server) => server.error);
  return [error as { code?: unknown }, ...[cause, ...seen].flatMap((each) => causesOf(each, depth + 1))];
}

/** Whether a bulk write error wraps a connection failure or an unmet write concern. */
function isWrapped(error: MongoBulkWriteError): boolean {
  if (error.result.getWriteConcernError()) return true;
  return [error.writeErrors].flat().length === 0 && error.code === undefined;
}

export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && Number(error.code) === duplicateKey;

const firstPauseMs = 20;
const longestPauseMs = 500;

/** Outage time after which reads fail at once while another call keeps retrying. */
const knownMs = 1_000;

const unavailable = () =>
  new RefusedError(refuse('SERVICE_UNAVAILABLE', 'the database does not answer', { retryAfter: 5 }));
const closed = () => new StoreClosed('the store was closed before the database answered');

export interface OutageOptions {
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
  readonly renew?: () => void;
}

/** Timeout of a call, longer than the driver's own timeouts. */
const callMs = 12_000;
/** Without any answer for this long while calls are pending, the server counts as unreachable. */
const silentMs = 4_000;
/** Delay before another replacement of an unusable client. */
const renewDeadMs = 1_000;
/**
 * Outage time after which the client is replaced, because the driver's monitor can hang and never notice that the
 * server is back.
 */
const renewMs = 5_000;

export class Outage {
  #since: number | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #ended = false;
  /** Pending calls, and since when none was answered. */
  #calls = 0;
  #silentSince = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #returns = 0;
  /** Number of callers that keep retrying, and so notice when the server is back. */
  #retrying = 0;
  readonly #waiting = new Set<(error: Error) => void>();

  constructor(private readonly options: OutageOptions) {}

  get forMs(): number | undefined {
    const { silentForMs } = this;
    return this.#since !== undefined || silentForMs > silentMs ? silentForMs : undefined;
  }

  /** How long calls have been waiting without any answer, or all calls have failed, ms. */
  get silentForMs(): number {
    const now = this.options.world.monotonic();
    if (this.#since !== undefined) return now - this.#since;
    return this.#calls === 0 ? 0 : now - this.#silentSince;
  }

  /** Number of outages that ended. After each, acknowledged writes may have been lost. */
  get returns(): number {
    return this.#returns;
  }

  /** Rejects all pending calls: the store closes. */
  end(): void {
    this.#ended = true;
    for (const reject of this.#waiting) reject(closed());
  }

  /**
   * Retries a call until the server answers. Rejects with StoreClosed if the store closes first, and with any other
   * error of the call.
   */
  async retry<T>(call: () => Promise<T>): Promise<T> {
    this.#retrying++;
    try {
      return await this.#retryUntilAnswered(call);
    } finally {
      this.#retrying--;
    }
  }

  async #retryUntilAnswered<T>(call: () => Promise<T>): Promise<T> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (this.#ended) throw closed();
      try {
        return await this.#answered(call);
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
      await pause(this.options.world, pauseMs);
    }
  }

  /**
   * Calls once.
   * @returns undefined, after a delay, if the server did not answer and the outcome is unknown
   */
  async once<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#answered(call);
    } catch (error) {
      if (!isPassing(error)) throw error;
      await pause(this.options.world, firstPauseMs);
      return undefined;
    }
  }

  /**
   * Reads once.
   * @throws RefusedError (SERVICE_UNAVAILABLE) if the server does not answer
   */
  async read<T>(call: () => Promise<T>): Promise<T> {
    const isKnown = this.#since !== undefined && (this.forMs ?? 0) > knownMs;
    if (isKnown && this.#retrying > 0) throw unavailable();
    try {
      return await this.#answered(call);
    } catch (error) {
      throw isPassing(error) ? unavailable() : error;
    }
  }

  async #answered<T>(call: () => Promise<T>): Promise<T> {
    const { world } = this.options;
    const askedAt = world.monotonic();
    if (this.#calls++ === 0) this.#silentSince = askedAt;
    try {
      const result = await this.#call(call);
      this.#here();
      return result;
    } catch (error) {
      // A single call without an answer, while others were answered, doesn't mean an outage.
      const isAlone = error instanceof CallUnanswered && this.#answeredAt > askedAt;
      if (isPassing(error) && !isAlone) this.#noteOutage(error);
      throw error;
    } finally {
      this.#calls--;
      this.#silentSince = world.monotonic();
    }
  }

  #call<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = this.options.world.after(callMs, () => {
        reject(new CallUnanswered(`the driver has not answered for ${callMs} ms`));
      });
      const settle = () => {
        timer.cancel();
        this.#waiting.delete(reject);
      };
      this.#waiting.add(reject);
      call().then(resolve, reject).then(settle, settle);
    });
  }

  #noteOutage(error: unknown): void {
    const now = this.options.world.monotonic();
    if (this.#since === undefined) {
      this.#since = now;
      this.options.log('the database is away', { error: messageOf(error) });
    }
    const isDead = error instanceof CallUnanswered || (error instanceof Error && closedNames.has(error.name));
    const fromMs = isDead ? this.#renewedAt + renewDeadMs : Math.max(this.#since, this.#renewedAt) + renewMs;
    if (this.#ended || now < fromMs) return;
    this.#renewedAt = now;
    this.options.renew?.();
  }

  #here(): void {
    this.#answeredAt = this.options.world.monotonic();
    if (this.#since === undefined) return;
    this.options.log('the database is back', { afterMs: Math.round(this.forMs ?? 0) });
    this.#since = undefined;
    this.#returns++;
  }
}
