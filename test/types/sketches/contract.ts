/**
 * Sketch: a contract with milestones. A milestone is a machine of its own, nested in the contract's context; approving
 * one releases a part of the escrow that activation made, through workflows.
 */
import { and, setup } from 'xstate';
import { type Happening, Law } from '../../../src/machines/kernel/law.js';
import { refuse } from '../../../src/machines/kernel/refusal.js';
import { defineResource } from '../../../src/machines/kernel/resource.js';
import * as is from '../../../src/machines/kernel/scalar.js';
import type { Part, Workflow } from '../../../src/machines/kernel/step.js';

// ── the milestone, one machine for all of them

type Nothing = Record<never, never>;
const milestoneMachine = setup({
  types: { events: {} as Happening<'submit', Nothing> | Happening<'approve', Nothing> | Happening<'reject', Nothing> },
}).createMachine({
  id: 'milestone',
  initial: 'pending',
  states: {
    pending: { on: { submit: 'submitted' } },
    submitted: { on: { approve: 'approved', reject: 'rejected' } },
    rejected: { on: { submit: 'submitted' } },
    approved: { type: 'final' },
  },
});
const milestoneLaw = new Law(milestoneMachine);

interface Milestone {
  readonly id: string;
  readonly amount: number;
  readonly state: string;
}

export interface Contract {
  readonly client: string;
  readonly provider: string;
  readonly signatures: readonly string[];
  readonly milestones: readonly Milestone[];
  readonly escrowId: string | null;
}

type Which = { readonly milestoneId: string };
type ContractEvent =
  | Happening<'sign', Nothing>
  /** `escrowId` is the workflow's to give; no caller states it. */
  | Happening<'activate', { readonly amount: number; readonly escrowId?: string | undefined }>
  | Happening<'submit', Which>
  | Happening<'approve', Which>
  | Happening<'reject', Which>
  | Happening<'complete', Nothing>;

const named = (context: Contract, event: ContractEvent): Milestone | undefined =>
  'milestoneId' in event.input
    ? context.milestones.find(({ id }) => id === (event.input as Which).milestoneId)
    : undefined;

const law = setup({
  types: { context: {} as Contract, events: {} as ContractEvent, input: {} as Contract },
  guards: {
    isNewSignature: ({ context, event }) => !context.signatures.includes(event.signer),
    signsLast: ({ context, event }) => new Set([...context.signatures, event.signer]).size === 2,
    amountCoversMilestones: ({ context, event }) =>
      event.type === 'activate' &&
      event.input.amount >= context.milestones.reduce((sum, { amount }) => sum + amount, 0),
    milestoneIsKnown: ({ context, event }) => named(context, event) !== undefined,
    milestoneTakesIt: ({ context, event }) => {
      const milestone = named(context, event);
      return milestone !== undefined && !milestoneLaw.denial(milestone.state, {}, event);
    },
    allApproved: ({ context }) => context.milestones.every(({ state }) => state === 'approved'),
  },
});

const step = law.assign(({ context, event }) => ({
  milestones: context.milestones.map((milestone) =>
    milestone === named(context, event)
      ? { ...milestone, state: milestoneLaw.move(milestone.state, {}, event).state }
      : milestone,
  ),
}));
const sign = law.assign(({ context, event }) => ({ signatures: [...context.signatures, event.signer] }));
const onMilestone = { guard: and(['milestoneIsKnown' as const, 'milestoneTakesIt' as const]), actions: step };

export const contractMachine = law.createMachine({
  id: 'contract',
  context: ({ input }) => ({ ...input }),
  initial: 'draft',
  states: {
    draft: {
      on: {
        sign: [
          { target: 'signed', guard: and(['isNewSignature', 'signsLast']), actions: sign },
          { guard: 'isNewSignature', actions: sign },
        ],
      },
    },
    signed: {
      on: {
        activate: {
          target: 'active',
          guard: 'amountCoversMilestones',
          actions: law.assign(({ event }) =>
            event.type === 'activate' ? { escrowId: event.input.escrowId ?? null } : {},
          ),
        },
      },
    },
    active: {
      on: {
        submit: onMilestone,
        approve: onMilestone,
        reject: onMilestone,
        complete: { target: 'completed', guard: 'allApproved' },
      },
    },
    completed: { type: 'final' },
  },
});

const which = is.object({ milestoneId: is.chosenId() });
const about = { summary: 'x', example: { milestoneId: 'm1' }, input: which };
const nothing = { summary: 'x', example: {}, input: is.object({}) };
const createInput = is.object({
  provider: is.did,
  milestones: is.list(is.object({ id: is.chosenId(), amount: is.amount }), 1, 50),
});

export const contract = defineResource({
  kind: 'contract',
  revision: 1,
  machine: contractMachine,
  route: { path: '/contracts', param: 'contractId', tag: 'Contracts', idPrefix: 'ctr-' },
  refusals: { unknown: 'CONTRACT_NOT_FOUND', state: 'CONTRACT_INVALID_STATE', stale: 'CONTRACT_INVALID_STATE' },
  roles: {
    client: ({ client }) => [client],
    provider: ({ provider }) => [provider],
  },
  create: {
    ...nothing,
    event: 'contract.created',
    idField: 'contractId',
    input: createInput,
    check: ({ input, signer }) =>
      input.provider === signer ? refuse('FORBIDDEN', 'the provider is another party') : undefined,
    context: ({ input, signer }): Contract => ({
      client: signer,
      provider: input.provider,
      signatures: [],
      milestones: input.milestones.map(({ id, amount }) => ({ id, amount, state: 'pending' })),
      escrowId: null,
    }),
  },
  actions: {
    sign: { ...nothing, event: 'contract.signed', who: ['client', 'provider'] },
    activate: {
      event: 'contract.activated',
      who: ['client'],
      input: is.object({ amount: is.amount, escrowId: is.optional(is.chosenId()) }),
      example: { amount: 1 },
      summary: 'x',
    },
    submit: { ...about, event: 'milestone.submitted', who: ['provider'] },
    approve: { ...about, event: 'milestone.approved', who: ['client'] },
    reject: { ...about, event: 'milestone.rejected', who: ['client'] },
    complete: { ...nothing, event: 'contract.completed', who: ['client'] },
  },
  guards: {
    isNewSignature: { code: 'CONTRACT_INVALID_STATE', over: 'input', says: 'signed already' },
    signsLast: { code: 'CONTRACT_INVALID_STATE', over: 'input', says: 'others are to sign' },
    amountCoversMilestones: { code: 'UNPROCESSABLE', over: 'input', says: 'amount is below the milestones’ sum' },
    milestoneIsKnown: { code: 'CONTRACT_MILESTONE_INVALID', over: 'input', says: 'no such milestone' },
    milestoneTakesIt: {
      code: 'CONTRACT_INVALID_STATE',
      over: 'input',
      says: 'the milestone’s state does not allow it',
    },
    allApproved: { code: 'CONTRACT_INVALID_STATE', over: 'state', says: 'milestones are open' },
  },
  effects: {},
  alarm: () => null,
  labels: ({ client, provider }) => [`client:${client}`, `provider:${provider}`],
  list: { name: 'contracts', roles: ['client', 'provider'], statuses: ['draft', 'signed', 'active', 'completed'] },
  view: ({ id, state, context }) => ({
    contractId: id,
    state,
    ...context,
    milestones: [...context.milestones] as never,
  }),
  viewSchema: {},
});

// ── workflows

const ofEscrow = (id: string, action: string, input: Part['input']): Part => ({
  kind: 'escrow',
  id,
  action,
  input,
  asWorkflow: true,
});

const missing = () => refuse('CONTRACT_NOT_FOUND', 'read it first');

export const contractWorkflows: { readonly [action: string]: Workflow } = {
  'contract.activate': {
    revision: 1,
    parts(request, read) {
      const stored = read('contract', request.id);
      if (!stored) return missing();
      const { provider } = stored.context as unknown as Contract;
      const escrowId = request.ids?.escrow ?? '';
      const { amount } = request.input as unknown as { amount: number };
      const purpose = { kind: 'contract', id: request.id };
      const escrow = { beneficiary: provider, amount, releaseRules: [], autoFund: true, purpose };
      return [{ ...request, input: { amount, escrowId } }, ofEscrow(escrowId, 'create', escrow)];
    },
  },
  'contract.approve': {
    revision: 1,
    parts(request, read) {
      const stored = read('contract', request.id);
      if (!stored) return missing();
      const { escrowId, milestones } = stored.context as unknown as Contract;
      const milestone = milestones.find(({ id }) => id === request.input.milestoneId);
      // The contract's own part says what is wrong where there is no such milestone.
      return milestone ? [request, ofEscrow(escrowId ?? '', 'release', { amount: milestone.amount })] : [request];
    },
  },
  'contract.complete': {
    revision: 1,
    parts(request, read) {
      const stored = read('contract', request.id);
      if (!stored) return missing();
      const { escrowId } = stored.context as unknown as Contract;
      const escrow = escrowId ? read('escrow', escrowId) : undefined;
      if (!escrow) return [request];
      const { funded, released, refunded } = escrow.context as { funded: number; released: number; refunded: number };
      const rest = funded - released - refunded;
      return rest > 0 ? [request, ofEscrow(escrowId!, 'release', { amount: rest })] : [request];
    },
  },
};
