/**
 * Reads the journal (docs/reference/events-and-entries.md#reading-events): a page, one event, a live stream.
 */

import { bounds } from '../../core/bounds.js';
import type { Feed } from '../../core/feed.js';
import { isRefusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { NumberedEntry } from '../../store/entry.js';
import { mayKnowOf } from '../access/visibility.js';
import type { ApiContext } from '../context/api-context.js';
import { entriesSchema, entrySchema } from '../render/entry-view.js';
import { eventViews } from '../render/event-view.js';
import { pageReply } from '../render/page-text.js';
import type { Call, Route } from '../server/route.js';
import { lastEventId, sseReply } from '../server/sse.js';
import { LiveEntries } from './live-entries.js';

const filters = {
  issuer: is.optional(is.account),
  resource: is.optional(is.pattern(/^[a-z-]{1,32}\/[A-Za-z0-9._:-]{1,200}$/, '<kind>/<id>')),
  type: is.optional(is.text(64, 1)),
};
/** No resource has this name, so the filter finds nothing. */
const nothing = 'none/none';
type EventFilters = { readonly issuer?: string; readonly resource?: string; readonly type?: string };

export function eventRoutes(api: ApiContext, feed: Feed): Route[] {
  const { store, environment } = api;
  const shown = eventViews(api);
  const live = new LiveEntries({ store, feed, world: environment, show: shown });
  /** Replaces the filter for a resource that the reader may not know, so that nothing is found. */
  async function told(query: EventFilters, { caller }: Call): Promise<EventFilters> {
    const [kind, id] = query.resource?.split('/') ?? [];
    if (kind === undefined || id === undefined || (await mayKnowOf(api, { kind, id }, caller.did))) return query;
    return { ...query, resource: nothing };
  }
  const view = (entry: NumberedEntry, { caller }: Call) => shown(entry, caller.did);

  return [
    {
      method: 'GET',
      path: '/api/v1/events',
      name: 'listEvents',
      tag: 'Events',
      summary:
        'Page over the numbered journal; `after` is the number of the last entry seen. A page of large entries has fewer than `limit`.',
      scope: 'read',
      query: is.object({ ...filters, after: is.optional(is.integer(0)), limit: is.optional(is.integer(1, 100)) }),
      success: { status: 200, schema: entriesSchema, description: 'a page of entries' },
      async handle(call) {
        const { after = 0, limit = 20, ...asked } = call.query as EventFilters & { after?: number; limit?: number };
        const query = await told(asked, call);
        return api.queues.page(call, async () => {
          const { pageCharacters: characters } = bounds;
          const found = await store.entries({ ...query, after, limit: limit + 1, characters });
          const items = found.slice(0, limit);
          const last = items.at(-1)?.seq;
          const isCut = async () =>
            last !== undefined &&
            last < feed.head &&
            (await store.entries({ ...query, after: last, limit: 1 })).length > 0;
          const hasMore = found.length > limit || (await isCut());
          const more = { next: hasMore ? (last ?? null) : null, hasMore, head: feed.head };
          return pageReply(api.environment, { name: 'events', items, more }, (entry) => view(entry, call));
        });
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
      async handle(call) {
        const { after, ...asked } = call.query as EventFilters & { after?: number };
        const query = await told(asked, call);
        const resumed = lastEventId(call, after ?? feed.head);
        if (isRefusal(resumed)) return resumed;
        const { caller, signal } = call;
        const following = { after: resumed, filter: query, reader: caller.did, signal };
        return sseReply(live.follow(following), { world: environment, signal });
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
