/**
 * Everything that the client needs from its runtime. Tests replace it; the default uses only what browsers, Deno and
 * Node have in common.
 */
export interface ClientEnvironment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Resolves after `delayMs`; rejects with the signal's reason if that aborts first. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 (inclusive) to 1 (exclusive). It only spreads retries, so it need not be secret. */
  random(): number;
  /** Epoch ms. */
  now(): number;
  /** Random bytes that only this program knows. */
  drawBytes(count: number): Uint8Array<ArrayBuffer>;
  /** Returns a new Idempotency-Key. */
  newKey(): string;
}

export const realEnvironment: ClientEnvironment = {
  // Looked up at each call, so that a global that is replaced later takes effect, and called without an object, because
  // browsers reject a fetch with another `this`.
  fetch: (url, init) => globalThis.fetch(url, init),
  wait: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, delayMs);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  random: () => Math.random(),
  now: () => Date.now(),
  drawBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  // Not randomUUID, which browsers do not offer to pages served over plain HTTP.
  newKey: () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
};
