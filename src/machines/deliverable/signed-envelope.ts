/**
 * Completes a deliverable envelope and signs it with the key of the party that delivers.
 */

import type { JsonObject } from '../../core/canonical.js';
import type { Did } from '../../core/codecs/did.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { SigningKey, TransformerPort } from '../kernel/transformer.js';
import { complete, digestOf, type EnvelopeInput, flawOfWhole, signingText } from './envelope.js';

interface Signing {
  readonly producer: Did;
  /** The order or milestone that it is delivered for. */
  readonly contextId: string;
  readonly port: TransformerPort;
  /** Needed unless the envelope is signed already. */
  readonly signer: SigningKey | undefined;
}

export function signedEnvelope(
  given: EnvelopeInput,
  { producer, contextId, port, signer }: Signing,
): JsonObject | Refusal {
  const at = { contextId, producer, id: port.newId('dlv-'), createdAt: port.now() };
  const completed = complete(given, at);
  if (isRefusal(completed)) return completed;
  const digest = given.digest ?? digestOf(completed);
  // The producer may have signed the envelope already; that signature is kept.
  const signature = given.signature ?? signer!.sign(signingText(digest, port.place));
  const signed = { ...completed, digest, signature };
  const flaw = flawOfWhole(signed, { producer, contextId, place: port.place });
  return flaw === undefined ? signed : refuse('UNPROCESSABLE', `envelope: ${flaw}`);
}
