/** What is done with requests on task orders before the law is asked: envelopes are signed, judgements told apart. */
import { digestOf, type EnvelopeInput } from '../../machines/deliverable/envelope.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { isRefusal, refuse } from '../../machines/kernel/refusal.js';
import type { Desk } from '../desk.js';
import type { NewId, Prepare } from '../routes/derived.js';
import { keyOf, signedEnvelope } from './envelopes.js';

/** Completes `delivery.envelope` and signs it with the provider's key. */
export const deliveringTask =
  (desk: Desk, newId: NewId): Prepare =>
  async (call, { id, input }) => {
    const delivery = input.delivery as JsonObject | undefined;
    if (delivery?.envelope === undefined) return { input };
    const order = await desk.options.actors.committed.resource('task-order', id);
    if (!order) return refuse('ORDER_NOT_FOUND', `no task-order ${id} on this network`);
    const did = desk.signerOf(call);
    if (isRefusal(did)) return did;
    // Whatever is refused, or given again, is not in need of keys.
    if (order.state !== 'accepted' || order.context.provider !== did) return { input };
    const signer = await keyOf(call, desk);
    if (isRefusal(signer)) return signer;
    const given = delivery.envelope as unknown as EnvelopeInput;
    const envelope = signedEnvelope(given, { signer, contextId: id, desk, newId });
    if (isRefusal(envelope)) return { input, breaks: envelope };
    return { input: { ...input, delivery: { ...delivery, envelope, envelopeDigest: digestOf(envelope) } } };
  };

/** `approved: false` is the law's `reject`, and stands in the journal as such. */
export const judging: Prepare = (_, { input }) => {
  const { approved, ...judgement } = input;
  return approved === false ? { action: 'reject', input: judgement } : { input };
};
