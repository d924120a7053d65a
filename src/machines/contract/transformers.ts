/**
 * Request transformers of contracts: the network's arbiter, and the envelope of a submitted milestone.
 */
import type { JsonObject } from '../../core/canonical.js';
import { saltBytes } from '../../core/leaf.js';
import { isRefusal, refuse } from '../../core/refusal.js';
import { type EnvelopeInput, wholeDigestOf } from '../deliverable/envelope.js';
import { signedEnvelope } from '../deliverable/signed-envelope.js';
import { setNetworkArbiter } from '../dispute/ruling.js';
import { isIn } from '../kernel/state-path.js';
import type { RequestTransformer, TransformerPort } from '../kernel/transformer.js';
import type { ContractContext } from './machine.js';
import { contextIdOf, type Submitting, takes } from './milestone.js';

/** The arbiter is stored in the contract: a later change of the configuration does not affect it. */
export const draftContract: RequestTransformer = ({ input }, port) => ({
  input: setNetworkArbiter(salted(input, port), port),
});

export const changeContract: RequestTransformer = ({ input }, port) => ({ input: salted(input, port) });

const salted = (input: JsonObject, { random }: TransformerPort): JsonObject => ({
  salt: Buffer.from(random(saltBytes)).toString('hex'),
  ...input,
});

/**
 * Completes the envelope and signs it as the provider. A stated `envelopeDigest` may be that of the envelope as sent,
 * or as stored.
 */
export const submitMilestone: RequestTransformer = async ({ id, input }, port) => {
  const { delivery, envelopeDigest, milestoneId } = input as unknown as Submitting & { milestoneId: string };
  const given = delivery?.envelope as unknown as EnvelopeInput | undefined;
  if (given === undefined) return { input };
  const did = port.signer();
  if (isRefusal(did)) return did;
  const found = await port.resource('contract', id);
  const contract = found?.context as unknown as ContractContext | undefined;
  const milestone = contract?.milestones.find((each) => each.id === milestoneId);
  // A request that will be refused or replayed needs no key.
  if (
    !found ||
    !isIn(found.state, 'active') ||
    contract?.provider !== did ||
    !milestone ||
    !takes(milestone, 'submit')
  ) {
    return { input };
  }
  const signer = given.signature === undefined ? await port.openKey() : undefined;
  if (isRefusal(signer)) return signer;
  const envelope = signedEnvelope(given, { producer: did, contextId: contextIdOf(id, milestoneId), port, signer });
  if (isRefusal(envelope)) return { input, prechecked: refuse('CONTRACT_MILESTONE_INVALID', envelope.detail) };
  const digest = wholeDigestOf(envelope);
  const stated = envelopeDigest ?? digest;
  if (stated !== digest && stated !== wholeDigestOf(given as JsonObject)) {
    return { input, prechecked: refuse('CONTRACT_MILESTONE_INVALID', 'envelopeDigest is not that of the envelope') };
  }
  return { input: { ...input, delivery: { envelope }, envelopeDigest: digest } };
};
