/**
 * What the client takes from the platform, without threads and clocks: WebCrypto's hashes and checks of signatures, and
 * time-outs, which the node's own stand for (src/peers/views/view-requests.ts).
 */
import { createHash } from 'node:crypto';
import { verify } from '../../../src/core/codecs/signature-check.js';

/** As `AbortSignal.any`, whose signals the platform keeps as long as something listens: processes that are killed never stop. */
function anyOf(signals: Iterable<AbortSignal>): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason);
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true });
  }
  return first.signal;
}

const simulated = {
  digest: async (_: string, bytes: Uint8Array) => createHash('sha256').update(bytes).digest(),
  importKey: async (_: string, bytes: Uint8Array) => bytes,
  verify: async (_: string, key: Uint8Array, signature: Uint8Array, message: Uint8Array) =>
    verify(key, message, signature),
};

export async function withSimulatedCrypto<T>(run: () => Promise<T>): Promise<T> {
  const { subtle } = crypto;
  const { timeout, any } = AbortSignal;
  Object.assign(subtle, simulated);
  AbortSignal.timeout = () => new AbortController().signal;
  AbortSignal.any = anyOf;
  try {
    return await run();
  } finally {
    Object.assign(AbortSignal, { timeout, any });
    for (const name of Object.keys(simulated)) Reflect.deleteProperty(subtle, name);
  }
}
