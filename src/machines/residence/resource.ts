/** The residence of a DID as a resource (docs/reference/moving.md). Its id is the DID, which alone moves it. */
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { MachineEvent } from '../kernel/definition.js';
import { residenceKind } from '../kernel/moved.js';
import { defineResource } from '../kernel/resource.js';
import { type MoveInput, type ResidenceContext, residenceMachine } from './machine.js';
import { statuses, view, viewSchema } from './view.js';

export const moveInput = is.object({
  to: is.described(is.did, 'DID of the new home.'),
  epoch: is.described(is.integer(1), 'Number of the move: the highest one says where the DID lives.'),
});

function check({ id, signer, home }: MachineEvent<'create', MoveInput>): Refusal | undefined {
  if (signer !== id) return refuse('FORBIDDEN', 'only the DID itself moves');
  return home === null || id === home ? refuse('UNPROCESSABLE', 'the DID of a home lives at that home') : undefined;
}

const context = ({ id, home }: MachineEvent<'create', MoveInput>): ResidenceContext => ({
  did: id,
  home: home ?? '',
  epoch: 0,
});

const example = { to: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH', epoch: 1 };

export const residence = defineResource({
  kind: residenceKind,
  revision: 1,
  machine: residenceMachine,
  route: { path: '/residences', param: 'did', tag: 'Identity', idPrefix: 'did:svc:', ownReads: true },
  refusals: { unknown: 'NOT_FOUND', state: 'CONFLICT', stale: 'CONFLICT' },
  roles: { holder: ({ did }) => [did] },
  create: {
    event: 'identity.moved',
    summary: 'The first move of a DID in the journal of this home.',
    idField: 'did',
    internal: true,
    who: ['anyone'],
    input: moveInput as is.Scalar<MoveInput>,
    example,
    check,
    context,
    followUps: (input) => [{ type: 'move', input: { ...input } }],
  },
  actions: {
    move: {
      event: 'identity.moved',
      who: ['holder'],
      input: moveInput as never,
      example,
      summary: 'The DID moves to another home, or comes to this one.',
      internal: true,
    },
  },
  guards: {
    raisesTheEpoch: { code: 'CONFLICT', says: 'epoch must be above that of the move before', over: 'input' },
    comesHere: {
      code: 'UNPROCESSABLE',
      says: ['it has left this home', ({ did, home }) => `${did} has left this home, and lives at ${home}: act there`],
      over: 'input',
    },
    goesElsewhere: { code: 'UNPROCESSABLE', says: 'to is this home', over: 'input' },
  },
  effects: {},
  alarm: () => null,
  labels: ({ did }) => [`holder:${did}`],
  list: { name: 'residences', roles: ['holder'], statuses },
  view,
  viewSchema,
});
