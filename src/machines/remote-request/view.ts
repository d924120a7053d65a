/** A remote request as callers see it (docs/reference/remote-requests.md#view), and its schema. */
import { codes } from '../../core/refusal.js';
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/definition.js';
import { versionFields } from '../kernel/version-fields.js';
import type { RemoteRequestContext } from './machine.js';

export const statuses = ['sent', 'accepted', 'refused', 'given-up', 'answered-late'] as const;

/** What a request asks for, and how it was refused: members of requests and of their answers. */
export interface RequestedRemotely {
  readonly context: Pick<RemoteRequestContext, 'signer' | 'subject' | 'money' | 'code' | 'detail'>;
}

export const askedMembers = {
  signer: [a.described(a.did, 'DID that asks.'), ({ context }: RequestedRemotely) => context.signer],
  subject: [
    a.described(
      a.object({
        kind: a.described(a.text, 'Kind of the resource.'),
        id: a.described(a.text, 'Id of the resource at its home.'),
        action: a.described(a.text, 'The action; `create` makes the resource.'),
      }),
      'What is asked for.',
    ),
    ({ context }: RequestedRemotely) => context.subject,
  ],
  money: [a.described(a.tokens, 'Tokens that go with it.'), ({ context }: RequestedRemotely) => context.money],
  code: [
    a.described(a.nullable(a.oneOf(...Object.keys(codes))), 'Code of the refusal; null unless it was refused.'),
    ({ context }: RequestedRemotely) => context.code,
  ],
  reason: [
    a.confidential(a.described(a.nullable(a.text), 'The refusal’s sentence; null unless it was refused.')),
    ({ context }: RequestedRemotely) => context.detail,
  ],
} as const;

const { signer, subject, money, ...refusal } = askedMembers;

const form = publicForm<Resource<RemoteRequestContext>>(
  {
    remoteRequestId: [a.described(a.text, 'Id of the remote request.'), ({ id }) => id],
    id: [a.described(a.text, 'The same as `remoteRequestId`.'), ({ id }) => id],
    status: [
      a.described(
        a.oneOf(...statuses),
        '`sent`: not answered yet; `given-up`: the operator no longer waits for an answer; `answered-late`: it came afterwards.',
      ),
      ({ state }) => state,
    ],
    signer,
    to: [a.described(a.did, 'DID of the home that is asked.'), ({ context }) => context.home],
    subject,
    money,
    escrowId: [
      a.described(a.nullable(a.text), 'The escrow of these Tokens; null: none.'),
      ({ context }) => context.escrowId,
    ],
    answer: [
      a.described(
        a.nullable(a.hash),
        'Hash of the event that answers it, in the journal of the home that is asked; null before.',
      ),
      ({ context }) => context.answer,
    ],
    ...refusal,
    ...versionFields,
  },
  {
    owner: [
      a.described(a.did, 'Whose Tokens go home by it; absent from requests of residents.'),
      ({ context }) => context.owner,
    ],
    loss: [
      a.described(a.tokens, 'Only if it was given up: Tokens that this home loses if it was accepted.'),
      ({ context }) => context.loss,
    ],
  },
);

export const { view } = form;
export const viewSchema = a.named('RemoteRequest', form.schema);
