/**
 * Completes a deliverable envelope and signs it with the key of who delivers, before the law is asked.
 */
import type { Signer } from '../../keys/signing.js';
import {
  complete,
  type Envelope,
  type EnvelopeInput,
  flawOf,
  signingText,
} from '../../machines/deliverable/envelope.js';
import type { Json } from '../../machines/kernel/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { Desk } from '../desk.js';
import type { Call } from '../route.js';
import type { NewId } from '../routes/derived.js';

/** The signer's key for a preparation; the refusal that the write itself would get. */
export async function keyOf(call: Call, desk: Desk): Promise<Signer | Refusal> {
  const signer = desk.signerOf(call);
  if (isRefusal(signer)) return signer;
  return desk.unlock(call, signer)();
}

/** @param contextId the order, or the milestone, that it is delivered for */
export function signedEnvelope(
  given: EnvelopeInput,
  { signer, contextId, desk, newId }: { signer: Signer; contextId: string; desk: Desk; newId: NewId },
): Envelope | Refusal {
  const { world } = desk.options.actors.options;
  const at = { contextId, producer: signer.did, id: newId('dlv-'), createdAt: world.now() };
  const completed = complete(given, at);
  if (isRefusal(completed)) return completed;
  // One that its producer has signed already stays as it is.
  const signature: Json = given.signature ?? signer.sign(signingText(completed));
  const signed = { ...completed, signature } as Envelope;
  const flaw = flawOf(signed, { producer: signer.did, contextId });
  return flaw === undefined ? signed : refuse('UNPROCESSABLE', `envelope: ${flaw}`);
}
