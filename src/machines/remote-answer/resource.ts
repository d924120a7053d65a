/** The answer to a remote request as a resource (docs/reference/remote-requests.md#answers), in the journal of the asked home. */
import * as is from '../../core/schema/scalar.js';
import type { MachineEvent } from '../kernel/definition.js';
import { defineResource } from '../kernel/resource.js';
import { refusalCode } from '../remote-request/resource.js';
import { evidenceFields } from './evidence.js';
import { type RemoteAnswerContext, remoteAnswerMachine } from './machine.js';
import { statuses, view, viewSchema } from './view.js';

const reason = {
  code: is.described(is.optional(refusalCode), 'Code of the refusal; absent if it is accepted.'),
  detail: is.described(is.optional(is.confidential(is.text(1_024))), 'The refusal’s sentence.'),
};

/** The evidence, with either `law` (it is accepted) or `code` and `detail`. */
const answerInput = is.object({
  ...evidenceFields,
  law: is.described(
    is.optional(is.text(1_024, 1)),
    'Definition version and revision of the workflow that decide the action; absent if it is refused.',
  ),
  networkArbiter: is.described(
    is.optional(is.did),
    'The arbiter of the network as the answering home knows it, for an action that stores it.',
  ),
  ...reason,
});
export type AnswerInput = is.TypeOf<typeof answerInput>;

/** What the workflow states of a request that it has proven. */
export interface ReceivedInput {
  readonly signer: string;
  readonly from: string;
  readonly subject: RemoteAnswerContext['subject'];
  readonly money: number;
  readonly code?: string;
  readonly detail?: string;
}

const context = ({ input }: MachineEvent<'create', ReceivedInput>): RemoteAnswerContext => ({
  signer: input.signer,
  from: input.from,
  subject: input.subject,
  money: input.money,
  code: input.code ?? null,
  detail: input.detail ?? null,
});

const nothing = { input: is.object({}), example: {} };

/** Its id is the hash of the event that sent the request, so that a request has one answer. */
export const remoteAnswer = defineResource({
  kind: 'remote-answer',
  revision: 1,
  machine: remoteAnswerMachine,
  tones: { accepted: 'good', refused: 'neutral' },
  route: {
    ...{ path: '/remote-answers', param: 'remoteAnswerId', tag: 'Remote requests', idPrefix: '', ownReads: true },
  },
  refusals: { unknown: 'NOT_FOUND', state: 'CONFLICT', stale: 'CONFLICT' },
  roles: { signer: ({ signer }) => [signer], from: ({ from }) => [from] },
  create: {
    event: 'remote.answered',
    summary: 'Do what was asked for, by its signer, with the Tokens that go with it; or refuse it.',
    moves: [{ amount: 'money', from: 'from, available', to: 'signer, available' }],
    idField: 'remoteAnswerId',
    internal: true,
    who: ['operator'],
    input: answerInput as unknown as is.Scalar<ReceivedInput>,
    example: { event: {}, salt: '0'.repeat(32), request: {}, law: 'escrow-3-000000000000' },
    check: () => undefined,
    context,
    followUps: ({ code }) => [{ type: code === undefined ? 'accept' : 'refuse', input: {} }],
  },
  actions: {
    accept: { event: 'remote.accepted', who: ['workflow'], ...nothing, summary: 'It was accepted.', internal: true },
    refuse: { event: 'remote.refused', who: ['workflow'], ...nothing, summary: 'It was refused.', internal: true },
  },
  guards: {},
  effects: {},
  alarm: () => null,
  labels: ({ signer, from }) => [`signer:${signer}`, `from:${from}`],
  list: { name: 'remoteAnswers', roles: ['signer', 'from'], statuses },
  payloadReaders: ({ signer, from }) => [signer, from],
  openPayloads: true,
  view,
  viewSchema,
});
