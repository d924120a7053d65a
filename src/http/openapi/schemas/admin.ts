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

const loggedRequestSchema = a.named(
  'LoggedRequest',
  a.object({
    number: a.described(a.count, 'Number of the request since the start of the process, from 1.'),
    requestId: a.described(a.text, 'As in `X-Request-Id`.'),
    answeredAt: a.described(a.time, 'When it was answered; epoch milliseconds.'),
    method: a.described(a.text, 'Method: `GET`.'),
    route: a.described(a.text, 'Pattern of the route; `(none)` if there is no such route.'),
    status: a.described(a.count, 'Status of the answer; 499 if the client had closed the connection.'),
    code: a.nullable(a.text, 'Code of the refusal: `NOT_FOUND`; null if it was not refused.'),
    ms: a.described(a.count, 'Milliseconds from its head to the answer.'),
    caller: a.described(a.text, 'Id of the API key, or the address; empty if it was refused before that was known.'),
  }),
);

export const requestLogSchema = a.object({
  requests: a.described(a.list(loggedRequestSchema), 'Newest first.'),
  next: a.described({ type: ['integer', 'null'] }, 'Send as `before` for the next page; null on the last.'),
});

export const lockSchema = a.object({
  did: a.did,
  unlocked: a.described(a.flag, 'Keys bound to the DID sign without its passphrase.'),
});
