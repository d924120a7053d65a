/**
 * Request transformers of task orders: they sign envelopes, distinguish approval from rejection, and find the order of
 * a task.
 */
import { type Json, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { looksBlank } from '../deliverable/blank.js';
import { type EnvelopeInput, wholeDigestOf } from '../deliverable/envelope.js';
import { signedEnvelope } from '../deliverable/signed-envelope.js';
import type { DefaultId, RequestTransformer } from '../kernel/transformer.js';
import type { ListingContext } from '../listing/machine.js';
import type { TaskOrderContext } from './machine.js';
import type { Submission } from './submission.js';

export const saysNothingDelivered = 'deliverables are empty, and there is no delivery.envelope';

/** Completes `delivery.envelope` and signs it with the provider's key. Refuses a delivery without content. */
export const deliverTask: RequestTransformer = async ({ id, input }, port) => {
  const delivery = input.delivery as JsonObject | undefined;
  const isEmpty = delivery?.envelope === undefined && looksBlank(input.deliverables as Json);
  if (delivery?.envelope === undefined && !isEmpty) return { input };
  const order = await port.resource('task-order', id);
  if (!order) return refuse('ORDER_NOT_FOUND', `no task-order ${id} on this network`);
  const did = port.signer();
  if (isRefusal(did)) return did;
  // A request that will be refused or replayed needs no key.
  if (order.state !== 'accepted' || order.context.provider !== did) return { input };
  if (delivery?.envelope === undefined) {
    return { input, prechecked: refuse('SUBMISSION_NOT_ALLOWED', saysNothingDelivered) };
  }
  const given = delivery.envelope as unknown as EnvelopeInput;
  const signer = given.signature === undefined ? await port.openKey() : undefined;
  if (isRefusal(signer)) return signer;
  const envelope = signedEnvelope(given, { producer: did, contextId: id, port, signer });
  if (isRefusal(envelope)) return { input, prechecked: envelope };
  return { input: { ...input, delivery: { ...delivery, envelope, envelopeDigest: wholeDigestOf(envelope) } } };
};

/** Turns `approved: false` into the action `reject`, also in the journal. */
export const judgeTask: RequestTransformer = async ({ id, input: { approved, delivery, ...judgement } }, port) => {
  const order = delivery === undefined ? undefined : await port.resource('task-order', id);
  const newest = (order?.context as TaskOrderContext | undefined)?.submissions.at(-1);
  const prechecked = newest && otherThan(newest, delivery as ConfirmedDelivery);
  if (approved === false) return { action: 'reject', input: judgement, prechecked };
  return { input: approved === undefined ? judgement : { ...judgement, approved }, prechecked };
};

interface ConfirmedDelivery {
  readonly envelope?: JsonObject;
  readonly content?: string;
}

/** UNPROCESSABLE if the requester means another delivery than the newest one. */
function otherThan(newest: Submission, { envelope, content }: ConfirmedDelivery): Refusal | undefined {
  if (envelope !== undefined && wholeDigestOf(envelope) !== newest.envelopeDigest) {
    return refuse('UNPROCESSABLE', 'delivery.envelope: it is not the envelope of the newest submission');
  }
  const hash = (newest.envelope as JsonObject | null)?.contentHash;
  return content !== undefined && sha256Hex(Buffer.from(content, 'base64')) !== hash
    ? refuse('UNPROCESSABLE', 'delivery.content: it does not have the contentHash of the newest submission’s envelope')
    : undefined;
}

/** Finds the order of a task, which is that of the accepted bid. */
export const orderOfTask: DefaultId = {
  says: 'Default: the order of the task.',
  async find(_, { taskId = '' }, port) {
    const task = await port.resource('task-listing', taskId);
    const { bidding } = (task?.context ?? {}) as unknown as Partial<ListingContext>;
    if (bidding?.award) return bidding.award.orderId;
    return (
      (await port.unknownListing(taskId)) ??
      invalid('orderId', 'is required: the task has no order, since no bid is accepted')
    );
  },
};
