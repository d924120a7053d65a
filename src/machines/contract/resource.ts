/**
 * The contract as a resource (docs/reference/contracts-and-disputes.md): roles, inputs and refusals of its actions. It
 * moves no Tokens: its escrow does, in the same entry.
 */

import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { envelope } from '../deliverable/envelope.js';
import { disputeFields } from '../dispute/claim.js';
import { addsNetworkArbiter, arbiters, ruledMoves, ruledOn, rulingInput } from '../dispute/ruling.js';
import { defineResource } from '../kernel/definition.js';
import type { MachineEvent } from '../kernel/resource.js';
import { isIn } from '../kernel/state-path.js';
import { contractGuards } from './guards.js';
import { agreed, type ContractContext, contractMachine, nextDeadline, nextReview, partiesOf } from './machine.js';
import { milestoneMachine } from './milestone.js';
import { type Agreement, agreementAliases, agreementFields, flawOf, milestonesOf } from './terms.js';
import { changeContract, draftContract, submitMilestone } from './transformers.js';
import { milestoneSchema, statesOf, statuses, substates, view, viewSchema } from './view.js';

const createInput = is.aliased(
  is.object({ provider: is.described(is.did, 'DID that does the work.'), ...agreementFields }),
  agreementAliases,
);
type CreateContractInput = is.TypeOf<typeof createInput> & {
  /** The network's arbiter, added by the node; callers do not send it. */
  readonly networkArbiter?: string | undefined;
  /** Drawn by the node. */
  readonly salt?: string | undefined;
};

const addsSalt = { salt: is.described(is.pattern(/^[0-9a-f]{32}$/, '16 bytes in hex'), 'Salt of `termsHash`, hex.') };

const agreementOf = ({ salt = '', terms, payment, milestones }: CreateContractInput): Agreement => ({
  salt,
  terms,
  payment: payment ?? null,
  milestones: milestonesOf(milestones ?? []),
});

const partiesIn = ({ signer, input }: MachineEvent<'create', CreateContractInput>) =>
  partiesOf({ client: signer, provider: input.provider });

function check(event: MachineEvent<'create', CreateContractInput>): Refusal | undefined {
  const { signer, input } = event;
  if (input.provider === signer) return refuse('FORBIDDEN', 'the provider must be another party than the client');
  return flawOf(agreementOf(input), partiesIn(event));
}

function context(event: MachineEvent<'create', CreateContractInput>): ContractContext {
  const { signer, input } = event;
  const parties = partiesIn(event);
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

const which = { milestoneId: is.described(is.chosenId(), 'Id of the milestone.') };
const submission = {
  deliverables: is.optional(
    is.atMostBytes(is.list(is.leaf(is.anything), 0, 50), 16_384),
    'The deliverables: texts or objects of any form.',
  ),
  notes: is.optional(is.leaf(is.text(4_000)), 'A note to the client.'),
  delivery: is.optional(
    is.object({
      envelope: is.optional(
        is.atMostBytes(envelope, 16_384),
        'A deliverable envelope, which the node completes and signs.',
      ),
    }),
    'A delivery whose form the node checks.',
  ),
  envelopeDigest: is.optional(is.hash, 'SHA-256 of an envelope that is kept elsewhere.'),
};
const about = (action: string) => ({
  path: `/contracts/:contractId/milestones/:milestoneId/actions/${action}`,
  reply: { among: 'milestones', named: 'milestoneId', schema: milestoneSchema } as const,
});
const nothing = { input: is.object({}), example: {} };
const exampleDid = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';

export const contract = defineResource({
  kind: 'contract',
  revision: 4,
  machine: contractMachine,
  tones: {
    completed: 'good',
    terminated: 'neutral',
    disputed: 'trouble',
    'milestone/approved': 'good',
    'milestone/rejected': 'trouble',
  },
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
    transform: draftContract,
    adds: { ...addsNetworkArbiter, ...addsSalt },
    mayRefuse: ['CONTRACT_MILESTONE_INVALID'],
    event: 'contract.created',
    summary: 'Draft a contract with a provider.',
    idField: 'contractId',
    input: createInput as is.Scalar<CreateContractInput>,
    example: {
      provider: exampleDid,
      terms: { title: 'a logo in three sizes' },
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
      transform: changeContract,
      adds: addsSalt,
      event: 'contract.updated',
      who: ['client'],
      input: is.aliased(is.object({ ...agreementFields, terms: is.optional(agreementFields.terms) }), agreementAliases),
      example: { terms: { title: 'a logo in four sizes' } },
      summary: 'Change terms, payment or milestones while no one has signed; omitted members stay unchanged.',
    },
    sign: {
      event: 'contract.signed',
      who: ['client', 'provider'],
      input: is.object({
        termsHash: is.optional(
          is.hash,
          '`termsHash` of the contract that you have read. The node refuses any other hash. If absent, it is not checked.',
        ),
      }),
      example: {},
      summary: 'Sign the terms as one party; with termsHash, only if the terms have this hash.',
    },
    activate: {
      moves: [{ amount: 'amount', from: 'client, available', to: 'client, escrowed' }],
      event: 'contract.activated',
      who: ['client'],
      input: is.object({
        amount: is.described(
          is.amount,
          'Tokens to lock: `payment.totalAmount`, or at least the sum of the milestones.',
        ),
      }),
      example: { amount: 60 },
      summary: 'Lock the agreed Tokens in an escrow of the contract.',
      makes: { escrow: 'esc-' },
      refusals: { in: { draft: { code: 'CONTRACT_NOT_SIGNED', about: stillToSign } } },
    },
    submit: {
      transform: submitMilestone,
      event: 'milestone.submitted',
      who: ['provider'],
      input: is.aliased(is.object({ ...which, ...submission }), { message: 'notes' }),
      example: { milestoneId: 'sketch', notes: 'two variants', deliverables: [{ name: 'sketch.svg' }] },
      summary: 'Hand in a milestone.',
      ...about('submit'),
    },
    approve: {
      moves: [{ amount: 'the amount of the milestone', from: 'client, escrowed', to: 'provider, available' }],
      movesInPlace: true,
      event: 'milestone.approved',
      who: ['client'],
      input: is.object({
        ...which,
        rating: is.optional(is.integer(1, 5), '1 to 5 stars.'),
        feedback: is.optional(is.leaf(is.text(2_000)), 'What you say about it.'),
      }),
      example: { milestoneId: 'sketch', rating: 5 },
      summary: 'Approve a milestone and pay it.',
      ...about('approve'),
    },
    reject: {
      event: 'milestone.rejected',
      who: ['client'],
      input: is.aliased(
        is.object({ ...which, feedback: is.optional(is.leaf(is.text(2_000)), 'What you say about it.') }),
        { reason: 'feedback' },
      ),
      example: { milestoneId: 'sketch', feedback: 'one variant is missing' },
      summary: 'Send a milestone back; it can be handed in again.',
      ...about('reject'),
    },
    complete: {
      moves: [{ amount: 'what remains', from: 'client, escrowed', to: 'provider, available' }],
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
      moves: [{ amount: 'what remains', from: 'client, escrowed', to: 'client, available' }],
      movesNothing: { from: ['draft', 'signed'] },
      event: 'contract.terminated',
      who: ['client', 'provider'],
      input: is.object({ reason: is.optional(is.leaf(is.text(1_000)), 'Your reason.') }),
      example: { reason: 'not needed any more' },
      summary:
        'End a contract that is not active yet, or an active one if that is allowed; the rest goes back to the client.',
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
      moves: ruledMoves('client', 'provider'),
      movesNothing: { to: ['active'] },
      notByLoopback: true,
      event: 'contract.resolved',
      eventInPlace: 'contract.resolution-proposed',
      who: ['client', 'provider', 'arbiter', 'networkArbiter', 'workflow'],
      input: rulingInput,
      example: { resolution: 'release' },
      summary:
        'Decide the dispute as arbiter; or propose a ruling as a party, which counts once the other party proposes the same.',
      decidedBy: ruledOn,
    },
    overdue: {
      event: 'contract.overdue',
      who: ['clock'],
      ...nothing,
      summary: 'The clock records that a deadline has passed; the contract does not change.',
      internal: true,
    },
    settle: {
      moves: [{ amount: 'the amount of each milestone approved', from: 'client, escrowed', to: 'provider, available' }],
      movesInPlace: true,
      event: 'milestone.settled',
      who: ['clock'],
      ...nothing,
      summary: 'The clock approves and pays what was submitted in time and not answered by `reviewBy`.',
      internal: true,
    },
  },
  guards: contractGuards,
  attests: { sign: ({ termsHash }, { id, place }) => `svc:contract:${place}:${id}:${termsHash}` },
  effects: {},
  trade: {
    parties: ({ client, provider }) => ({ client, provider }),
    isFinished: (state, { paid }) => (state === 'completed' || state === 'terminated') && paid > 0,
  },
  alarm: (state, held) => {
    if (!isIn(state, 'active')) return null;
    const [deadline, review] = [nextDeadline(held), nextReview(held)];
    if (review !== null && review <= (deadline ?? review)) return { at: review, action: 'settle' };
    return deadline === null ? null : { at: deadline, action: 'overdue' };
  },
  labels: ({ client, provider }) => [`client:${client}`, `provider:${provider}`],
  openMembers: [
    'client',
    'provider',
    'arbiter',
    'networkArbiter',
    'termsHash',
    'signatures',
    'amount',
    'paid',
    'refunded',
    'escrowId',
    'disputeId',
    'consented',
    'notedUntil',
  ],
  // The arbiter of the terms may read, and the network's arbiter once there is a dispute that it may have to decide.
  payloadReaders: ({ client, provider, terms, networkArbiter, disputeId }) =>
    [
      client,
      provider,
      (terms.arbiter as string | undefined) ?? null,
      disputeId === null ? null : networkArbiter,
    ].filter((did) => did !== null),
  list: {
    name: 'contracts',
    roles: ['client', 'provider'],
    statuses: [...statuses, 'signed', 'terminated'],
    states: statesOf,
    substates,
  },
  view,
  viewSchema,
});
