/** The remote request as a resource (docs/reference/remote-requests.md): an action on a resource of another home. */
import { type Code, codes, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { MachineEvent } from '../kernel/definition.js';
import { defineResource } from '../kernel/resource.js';
import { succeeding } from '../kernel/versioning.js';
import { flawOfHomeward } from './homeward-terms.js';
import { firstRemoteRequestMachine, type RemoteRequestContext, remoteRequestMachine } from './machine.js';
import { statuses, view, viewSchema } from './view.js';

const longestText = 1_024;
const text = is.text(longestText, 1);

/** What the home of the resource is asked for. */
export const askedFields = {
  kind: is.described(text, 'Kind of the resource.'),
  resource: is.described(text, 'Id of the resource.'),
  action: is.described(text, 'The action; `create` makes the resource.'),
  resourcePrev: is.described(is.optional(is.nullable(is.hash)), 'Hash of the resource’s last event, as a condition.'),
  ids: is.described(is.optional(is.freeObject), 'Ids of further resources that the action makes.'),
};

export const requestInput = is.object({
  home: is.described(is.did, 'DID of the home of the resource.'),
  ...askedFields,
  input: is.described(is.optional(is.freeObject), 'Input of the action.'),
  confidential: is.described(is.optional(is.confidential(is.freeObject)), 'Input of the action, for the parties only.'),
  money: is.described(is.integer(0), 'Tokens that go with it.'),
  owner: is.described(is.optional(is.did), 'Resident of the other home whose Tokens here go home.'),
});
export type RemoteRequestInput = is.TypeOf<typeof requestInput> & { readonly escrowId?: string | null };

function check({ input, home, roles }: MachineEvent<'create', RemoteRequestInput>): Refusal | undefined {
  const { escrowId: _, ...given } = input;
  const parsed = is.parse(requestInput, structuredClone(given));
  if (isRefusal(parsed)) return parsed;
  if (input.home === home) return refuse('UNPROCESSABLE', 'the resource belongs to this home');
  if (input.owner !== undefined) {
    if (!roles.includes('operator'))
      return refuse('FORBIDDEN', 'only the home itself sends the Tokens of other homes’ residents home');
    const flaw = flawOfHomeward(input, home);
    if (flaw) return refuse('UNPROCESSABLE', flaw);
  }
  return (input.input === undefined) === (input.confidential === undefined)
    ? refuse('UNPROCESSABLE', 'a remote request has either input or confidential')
    : undefined;
}

const context = ({ input, signer }: MachineEvent<'create', RemoteRequestInput>): RemoteRequestContext => ({
  signer,
  home: input.home,
  subject: { kind: input.kind, id: input.resource, action: input.action },
  money: input.money,
  escrowId: input.escrowId ?? null,
  ...(input.owner === undefined ? {} : { owner: input.owner }),
  answer: null,
  code: null,
  detail: null,
});

/**
 * The label of requests that are not closed; `open:to:<DID>`, and so on for each role, is that of a DID's. Without them,
 * a look for the few that are open would read all that were ever sent.
 */
export const openLabel = 'open';
/** The label of requests to this home that were given up, answered late or not. */
export const givenUpLabel = (home: string): string => `given-up:to:${home}`;

/** A code that refusals have. */
export const refusalCode = is.oneOf(...(Object.keys(codes) as [Code, ...Code[]]));

const answer = is.described(is.hash, 'Hash of the event that answers it, in the journal of the asked home.');
const exampleDid = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';
const exampleHash = '0'.repeat(64);

const current = defineResource({
  kind: 'remote-request',
  revision: 2,
  machine: remoteRequestMachine,
  tones: { accepted: 'good', refused: 'neutral', 'given-up': 'trouble', 'answered-late': 'trouble' },
  route: { path: '/remote-requests', param: 'remoteRequestId', tag: 'Remote requests', idPrefix: 'rem-' },
  refusals: { unknown: 'NOT_FOUND', state: 'CONFLICT', stale: 'CONFLICT' },
  roles: {
    signer: ({ signer }) => [signer],
    to: ({ home }) => [home],
    owner: ({ owner }) => (owner === undefined ? [] : [owner]),
  },
  create: {
    moves: [{ amount: 'money', from: 'signer, available', to: 'signer, escrowed' }],
    event: 'remote.sent',
    summary: 'Sent by every action on a resource of another home.',
    idField: 'remoteRequestId',
    internal: true,
    input: requestInput as is.Scalar<RemoteRequestInput>,
    example: { home: exampleDid, kind: 'escrow', resource: 'esc-1', action: 'expire', input: {}, money: 0 },
    makes: { escrow: 'esc-' },
    check,
    context,
  },
  actions: {
    complete: {
      moves: [{ amount: 'money', from: 'signer, escrowed', to: 'to, available' }],
      event: 'remote.completed',
      who: ['operator'],
      input: is.object({ answer }),
      example: { answer: exampleHash },
      summary: 'The other home has accepted it: its Tokens go to that home’s account here.',
      internal: true,
    },
    return: {
      moves: [{ amount: 'money', from: 'signer, escrowed', to: 'signer, available' }],
      event: 'remote.returned',
      who: ['operator'],
      input: is.object({
        answer,
        code: is.described(refusalCode, 'Code of the refusal.'),
        detail: is.described(is.confidential(is.text(longestText)), 'Its sentence.'),
      }) as never,
      example: { answer: exampleHash, code: 'ESCROW_INVALID_STATE', detail: 'the expiry has not passed' },
      summary: 'The other home has refused it: its Tokens go back to the signer.',
      internal: true,
    },
    'give-up': {
      moves: [{ amount: 'money', from: 'signer, escrowed', to: 'signer, available' }],
      event: 'remote.given-up',
      who: ['operator'],
      input: is.object({
        loss: is.described(is.integer(0), 'Tokens that this home loses if it was accepted: all that went with it.'),
        reason: is.described(is.confidential(is.text(longestText, 1)), 'Why.'),
      }) as never,
      example: { loss: 0, reason: 'the other home is gone' },
      summary: 'The operator gives it up: its Tokens go back, and this home loses them if it was accepted.',
      internal: true,
    },
    note: {
      event: 'remote.answered-late',
      who: ['operator'],
      input: is.object({
        answer,
        code: is.described(is.optional(refusalCode), 'Code of the refusal; absent if it was accepted.'),
        detail: is.described(is.optional(is.confidential(is.text(longestText))), 'Its sentence.'),
      }) as never,
      example: { answer: exampleHash, code: 'ESCROW_INVALID_STATE', detail: 'the expiry has not passed' },
      summary: 'The other home has answered it after it was given up; nothing is paid.',
      internal: true,
    },
  },
  guards: {
    namesTheLoss: { code: 'UNPROCESSABLE', says: 'loss is the Tokens that went with the request', over: 'input' },
  },
  effects: {},
  alarm: () => null,
  labels: (held) => {
    const { signer, home, owner, answer, loss } = held;
    const ofRoles = [`signer:${signer}`, `to:${home}`, ...(owner === undefined ? [] : [`owner:${owner}`])];
    if (loss !== undefined) return [...ofRoles, givenUpLabel(home)];
    return answer === null ? [...ofRoles, openLabel, ...ofRoles.map((label) => `${openLabel}:${label}`)] : ofRoles;
  },
  list: { name: 'remoteRequests', roles: ['signer', 'to', 'owner'], statuses },
  payloadReaders: ({ signer, home }) => [signer, home],
  openPayloads: true,
  view,
  viewSchema,
});

const first: typeof current = { ...current, revision: 1, machine: firstRemoteRequestMachine as never };
export const remoteRequest = succeeding(first, current, 'requests-can-be-given-up');
