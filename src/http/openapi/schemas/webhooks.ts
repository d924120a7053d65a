/** Webhooks and their deliveries (docs/webhooks.md). */
import * as a from '../../../core/schema/shape.js';
import { pageOf } from './replies.js';

const needed: a.SchemaMembers = {
  id: a.text,
  url: a.described(a.text, 'Where deliveries are posted to.'),
  label: a.text,
  status: a.oneOf('active', 'disabled'),
  reason: a.described(a.nullable(a.text), 'Why it is disabled.'),
  createdAt: a.time,
  updatedAt: a.time,
  previousSecretUntil: a.described(
    a.nullable(a.time),
    'Epoch milliseconds until which deliveries bear a second signature, by the secret before; null: there is none.',
  ),
  deliveredUpTo: a.described(
    a.count,
    'Number of the entry up to which all is done with: delivered, given up, or not asked for.',
  ),
  waiting: a.described(a.count, 'Deliveries that have failed and will be tried again.'),
  failingSince: a.described(
    a.nullable(a.time),
    'Epoch milliseconds since when nothing at all has arrived; null while all is well.',
  ),
  deliveredAt: a.described(a.nullable(a.time), 'Epoch milliseconds of the last delivery that arrived; null: none yet.'),
};

const filters: a.SchemaMembers = {
  types: a.described(a.list(a.text), 'Types of events: `escrow.released`, `escrow.*`.'),
  kinds: a.described(a.list(a.text), 'Kinds of which a resource was written.'),
  did: a.described(a.did, 'Signed by it, or Tokens of it moved.'),
  resource: a.described(a.text, '`<kind>/<id>`'),
};

export const webhookSchema = a.named('Webhook', a.object(needed, filters));

const secret = {
  type: ['string', 'null'],
  description: 'What deliveries are signed with; shown this once, null in a replay.',
};
export const createdWebhookSchema = a.named('CreatedWebhook', a.object({ ...needed, secret }, filters));
export const webhooksSchema = pageOf('webhooks', webhookSchema);

export const deliverySchema = a.named(
  'Delivery',
  a.object({
    id: a.described(a.text, 'The same in each attempt: the header `Svc-Webhook-Id`.'),
    type: a.described(a.text, 'Of the event; `webhook.test` for a test.'),
    seq: a.described(a.nullable(a.count), 'Number of the entry; null for a test.'),
    attempt: a.described({ type: 'integer', minimum: 1 }, 'The how-manieth try.'),
    outcome: a.described(a.oneOf('delivered', 'failed', 'given-up'), 'A failed one is tried again.'),
    status: a.described(a.nullable(a.count), 'HTTP status; null where no answer came.'),
    error: a.described(a.nullable(a.text), 'Why it failed.'),
    at: a.described(a.time, 'When it was sent; epoch milliseconds.'),
    durationMs: a.count,
  }),
);
export const deliveriesSchema = pageOf('deliveries', deliverySchema);
