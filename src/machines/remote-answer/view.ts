/** The answer to a remote request as readers see it, and its schema (docs/reference/remote-requests.md#answers). */
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/definition.js';
import { versionFields } from '../kernel/version-fields.js';
import { askedMembers } from '../remote-request/view.js';
import type { RemoteAnswerContext } from './machine.js';

export const statuses = ['accepted', 'refused'] as const;

const { signer, ...asked } = askedMembers;

const form = publicForm<Resource<RemoteAnswerContext>>({
  remoteAnswerId: [a.described(a.hash, 'Hash of the event that sent the request.'), ({ id }) => id],
  id: [a.described(a.hash, 'The same as `remoteAnswerId`.'), ({ id }) => id],
  status: [a.described(a.oneOf(...statuses), 'The answer.'), ({ state }) => state],
  signer,
  from: [a.described(a.did, 'DID of its home, whose account here pays.'), ({ context }) => context.from],
  ...asked,
  ...versionFields,
});

export const { view } = form;
export const viewSchema = a.named('RemoteAnswer', form.schema);
