/**
 * The journal, read (decisions.md, Events and entries): a page, one event, a live stream.
 */

import type { Feed } from '../../actors/feed.js';
import { isRefusal, refuse } from '../../machines/kernel/refusal.js';
import * as is from '../../machines/kernel/scalar.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { Desk } from '../desk.js';
import { eventViews } from '../event-view.js';
import { pageReply } from '../page-text.js';
import type { Call, Route } from '../route.js';
import { entriesSchema, entrySchema } from '../schemas/events.js';
import { lastEventId, sseReply } from '../sse.js';

const filters = {
  issuer: is.optional(is.account),
  resource: is.optional(is.pattern(/^[a-z-]{1,32}\/[A-Za-z0-9._:-]{1,200}$/, '<kind>/<id>')),
  type: is.optional(is.text(64, 1)),
};
type Filters = { readonly issuer?: string; readonly resource?: string; readonly type?: string };

/** Entries read from the store at once by a stream. */
const streamPage = 100;

export function eventRoutes(desk: Desk, feed: Feed): Route[] {
  const { actors } = desk.options;
  const { store } = actors.options;
  const shown = eventViews(desk);
  const view = (entry: NumberedEntry, { caller }: Call) => shown(entry, caller.did);

  async function* follow(call: Call, after: number, query: Filters) {
    let seq = after;
    while (!call.signal.aborted) {
      const head = feed.head;
      const page = await store.entries({ ...query, after: seq, limit: streamPage });
      for (const entry of page) {
        if (call.signal.aborted) return;
        seq = entry.seq;
        yield { id: entry.seq, event: entry.core.event.type, data: await view(entry, call) };
      }
      if (page.length < streamPage) {
        seq = Math.max(seq, head);
        await feed.beyond(seq, call.signal);
      }
    }
  }

  return [
    {
      method: 'GET',
      path: '/api/v1/events',
      name: 'listEvents',
      tag: 'Events',
      summary: 'Page over the numbered journal; `after` is the number of the last entry seen.',
      scope: 'read',
      query: is.object({ ...filters, after: is.optional(is.integer(0)), limit: is.optional(is.integer(1, 100)) }),
      success: { status: 200, schema: entriesSchema, description: 'a page of entries' },
      async handle(call) {
        const { after = 0, limit = 20, ...query } = call.query as Filters & { after?: number; limit?: number };
        const found = await store.entries({ ...query, after, limit: limit + 1 });
        const page = found.slice(0, limit);
        const hasMore = found.length > limit;
        const more = { next: hasMore ? (page.at(-1)?.seq ?? null) : null, hasMore, head: feed.head };
        return pageReply(actors.options.world, { name: 'events', items: page, more }, (entry) => view(entry, call));
      },
    },
    {
      method: 'GET',
      path: '/api/v1/events/stream',
      name: 'streamEvents',
      tag: 'Events',
      summary: 'Server-sent events: entries as they are numbered; `Last-Event-ID` or `after` resumes.',
      scope: 'read',
      query: is.object({ ...filters, after: is.optional(is.integer(0)) }),
      success: {
        status: 200,
        media: ['text/event-stream'],
        description:
          'a stream: `id` is the number of an entry, `event` the type of its event, `data` the Entry as JSON',
      },
      handle(call) {
        const { after, ...query } = call.query as Filters & { after?: number };
        const resumed = lastEventId(call, after ?? feed.head);
        if (isRefusal(resumed)) return resumed;
        return sseReply(follow(call, resumed, query), { world: actors.options.world, signal: call.signal });
      },
    },
    {
      method: 'GET',
      path: '/api/v1/events/:hash',
      name: 'getEvent',
      tag: 'Events',
      summary: 'One event by its hash.',
      scope: 'read',
      success: { status: 200, schema: entrySchema, description: 'the entry around the event' },
      async handle(call) {
        const hash = call.params.hash!;
        const entry = /^[0-9a-f]{64}$/.test(hash) ? await store.entryByEvent(hash) : undefined;
        return entry
          ? { status: 200, body: await view(entry, call) }
          : refuse('NOT_FOUND', `no event ${hash} on this network`);
      },
    },
  ];
}
