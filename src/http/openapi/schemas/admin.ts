/** Replies to operators' actions that are not views of a resource. */
import * as a from '../../../core/schema/shape.js';
import { pageSchema } from './replies.js';

const actSchema = a.named(
  'AdminAct',
  a.object({
    id: a.described(a.text, 'Id of the act.'),
    createdAt: a.described(a.time, 'When it was done; epoch milliseconds.'),
    act: a.described(a.text, 'Dotted: `api-key.create`, `account.freeze`, `identity.unlock`.'),
    by: a.described(a.text, 'Id of the API key, or the origin of the act: `cli`, `control`, an address.'),
    details: a.described(a.freeObject, 'What the act was about; contains no secrets.'),
    outcome: a.described(
      a.oneOf('begun', 'done'),
      '`begun`: the act is in progress, it failed, or the process ended before it recorded the outcome.',
    ),
  }),
);

export const adminLogSchema = pageSchema('acts', actSchema);

export const lockSchema = a.object({
  did: a.did,
  unlocked: a.described(a.flag, 'Keys bound to the DID sign without its passphrase.'),
});
