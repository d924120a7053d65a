/** The answer to a remote request as readers see it, and its schema (docs/reference/remote-requests.md#answers). */
import { codes } from '../../core/refusal.js';
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/definition.js';
import { versionFields } from '../kernel/version-fields.js';
import type { RemoteAnswerContext } from './machine.js';

export const statuses = ['accepted', 'refused'] as const;

const form = publicForm<Resource<RemoteAnswerContext>>({
  remoteAnswerId: [a.described(a.hash, 'Hash of the event that sent the request.'), ({ id }) => id],
  id: [a.described(a.hash, 'The same as `remoteAnswerId`.'), ({ id }) => id],
  status: [a.described(a.oneOf(...statuses), 'The answer.'), ({ state }) => state],
  signer: [a.described(a.did, 'DID that asks.'), ({ context }) => context.signer],
  from: [a.described(a.did, 'DID of its home, whose account here pays.'), ({ context }) => context.from],
  subject: [
    a.described(
      a.object({
        kind: a.described(a.text, 'Kind of the resource.'),
        id: a.described(a.text, 'Id of the resource.'),
        action: a.described(a.text, 'The action; `create` makes the resource.'),
      }),
      'What was asked for.',
    ),
    ({ context }) => context.subject,
  ],
  money: [a.described(a.tokens, 'Tokens that go with it.'), ({ context }) => context.money],
  code: [
    a.described(a.nullable(a.oneOf(...Object.keys(codes))), 'Code of the refusal; null if it was accepted.'),
    ({ context }) => context.code,
  ],
  reason: [
    a.confidential(a.described(a.nullable(a.text), 'The refusal’s sentence; null if it was accepted.')),
    ({ context }) => context.detail,
  ],
  ...versionFields,
});

export const { view } = form;
export const viewSchema = a.named('RemoteAnswer', form.schema);
