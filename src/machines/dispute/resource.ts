/**
 * The dispute as a resource (docs/reference/contracts-and-disputes.md#disputes): opened by the workflow of the disputed
 * resource, decided here.
 */
import type { JsonObject } from '../../core/canonical.js';
import * as is from '../../core/schema/scalar.js';
import { defineResource } from '../kernel/definition.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent } from '../kernel/resource.js';
import { claim, type DisputeClaim } from './claim.js';
import { type DisputeContext, type DisputeEvent, disputeMachine } from './machine.js';
import { arbiters, type Disagreement, fallbackAfterMs, invalidRulingOf, ruledMoves, rulingInput } from './ruling.js';
import { statuses, subjectIdOf, view, viewSchema } from './view.js';

export interface Opening extends Omit<Disagreement, 'openedAt' | 'proposals'> {
  readonly subject: DisputeContext['subject'];
  readonly escrowId: string | null;
}
type CreateDisputeInput = DisputeClaim & Opening;

function context({ input, signer, time }: MachineEvent<'create', CreateDisputeInput>): DisputeContext {
  return {
    subject: input.subject,
    escrowId: input.escrowId,
    client: input.client,
    provider: input.provider,
    arbiter: input.arbiter,
    networkArbiter: input.networkArbiter,
    fallback: input.fallback,
    rest: input.rest,
    resumable: input.resumable,
    openedAt: time,
    openedBy: signer,
    reason: input.reason,
    description: input.description ?? null,
    evidence: input.evidence ?? [],
    proposals: { client: null, provider: null },
    ruling: null,
    ruledBy: null,
    ruledAt: null,
    note: null,
  };
}

const { wordsOn } = functionsFor<DisputeContext, DisputeEvent>();

export const dispute = defineResource({
  kind: 'dispute',
  revision: 1,
  machine: disputeMachine,
  tones: { open: 'trouble', resolved: 'neutral' },
  route: { path: '/disputes', param: 'disputeId', tag: 'Contracts', idPrefix: 'dsp-' },
  refusals: { unknown: 'NOT_FOUND', state: 'CONFLICT', stale: 'CONFLICT' },
  signerOptional: true,
  roles: {
    client: ({ client }) => [client],
    provider: ({ provider }) => [provider],
    ...arbiters,
  },
  create: {
    event: 'dispute.opened',
    summary: 'Opened with the action dispute of a contract or an order.',
    idField: 'disputeId',
    internal: true,
    who: ['workflow'],
    input: claim as is.Scalar<CreateDisputeInput>,
    example: { reason: 'quality' },
    check: () => undefined,
    context,
  },
  actions: {
    resolve: {
      moves: ruledMoves('client', 'provider'),
      notByLoopback: true,
      event: 'dispute.resolved',
      eventInPlace: 'dispute.resolution-proposed',
      who: ['client', 'provider', 'arbiter', 'networkArbiter'],
      input: rulingInput,
      example: { resolution: 'release' },
      summary:
        'Decide it, as arbiter; as a party, propose an outcome, which ends it once the other party proposes the same.',
    },
    settle: {
      moves: ruledMoves('client', 'provider'),
      event: 'dispute.settled',
      who: ['clock'],
      input: is.object({}),
      example: {},
      summary: 'The clock divides the Tokens of an order that no one has decided about for 60 days.',
      internal: true,
    },
  },
  guards: {
    mayRuleNow: {
      code: 'FORBIDDEN',
      over: 'state',
      says: 'the network’s arbiter may decide once the dispute has been open for 30 days',
    },
    fallbackHasCome: { code: 'CONFLICT', over: 'input', says: 'the fallback comes after 60 days' },
    rulingMakesUpTheRest: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: [
        'the amounts of the ruling are not what is in dispute',
        wordsOn(['resolve'], (dispute, { input }) => invalidRulingOf(dispute, input)),
      ],
    },
    endsByItself: { code: 'CONFLICT', over: 'state', says: 'a contract waits until a party asks for the fallback' },
    hasWaited: { code: 'CONFLICT', over: 'state', says: 'the fallback comes after 60 days' },
    isDecided: { code: 'CONFLICT', over: 'input', says: 'the other party has not asked for the same' },
  },
  effects: {},
  alarm: (state, { resumable, openedAt }) =>
    state === 'open' && !resumable ? { at: openedAt + fallbackAfterMs, action: 'settle' } : null,
  labels: (held) => {
    const roles = Object.entries({ client: held.client, provider: held.provider, arbiter: held.arbiter })
      .filter(([, did]) => did !== null)
      .map(([role, did]) => `${role}:${did}`);
    const place = Object.entries(subjectIdOf(held.subject) as JsonObject).map(([name, id]) => `${name}:${id}`);
    return [...roles, ...place, ...place.flatMap((each) => roles.map((role) => `${each}/${role}`))];
  },
  payloadReaders: ({ client, provider, arbiter, networkArbiter }) =>
    [client, provider, arbiter, networkArbiter].filter((did) => did !== null),
  list: {
    name: 'disputes',
    roles: ['client', 'provider', 'arbiter'],
    statuses,
    below: [
      {
        of: 'contract',
        path: '/contracts/:contractId/disputes',
        name: 'listContractDisputes',
        summary: 'List the disputes of a contract, newest first.',
      },
    ],
  },
  view,
  viewSchema,
});
