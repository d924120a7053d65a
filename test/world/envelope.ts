/** Deliverable envelopes as their producer signs them at the home of the benches. */
import type { JsonObject } from '../../src/core/canonical.js';
import { assert, isRefusal } from '../../src/core/refusal.js';
import {
  complete,
  digestOf,
  type EnvelopeInput,
  signingText,
  wholeDigestOf,
} from '../../src/machines/deliverable/envelope.js';
import { placeText } from '../../src/machines/kernel/attest.js';
import { didOf, signer } from './people.js';

export const place = placeText('devnet', didOf('node'));

const external: EnvelopeInput = { type: 'data', contentHash: 'ab'.repeat(32) };

/** @param by name of the signer, if another than the producer */
export function envelopeOf(
  producer: string,
  contextId: string,
  { by = producer, given = external }: { readonly by?: string; readonly given?: EnvelopeInput } = {},
): JsonObject {
  const completed = complete(given, {
    contextId,
    producer: didOf(producer),
    id: 'dlv-1',
    createdAt: 1_700_000_000_000,
  });
  assert(!isRefusal(completed), 'the envelope has content');
  const digest = digestOf(completed);
  return { ...completed, digest, signature: signer(by).sign(signingText(digest, place)) };
}

/** An envelope with its own digest, as a delivery names them. */
export const delivered = (envelope: JsonObject) => ({ envelope, envelopeDigest: wholeDigestOf(envelope) });
