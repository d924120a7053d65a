/**
 * What the client takes from the platform, without threads and clocks: WebCrypto's hashes and checks of signatures, and
 * time-outs, which the node's own stand for (src/peers/views/view-requests.ts).
 */
import { createHash } from 'node:crypto';
import { verify } from '../../../src/core/codecs/signature-check.js';

const never = new AbortController().signal;

const simulated = {
  digest: async (_: string, bytes: Uint8Array) => createHash('sha256').update(bytes).digest(),
  importKey: async (_: string, bytes: Uint8Array) => bytes,
  verify: async (_: string, key: Uint8Array, signature: Uint8Array, message: Uint8Array) =>
    verify(key, message, signature),
};

export async function withSimulatedCrypto<T>(run: () => Promise<T>): Promise<T> {
  const { subtle } = crypto;
  const { timeout } = AbortSignal;
  Object.assign(subtle, simulated);
  AbortSignal.timeout = () => never;
  try {
    return await run();
  } finally {
    AbortSignal.timeout = timeout;
    for (const name of Object.keys(simulated)) Reflect.deleteProperty(subtle, name);
  }
}
