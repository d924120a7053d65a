/**
 * What the client needs of the program around it. Tests bring their own; the default uses only what browsers, Deno
 * and Node have in common.
 */
export interface ClientEnvironment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Resolves after so many milliseconds; rejects with the signal's reason when that aborts first. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** From 0 (inclusive) to 1 (exclusive); spreads retries, nothing secret hangs on it. */
  random(): number;
  /** A fresh Idempotency-Key. */
  newKey(): string;
}

export const realEnvironment: ClientEnvironment = {
  // Looked up at each call, so that a global one that is replaced later takes effect; called bare, because browsers
  // refuse a fetch with another `this`.
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
  // Not randomUUID, which browsers keep from pages that came over plain HTTP.
  newKey: () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
};
