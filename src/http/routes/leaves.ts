/** Finds and erases texts, for operators (docs/reference/erasure.md). */

import type { SystemWriter } from '../../actors/system.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import { leavesIn, rendered } from '../../core/leaf.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { leafKind } from '../../machines/leaf/leaf.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { AdminLog } from '../access/admin-log.js';
import { callerName } from '../access/caller.js';
import type { ApiContext } from '../context/api-context.js';
import { written } from '../openapi/schemas/replies.js';
import { writeForm } from '../render/write-view.js';
import type { Call, Route } from '../server/route.js';
import { eventOf } from './admin.js';
import { continuing, type JournalReading } from './journal-place.js';

const found = a.named(
  'FoundLeaf',
  a.object({
    leaf: a.described(a.hash, 'Its hash, which names it.'),
    size: a.described(a.count, 'Bytes of the text.'),
    eventHash: a.described(a.hash, 'The event that it came with.'),
    pointer: a.described(a.text, 'Its place in the input of that event, as a JSON pointer.'),
    erased: a.described(a.flag, 'Whether it is erased.'),
  }),
);

const erasedLeaf = a.named(
  'ErasedLeaf',
  a.object({
    leaf: a.described(a.hash, 'Hash of the text.'),
    reason: a.described(a.text, 'Why.'),
    operator: a.described(a.text, 'Who.'),
  }),
);

const leavesQuery = is.object({
  resource: is.optional(is.text(300, 3), 'A resource: `<kind>/<id>`.'),
  event: is.optional(is.hash, 'Hash of an event: of a transfer with a memo.'),
  after: is.optional(is.integer(0), 'Number of the last entry that you have seen: `next` of a page.'),
});

/** Entries whose texts one page lists. */
const entriesAtOnce = 100;

export interface LeafParts {
  readonly api: ApiContext;
  readonly system: SystemWriter;
  readonly log: AdminLog;
  readonly reading: JournalReading;
}

export function leafRoutes({ api, system, log, reading }: LeafParts): Route[] {
  const { store } = api;

  async function leavesOf(entry: NumberedEntry): Promise<JsonObject[]> {
    const { payload, core } = entry;
    const texts = await store.texts([...leavesIn(payload.input)]);
    const { leaves } = rendered(payload.input as Json, (hash) => texts.get(hash));
    return Object.entries(leaves).map(([pointer, { leaf, size, erased = false }]) => {
      return { leaf, size, eventHash: core.event.hash, pointer, erased };
    });
  }

  const list: Route = {
    method: 'GET',
    path: '/api/v1/admin/leaves',
    name: 'listLeaves',
    tag: 'Admin',
    summary: 'List the texts that can be erased: of one event, or of all events of a resource.',
    scope: 'admin',
    query: leavesQuery,
    refuses: ['NOT_FOUND'],
    success: {
      status: 200,
      schema: a.object({
        leaves: a.described(a.list(found), 'The texts, oldest first.'),
        next: a.nullable(a.count, 'The `after` of the next page; null at the end.'),
      }),
      description: 'a page of texts',
    },
    async handle({ query }) {
      const { resource, event, after = 0 } = query as is.TypeOf<typeof leavesQuery>;
      if ((resource === undefined) === (event === undefined))
        return invalid('resource', 'or event is required: one of both');
      if (event !== undefined) {
        const entry = await store.entryByEvent(event);
        if (!entry) return refuse('NOT_FOUND', `no event ${event}`);
        return { status: 200, body: { leaves: await leavesOf(entry), next: null } };
      }
      const entries = await store.entries({ after, limit: entriesAtOnce, resource: resource! });
      const leaves = [];
      for (const entry of entries) leaves.push(...(await leavesOf(entry)));
      const next = entries.length === entriesAtOnce ? entries.at(-1)!.seq : null;
      return { status: 200, body: { leaves, next } };
    },
  };

  /** The resource that a text came with. */
  async function broughtWith(hash: string): Promise<{ readonly kind: string; readonly id: string } | Refusal> {
    const erased = await api.committed.resource(leafKind, hash);
    if (erased) return refuse('CONFLICT', 'the text was erased already');
    const entry = await store.broughtBy(hash);
    if (!entry || !leavesIn(entry.payload.input).has(hash)) return refuse('NOT_FOUND', `no text ${hash}`);
    return { kind: entry.payload.kind, id: entry.payload.id };
  }

  const redact: Route = {
    method: 'POST',
    path: '/api/v1/admin/leaves/:hash/actions/redact',
    name: 'redactLeaf',
    parameters: { hash: { ...is.hash.schema, description: 'Hash of the text: `leaf` in the list of texts.' } },
    tag: 'Admin',
    summary: 'Erase a text for good. The journal records that, why and by whom; everything else stays provable.',
    scope: 'admin',
    refuses: ['NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE'],
    body: is.object({
      reason: is.described(is.text(1_000, 1), 'Why; all callers can read it in the journal.'),
      operator: is.optional(is.text(200, 1), 'Who; all callers can read it. Default: the id of the API key.'),
    }),
    example: { reason: 'asked for by its author' },
    success: {
      status: 200,
      schema: written(erasedLeaf),
      description: 'what was erased',
    },
    handle: (call) => erase(call),
  };

  async function erase(call: Call) {
    const hash = call.params.hash!;
    const by = callerName(call.caller);
    const { reason, operator = call.caller.keyId ?? 'operator' } = call.body as { reason: string; operator?: string };
    const idempotency = api.writes.idempotency(call, by, 200);
    if (isRefusal(idempotency)) return idempotency;
    const isRepeated = idempotency !== undefined && (await api.writes.isKnown(idempotency));
    const resource = isRepeated ? { kind: leafKind, id: hash } : await broughtWith(hash);
    if (isRefusal(resource)) return resource;
    const accepted = await log.around(
      { act: 'leaf.redact', by, details: { id: hash } },
      () =>
        system.execute({
          kind: leafKind,
          id: hash,
          action: 'redact',
          input: { reason, operator, resource },
          idempotency,
        }),
      eventOf,
    );
    return api.writes.answer(accepted, 200, ({ entry }, receipt) => ({
      ...{ leaf: hash, reason, operator },
      ...writeForm.view({ entry, receipt }),
    }));
  }

  return [continuing(list, reading), redact];
}
