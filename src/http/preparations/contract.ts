/**
 * Contracts: the network's arbiter, and the envelope of a milestone that is handed in.
 */
import type { ContractContext } from '../../machines/contract/machine.js';
import { contextIdOf, type Submitting, takes } from '../../machines/contract/milestone.js';
import { digestOf, type EnvelopeInput } from '../../machines/deliverable/envelope.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { isRefusal, refuse } from '../../machines/kernel/refusal.js';
import type { Desk } from '../desk.js';
import type { NewId, Prepare } from '../routes/derived.js';
import { keyOf, signedEnvelope } from './envelopes.js';

/** Written into the contract: another configuration later changes nothing for it. */
export const drafting =
  (arbiterDid: string | undefined): Prepare =>
  (_, { input }) => ({ input: arbiterDid === undefined ? input : { ...input, networkArbiter: arbiterDid } });

/** Completes the envelope and signs it as the provider; `envelopeDigest` may be stated of it as it came or as it is kept. */
export const submitting =
  (desk: Desk, newId: NewId): Prepare =>
  async (call, { id, input }) => {
    const { delivery, envelopeDigest, milestoneId } = input as unknown as Submitting & { milestoneId: string };
    const given = delivery?.envelope as unknown as EnvelopeInput | undefined;
    if (given === undefined) return { input };
    const did = desk.signerOf(call);
    if (isRefusal(did)) return did;
    const found = await desk.options.actors.committed.resource('contract', id);
    const contract = found?.context as unknown as ContractContext | undefined;
    const milestone = contract?.milestones.find((each) => each.id === milestoneId);
    // Whatever the law refuses, or gives again, is not in need of keys.
    if (found?.state !== 'active' || contract?.provider !== did || !milestone || !takes(milestone, 'submit')) {
      return { input };
    }
    const signer = await keyOf(call, desk);
    if (isRefusal(signer)) return signer;
    const envelope = signedEnvelope(given, { signer, contextId: contextIdOf(id, milestoneId), desk, newId });
    if (isRefusal(envelope)) return { input, breaks: refuse('CONTRACT_MILESTONE_INVALID', envelope.detail) };
    const digest = digestOf(envelope);
    const stated = envelopeDigest ?? digest;
    if (stated !== digest && stated !== digestOf(given as JsonObject)) {
      return { input, breaks: refuse('CONTRACT_MILESTONE_INVALID', 'envelopeDigest is not that of the envelope') };
    }
    return { input: { ...input, delivery: { envelope }, envelopeDigest: digest } };
  };
