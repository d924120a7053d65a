/**
 * Webhooks over HTTP (docs/webhooks.md): local to the database, for operators. No event, no nonce; the secret is shown
 * once.
 */

import { bounds } from '../../core/bounds.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import type { DeliveryLine } from '../../projections/webhooks/delivery-log.js';
import type { ManualDelivery } from '../../projections/webhooks/manual-delivery.js';
import { longestUrl, type TargetRules, violationOfUrl } from '../../projections/webhooks/target.js';
import { progressOf, type Webhook } from '../../projections/webhooks/webhook.js';
import type { Armed, WebhookRegistry } from '../../projections/webhooks/webhooks.js';
import type { AdminLog } from '../access/admin-log.js';
import { callerName } from '../access/caller.js';
import { pageSchema } from '../openapi/schemas/replies.js';
import { listReply, pageFields } from '../render/pagination.js';
import {
  createdWebhookSchema,
  createdWebhookView,
  deliverySchema,
  deliveryView,
  webhookSchema,
  webhookView,
} from '../render/webhook-view.js';
import type { Call, RecordedReply, Reply, Route } from '../server/route.js';
import { typesNamed, unknownKind } from './event-types.js';

export interface WebhookParts {
  readonly webhooks: WebhookRegistry;
  readonly manual: ManualDelivery;
  readonly rules: TargetRules;
  /** Number of the newest entry. */
  readonly head: () => number;
  readonly log: AdminLog;
  readonly catalogue: Catalogue;
}

const position = is.described(is.integer(0), 'The number of the entry after which to begin; default: the newest.');
const secret = is.described(
  is.secret(is.pattern(/^[\x21-\x7e]{24,256}$/, '24 to 256 visible ASCII characters')),
  'The secret that signs deliveries; default: the node creates one.',
);
const newSecret = is.object({
  secret: is.optional(secret),
  overlapMs: is.optional(
    is.integer(0, bounds.webhookLongestOverlapMs),
    'How long deliveries are also signed with the previous secret; default: a day.',
  ),
});
const newWebhook = is.object({
  url: is.described(is.text(longestUrl, 1), 'Where to post to: http or https.'),
  label: is.optional(is.name(100), 'Your description.'),
  types: is.optional(
    is.list(is.pattern(/^[a-z][a-z-]{0,31}\.([a-z-]{1,32}|\*)$/, 'a type such as escrow.released, or escrow.*'), 1, 50),
    'Only these [types of events](/guide/generated.events): `escrow.released`, `escrow.*`. Default: all.',
  ),
  kinds: is.optional(
    is.list(is.pattern(/^[a-z][a-z-]{0,31}$/, 'a kind such as escrow'), 1, 50),
    'Only entries that change a resource of these kinds. Default: all.',
  ),
  did: is.optional(is.account, 'Only entries that this DID or address signed, or that moved its Tokens.'),
  resource: is.optional(
    is.pattern(/^[a-z-]{1,32}\/[A-Za-z0-9._:-]{1,200}$/, '<kind>/<id>'),
    'Only entries that change this resource: `<kind>/<id>`.',
  ),
  secret: is.optional(secret),
  after: is.optional(position),
});

const root = '/api/v1/webhooks';
const base = { tag: 'Webhooks', scope: 'admin' } as const;
const shown = { status: 200, schema: webhookSchema, description: 'the webhook, without its secret' } as const;
const nothing = is.object({});
const unknown = (id: string): Refusal => refuse('NOT_FOUND', `no webhook ${id}`);

/** The webhook with its progress as of now. */
async function progressing({ webhooks }: WebhookParts, webhook: Webhook) {
  const known = await webhooks.progress(webhook.id);
  return { webhook, progress: progressOf(webhook, known?.progress) };
}

/** The secret is shown once. */
const replayOf = (parts: WebhookParts): RecordedReply => ({
  madeBy: ({ id }) => String(id),
  async again(id) {
    const made = await parts.webhooks.get(id);
    return made ? createdWebhookView({ ...(await progressing(parts, made.webhook)), secret: null }) : unknown(id);
  },
});

export function webhookRoutes(parts: WebhookParts): Route[] {
  return [
    creation(parts),
    ...reads(parts),
    rotation(parts),
    ...switches(parts),
    ...manualDeliveries(parts),
    removal(parts),
  ];
}

const viewNow = async (parts: WebhookParts, webhook: Webhook): Promise<Reply> => ({
  status: 200,
  body: webhookView(await progressing(parts, webhook)),
});

/** Only the host: the rest of the URL may contain secrets of its owner. */
const hostOf = (url: string): string => new URL(url).host;

function creation(parts: WebhookParts): Route {
  const { webhooks, rules, head, log, catalogue } = parts;
  return {
    ...base,
    method: 'POST',
    path: root,
    name: 'createWebhook',
    summary: 'Create a webhook that posts events to a URL; the reply shows its secret once.',
    body: newWebhook,
    example: { url: 'https://hooks.example.org/svc', types: ['escrow.released', 'contract.*'] },
    success: { status: 201, schema: createdWebhookSchema, description: 'the webhook' },
    replay: replayOf(parts),
    async handle(call) {
      const { after, label = '', ...wanted } = call.body as is.TypeOf<typeof newWebhook>;
      const { types = [], kinds = [], resource } = wanted;
      const named = typesNamed(types, 'types', catalogue);
      if (isRefusal(named)) return named;
      const other =
        unknownKind(kinds, 'kinds', catalogue) ??
        unknownKind(resource?.split('/').slice(0, 1) ?? [], 'resource', catalogue);
      if (other) return other;
      const flaw = violationOfUrl(wanted.url, rules);
      if (flaw) return invalid('url', flaw);
      const newest = head();
      if (after !== undefined && after > newest) return invalid('after', `must be at most ${newest}, the newest entry`);
      const made = await log.around(
        { act: 'webhook.create', by: callerName(call.caller), details: { host: hostOf(wanted.url) } },
        () => webhooks.create({ ...wanted, label, begins: after ?? newest }),
        ({ webhook: { id } }) => ({ id }),
      );
      if (isRefusal(made)) return made;
      const { webhook, secret } = made;
      const body = createdWebhookView({ webhook, progress: progressOf(webhook, undefined), secret });
      return { status: 201, body, headers: { Location: `${root}/${webhook.id}` } };
    },
  };
}

function rotation(parts: WebhookParts): Route {
  const { webhooks, log } = parts;
  return {
    ...base,
    method: 'POST',
    path: `${root}/:webhookId/actions/rotate-secret`,
    name: 'rotateWebhookSecret',
    summary:
      'Replace the secret of a webhook; for a while deliveries are signed with the old secret too. The reply shows the new secret once.',
    body: newSecret,
    example: { overlapMs: 3_600_000 },
    success: { status: 200, schema: createdWebhookSchema, description: 'the webhook' },
    replay: replayOf(parts),
    async handle(call) {
      const { secret: given, overlapMs = bounds.webhookOverlapMs } = call.body as is.TypeOf<typeof newSecret>;
      const { webhookId: id = '' } = call.params;
      const rotated = await log.around(
        { act: 'webhook.rotate-secret', by: callerName(call.caller), details: { id } },
        async () => (await webhooks.rotate(id, { secret: given, overlapMs })) ?? unknown(id),
      );
      if (isRefusal(rotated)) return rotated;
      const { webhook, secret } = rotated;
      return { status: 200, body: createdWebhookView({ ...(await progressing(parts, webhook)), secret }) };
    },
  };
}

function reads(parts: WebhookParts): Route[] {
  const { webhooks } = parts;
  return [
    {
      ...base,
      method: 'GET',
      path: root,
      name: 'listWebhooks',
      summary: 'List all webhooks, newest first, without their secrets.',
      query: is.object(pageFields),
      success: { status: 200, schema: pageSchema('webhooks', webhookSchema), description: 'a page of webhooks' },
      async handle(call) {
        const all = await webhooks.list();
        const progress = await webhooks.allProgress();
        return listReply(call, {
          name: 'webhooks',
          all,
          position: ({ createdAt, id }) => [createdAt, id],
          view: (webhook) => webhookView({ webhook, progress: progressOf(webhook, progress.get(webhook.id)) }),
        });
      },
    },
    {
      ...base,
      method: 'GET',
      path: `${root}/:webhookId`,
      name: 'getWebhook',
      summary: 'Get one webhook and its progress, without its secret.',
      success: shown,
      handle: ofOne(parts, ({ webhook }) => viewNow(parts, webhook)),
    },
    {
      ...base,
      method: 'GET',
      path: `${root}/:webhookId/deliveries`,
      name: 'listDeliveries',
      summary: 'List the attempts of a webhook to deliver, with their results, newest first; about the last thousand.',
      query: is.object(pageFields),
      success: { status: 200, schema: pageSchema('deliveries', deliverySchema), description: 'a page of attempts' },
      handle: ofOne(parts, async ({ webhook }, call) => {
        return listReply(call, {
          name: 'deliveries',
          all: await webhooks.log.list(webhook.id),
          position: ({ number }) => [number],
          view: (line) => deliveryView(line),
        });
      }),
    },
  ];
}

function switches(parts: WebhookParts): Route[] {
  const { webhooks, head, log } = parts;
  const changed = async (
    call: Call,
    act: 'enable' | 'disable',
    change: (id: string) => Promise<Webhook | undefined>,
  ): Promise<Reply | Refusal> => {
    const { webhookId: id = '' } = call.params;
    const webhook = await log.around(
      { act: `webhook.${act}`, by: callerName(call.caller), details: { id } },
      async () => (await change(id)) ?? unknown(id),
    );
    return isRefusal(webhook) ? webhook : viewNow(parts, webhook);
  };
  return [
    {
      ...base,
      method: 'POST',
      path: `${root}/:webhookId/actions/enable`,
      name: 'enableWebhook',
      summary: 'Enable a webhook again, from where it stopped or after the entry `after`.',
      body: is.object({
        after: is.optional(is.integer(0), 'Continue after this entry; absent: where it stopped.'),
      }),
      example: {},
      success: shown,
      async handle(call) {
        const { after } = call.body as { readonly after?: number };
        if (after !== undefined && after > head())
          return invalid('after', `must be at most ${head()}, the newest entry`);
        return changed(call, 'enable', (id) => webhooks.enable(id, after ?? null));
      },
    },
    {
      ...base,
      method: 'POST',
      path: `${root}/:webhookId/actions/disable`,
      name: 'disableWebhook',
      summary: 'Disable a webhook until you enable it again; events wait in the journal.',
      body: nothing,
      example: {},
      success: shown,
      handle: (call) => changed(call, 'disable', (id) => webhooks.disable(id, 'disabled by an operator')),
    },
  ];
}

function manualDeliveries(parts: WebhookParts): Route[] {
  const { manual } = parts;
  const deliveryReply = { status: 200, schema: deliverySchema, description: 'the result of the delivery' } as const;
  const answer = (line: DeliveryLine): Reply => ({ status: 200, body: deliveryView(line) });
  return [
    {
      ...base,
      method: 'POST',
      path: `${root}/:webhookId/actions/test`,
      name: 'testWebhook',
      summary: 'Send a `webhook.test` event now, and return the result of the delivery.',
      body: nothing,
      example: {},
      success: deliveryReply,
      handle: ofOne(parts, async (armed) => answer(await manual.test(armed))),
    },
    {
      ...base,
      method: 'POST',
      path: `${root}/:webhookId/actions/redeliver`,
      name: 'redeliverEvent',
      summary: 'Deliver one entry now, once and out of order, and return the result.',
      body: is.object({ seq: is.described(is.integer(1), 'Number of the entry.') }),
      example: { seq: 1 },
      success: deliveryReply,
      handle: ofOne(parts, async (armed, { body }) => {
        const { seq } = body as { readonly seq: number };
        const line = await manual.again(armed, seq);
        return line ? answer(line) : refuse('NOT_FOUND', `no entry ${seq} on this network`);
      }),
    },
  ];
}

const removal = ({ webhooks, log }: WebhookParts): Route => ({
  ...base,
  method: 'DELETE',
  path: `${root}/:webhookId`,
  name: 'deleteWebhook',
  summary: 'Remove a webhook with its deliveries; deliveries in progress are aborted.',
  success: { status: 204, description: 'removed' },
  async handle(call) {
    const { webhookId: id = '' } = call.params;
    return log.around<Reply>({ act: 'webhook.remove', by: callerName(call.caller), details: { id } }, async () =>
      (await webhooks.remove(id)) ? { status: 204 } : unknown(id),
    );
  },
});

const ofOne =
  ({ webhooks }: WebhookParts, handle: (armed: Armed, call: Call) => Promise<Reply | Refusal>) =>
  async (call: Call): Promise<Reply | Refusal> => {
    const { webhookId: id = '' } = call.params;
    const armed = await webhooks.get(id);
    return armed ? handle(armed, call) : unknown(id);
  };
