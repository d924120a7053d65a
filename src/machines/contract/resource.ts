/**
 * The contract as a resource (interface, Contracts; decisions.md, Contracts): who may do what, with which input, and
 * with which code it is refused. It moves no Tokens itself: its escrow does, in the same entry.
 */
import { envelope } from '../deliverable/envelope.js';
import { disputeFields } from '../dispute/claim.js';
import { arbiters, ruledOn, rulingFields } from '../dispute/ruling.js';
import type { Happening } from '../kernel/law.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { defineResource } from '../kernel/resource.js';
import * as is from '../kernel/scalar.js';
import { contractGuards } from './guards.js';
import { agreed, type ContractContext, contractMachine, nextDeadline, partiesOf } from './machine.js';
import { milestoneMachine } from './milestone.js';
import { type Agreement, agreementFields, flawOf, milestonesOf } from './terms.js';
import { milestoneSchema, statesOf, statuses, view, viewSchema } from './view.js';
import { viewText } from './view-text.js';

const createInput = is.object({ provider: is.did, ...agreementFields });
type CreateInput = is.TypeOf<typeof createInput> & {
  /** The network's, as the node that took the request knows it; no caller states it. */
  readonly networkArbiter?: string | undefined;
};

const agreementOf = ({ terms, payment, milestones }: CreateInput): Agreement => ({
  terms,
  payment: payment ?? null,
  milestones: milestonesOf(milestones ?? []),
});

const partiesIn = ({ signer, input }: Happening<'create', CreateInput>) =>
  partiesOf({ client: signer, provider: input.provider });

function check(happening: Happening<'create', CreateInput>): Refusal | undefined {
  const { signer, input } = happening;
  if (input.provider === signer) return refuse('FORBIDDEN', 'the provider must be another party than the client');
  return flawOf(agreementOf(input), partiesIn(happening));
}

function context(happening: Happening<'create', CreateInput>): ContractContext {
  const { signer, input } = happening;
  const parties = partiesIn(happening);
  const network = input.networkArbiter ?? null;
  const networkArbiter = parties.some(({ did }) => did === network) ? null : network;
  return {
    client: signer,
    provider: input.provider,
    networkArbiter,
    ...agreed(agreementOf(input), parties, networkArbiter),
    signatures: [],
    amount: 0,
    paid: 0,
    refunded: 0,
    escrowId: null,
    disputeId: null,
    consented: false,
    notedUntil: 0,
  };
}

const stillToSign = (held: ContractContext): string => {
  const missing = partiesOf(held).filter(({ role }) => held.signatures.every((each) => each.role !== role));
  return `the ${missing.map(({ role }) => role).join(' and the ')} must sign first`;
};

const which = { milestoneId: is.chosenId() };
const submission = {
  deliverables: is.optional(is.atMostBytes(is.list(is.anything, 0, 50), 16_384)),
  notes: is.optional(is.text(4_000)),
  delivery: is.optional(is.object({ envelope: is.optional(is.atMostBytes(envelope, 16_384)) })),
  envelopeDigest: is.optional(is.hash),
};
const about = (action: string) => ({
  path: `/contracts/:contractId/milestones/:milestoneId/actions/${action}`,
  reply: { among: 'milestones', named: 'milestoneId', schema: milestoneSchema } as const,
});
const nothing = { input: is.object({}), example: {} };
const exampleDid = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';

export const contract = defineResource({
  kind: 'contract',
  revision: 1,
  machine: contractMachine,
  nested: { milestone: milestoneMachine },
  route: { path: '/contracts', param: 'contractId', tag: 'Contracts', idPrefix: 'ctr-' },
  refusals: { unknown: 'CONTRACT_NOT_FOUND', state: 'CONTRACT_INVALID_STATE', stale: 'CONTRACT_INVALID_STATE' },
  signerOptional: true,
  roles: {
    client: ({ client }) => [client],
    provider: ({ provider }) => [provider],
    ...arbiters,
  },
  create: {
    event: 'contract.created',
    summary: 'Draft a contract with a provider.',
    idField: 'contractId',
    input: createInput as is.Scalar<CreateInput>,
    example: {
      provider: exampleDid,
      terms: { scope: 'a logo in three sizes' },
      payment: { totalAmount: 60 },
      milestones: [
        { id: 'sketch', title: 'Sketch', amount: 20, criteria: 'two variants' },
        { id: 'final', title: 'Final', amount: 40 },
      ],
    },
    check,
    context,
  },
  actions: {
    update: {
      event: 'contract.updated',
      who: ['client'],
      input: is.object({ ...agreementFields, terms: is.optional(agreementFields.terms) }),
      example: { terms: { scope: 'a logo in four sizes' } },
      summary: 'Change terms, payment or milestones while nobody has signed; what is left out stays.',
    },
    sign: {
      event: 'contract.signed',
      who: ['client', 'provider'],
      input: is.object({ termsHash: is.optional(is.hash) }),
      example: {},
      summary: 'Sign the terms, as one party; with termsHash only if they are the ones that it stands for.',
    },
    activate: {
      event: 'contract.activated',
      who: ['client'],
      input: is.object({ amount: is.amount }),
      example: { amount: 60 },
      summary: 'Lock the agreed Tokens in an escrow of the contract.',
      makes: { escrow: 'esc-' },
      refusals: { in: { draft: { code: 'CONTRACT_NOT_SIGNED', about: stillToSign } } },
    },
    submit: {
      event: 'milestone.submitted',
      who: ['provider'],
      input: is.object({ ...which, ...submission }),
      example: { milestoneId: 'sketch', notes: 'two variants', deliverables: [{ name: 'sketch.svg' }] },
      summary: 'Hand in a milestone.',
      ...about('submit'),
    },
    approve: {
      event: 'milestone.approved',
      who: ['client'],
      input: is.object({ ...which, rating: is.optional(is.integer(1, 5)), feedback: is.optional(is.text(2_000)) }),
      example: { milestoneId: 'sketch', rating: 5 },
      summary: 'Approve a milestone and pay it.',
      ...about('approve'),
    },
    reject: {
      event: 'milestone.rejected',
      who: ['client'],
      input: is.object({ ...which, feedback: is.optional(is.text(2_000)) }),
      example: { milestoneId: 'sketch', feedback: 'one variant is missing' },
      summary: 'Send a milestone back; it can be handed in again.',
      ...about('reject'),
    },
    complete: {
      event: 'contract.completed',
      who: ['client'],
      ...nothing,
      summary: 'End the contract once all milestones are approved; the rest goes to the provider.',
    },
    consent: {
      event: 'contract.consented',
      who: ['provider'],
      ...nothing,
      summary: 'Let the client terminate, until the next milestone is handed in.',
    },
    terminate: {
      event: 'contract.terminated',
      who: ['client', 'provider'],
      input: is.object({ reason: is.optional(is.text(1_000)) }),
      example: { reason: 'not needed any more' },
      summary: 'End a draft, or an active contract where that is allowed; the rest goes back to the client.',
    },
    dispute: {
      event: 'contract.disputed',
      who: ['client', 'provider'],
      input: is.object(disputeFields),
      example: { reason: 'quality', description: 'it is not what was agreed on' },
      summary: 'Have the contract arbitrated.',
      makes: { dispute: 'dsp-' },
      refusals: { who: 'DISPUTE_NOT_ALLOWED', state: 'DISPUTE_NOT_ALLOWED' },
      reply: { kind: 'dispute' },
    },
    resolve: {
      event: 'contract.resolved',
      eventInPlace: 'contract.resolution-proposed',
      who: ['client', 'provider', 'arbiter', 'networkArbiter', 'workflow'],
      input: is.object(rulingFields),
      example: { resolution: 'release' },
      summary: 'Decide its dispute, as arbiter; as a party, ask for what ends it once the other asks for the same.',
      decidedBy: ruledOn,
    },
    overdue: {
      event: 'contract.overdue',
      who: ['clock'],
      ...nothing,
      summary: 'The clock notes that a deadline has passed; the contract stays as it is.',
      internal: true,
    },
  },
  guards: contractGuards,
  attests: { sign: ({ termsHash }, { network, id }) => `svc:contract:v1:${network}:${id}:${termsHash}` },
  effects: {},
  deal: {
    parties: ({ client, provider }) => ({ client, provider }),
    // A draft that was dropped is none.
    isFinished: (state, { amount }) => (state === 'completed' || state === 'terminated') && amount !== 0,
  },
  alarm: (state, held) => {
    const at = state === 'active' ? nextDeadline(held) : null;
    return at === null ? null : { at, action: 'overdue' };
  },
  labels: ({ client, provider }) => [`client:${client}`, `provider:${provider}`],
  list: { name: 'contracts', roles: ['client', 'provider'], statuses, states: statesOf },
  view,
  text: viewText,
  viewSchema,
});
