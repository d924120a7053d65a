/** A webhook as operators see it (docs/webhooks.md). */
import { type FieldTable, publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { DeliveryLine } from '../../projections/webhooks/delivery-log.js';
import type { DeliveryProgress, Webhook } from '../../projections/webhooks/webhook.js';

interface ShownWebhook {
  readonly webhook: Webhook;
  readonly progress: DeliveryProgress;
}

interface WebhookWithSecret extends ShownWebhook {
  /** The signing secret; null in a replay. */
  readonly secret: string | null;
}

const always = {
  id: [a.described(a.text, 'Id of the webhook.'), ({ webhook }) => webhook.id],
  url: [a.described(a.text, 'Where deliveries are posted to.'), ({ webhook }) => webhook.url],
  label: [
    a.described(a.text, 'The creator’s description of the webhook; may be empty.'),
    ({ webhook }) => webhook.label,
  ],
  status: [
    a.described(a.oneOf('active', 'disabled'), '`disabled`: the node delivers nothing until you enable the webhook.'),
    ({ webhook }) => webhook.status,
  ],
  reason: [a.nullable(a.text, 'Why it is disabled.'), ({ webhook }) => webhook.reason],
  createdAt: [a.described(a.time, 'When it was created; epoch milliseconds.'), ({ webhook }) => webhook.createdAt],
  updatedAt: [a.described(a.time, 'When it last changed; epoch milliseconds.'), ({ webhook }) => webhook.updatedAt],
  previousSecretUntil: [
    a.nullable(
      a.time,
      'Epoch milliseconds until which deliveries have a second signature, by the previous secret; null if there is none.',
    ),
    ({ webhook }) => webhook.previousSecretUntil,
  ],
  deliveredUpTo: [
    a.described(
      a.count,
      'Number of the entry up to which every event is delivered, given up, or excluded by the filters.',
    ),
    ({ progress }) => progress.at,
  ],
  waiting: [
    a.described(a.count, 'Deliveries that have failed and will be tried again.'),
    ({ progress }) => progress.failed.length,
  ],
  failingSince: [
    a.nullable(a.time, 'Epoch milliseconds since when all deliveries fail; null if they succeed.'),
    ({ progress }) => progress.failingSince,
  ],
  deliveredAt: [
    a.nullable(a.time, 'Epoch milliseconds of the last successful delivery; null if there is none yet.'),
    ({ progress }) => progress.deliveredAt,
  ],
} satisfies FieldTable<ShownWebhook, unknown>;

const filters = {
  types: [
    a.described(a.list(a.text), 'Types of events: `escrow.released`, `escrow.*`.'),
    ({ webhook }) => webhook.types,
  ],
  kinds: [a.described(a.list(a.text), 'Kinds of resources that the entry wrote.'), ({ webhook }) => webhook.kinds],
  did: [a.described(a.did, 'DID that signed the event, or whose Tokens moved.'), ({ webhook }) => webhook.did],
  resource: [a.described(a.text, '`<kind>/<id>`'), ({ webhook }) => webhook.resource],
} satisfies FieldTable<ShownWebhook, unknown>;

const form = publicForm<ShownWebhook>(always, filters);
const createdForm = publicForm<WebhookWithSecret>(
  {
    ...always,
    secret: {
      type: ['string', 'null'],
      description: 'The secret that signs deliveries; shown only once, null in a replay.',
    },
  },
  filters,
);

export const webhookSchema = a.named('Webhook', form.schema);
export const webhookView = form.view;
export const createdWebhookSchema = a.named('CreatedWebhook', createdForm.schema);
export const createdWebhookView = createdForm.view;

const deliveryForm = publicForm<DeliveryLine>({
  id: a.described(a.text, 'The same in each attempt: the header `Svc-Webhook-Id`.'),
  type: a.described(a.text, 'Of the event; `webhook.test` for a test.'),
  seq: a.nullable(a.count, 'Number of the entry; null for a test.'),
  attempt: a.described({ type: 'integer', minimum: 1 }, 'Number of the attempt, from 1.'),
  outcome: a.described(a.oneOf('delivered', 'failed', 'given-up'), 'The result. A failed attempt is repeated.'),
  status: a.nullable(a.count, 'HTTP status; null if no answer arrived.'),
  error: a.nullable(a.text, 'Why it failed.'),
  sentAt: [a.described(a.time, 'When it was sent; epoch milliseconds.'), ({ at }) => at],
  durationMs: a.described(a.count, 'Milliseconds that the attempt took.'),
});

export const deliverySchema = a.named('Delivery', deliveryForm.schema);
export const deliveryView = deliveryForm.view;
