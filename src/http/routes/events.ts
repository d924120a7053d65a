/**
 * Reads the journal (docs/reference/events-and-entries.md#reading-events): a page, one event, a live stream.
 */

import type { JsonObject } from '../../core/canonical.js';
import type { Feed } from '../../core/feed.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { spellingOf } from '../../peers/tag.js';
import type { NumberedEntry } from '../../store/entry.js';
import { mayKnowOf } from '../access/visibility.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import { entriesSchema, entrySchema } from '../render/entry-view.js';
import { eventViews } from '../render/event-view.js';
import { pageReply } from '../render/page-text.js';
import { originIn } from '../render/render.js';
import type { Call, Route } from '../server/route.js';
import { lastEventId, sseReply } from '../server/sse.js';
import { journalPage } from './journal-page.js';
import { LiveEntries } from './live-entries.js';

const filters = {
  issuer: is.described(is.optional(is.account), 'Entries that this DID or address signed.'),
  resource: is.described(
    is.optional(is.pattern(/^[a-z-]{1,32}\/[A-Za-z0-9._:~-]{1,200}$/, '<kind>/<id>')),
    'Entries that changed this resource: `<kind>/<id>`.',
  ),
  type: is.described(is.optional(is.text(64, 1)), 'Entries of this type of event: `escrow.released`, or `escrow.*`.'),
};
/** The catalogue is a page of the guide, which the node serves. */
const catalogue =
  'All types of events, with the payload and an example of each: [event types](/guide/generated.events).';
const afterField = is.described(
  is.optional(is.integer(0)),
  'Number of the last entry that you have read; the stream continues after it.',
);
const says =
  'DID or tag of another home, to read the copy of its journal. Default, or `own`: this node’s own journal. A `resource` ' +
  'spelled `<kind>/<id>~<tag>` has the same effect.';
const named = is.described(
  is.boolean,
  '`false` sends events without a name, for readers that only use `onmessage`; the type is then in `data.event.type`.',
);
const journalField = { home: is.optional(is.described(is.text(128, 1), says)) };

const rangeFields = {
  order: is.optional(is.described(is.oneOf('oldest', 'newest'), 'Default oldest first.')),
  before: is.optional(is.described(is.integer(1), 'With `order=newest`: entries with a smaller number.')),
  since: is.optional(is.described(is.time, 'Entries of this time or later.')),
  until: is.optional(is.described(is.time, 'Entries of this time or earlier.')),
  minAmount: is.optional(is.described(is.integer(0), 'Entries that moved at least this many Tokens.')),
  maxAmount: is.optional(
    is.described(is.integer(0), 'The largest amount in Tokens. Resources without an amount are omitted.'),
  ),
};

/** A filter that finds nothing, because no resource has this name. */
const nothing = 'none/none';
interface JournalQuery extends EventFilters {
  readonly after?: number;
  readonly before?: number;
  readonly order?: 'oldest' | 'newest';
  readonly limit?: number;
  readonly since?: number;
  readonly until?: number;
  readonly minAmount?: number;
  readonly maxAmount?: number;
  readonly home?: string;
}
type StreamQuery = EventFilters & { readonly after?: number; readonly named?: boolean };
type EventFilters = { readonly issuer?: string; readonly resource?: string; readonly type?: string };

/** The home whose journal a query reads, and the query to run there. */
interface JournalQuestion {
  readonly at: ReadContext;
  readonly filter: EventFilters;
}

export function eventRoutes(api: ApiContext, feed: Feed): Route[] {
  const { store, environment } = api;
  const shown = eventViews(api);
  /** Renderers for entries of other homes, one per home. */
  const viewsOf = new WeakMap<ReadContext, typeof shown>();
  const live = new LiveEntries({ store, feed, world: environment, show: shown });
  /** Replaces the filter if the reader may not know that the resource exists, so that nothing is found. */
  async function permittedFilter(query: EventFilters, { caller }: Call, at: ReadContext = api): Promise<EventFilters> {
    const [kind, id] = query.resource?.split('/') ?? [];
    if (kind === undefined || id === undefined || (await mayKnowOf(at, { kind, id }, caller.did))) return query;
    return { ...query, resource: nothing };
  }
  /** Resolves the home of a query. A resource that is given with its home selects that home, like the filter `home`. */
  async function asked(query: EventFilters, call: Call, home: string | undefined): Promise<JournalQuestion | Refusal> {
    const spelling = query.resource === undefined ? undefined : spellingOf(query.resource);
    if (spelling?.home !== undefined && home !== undefined) return invalid('home', 'goes without ~ in resource');
    const at = api.reading.one(spelling?.home ?? home);
    if (isRefusal(at)) return at;
    return { at, filter: await permittedFilter(spelling ? { ...query, resource: spelling.id } : query, call, at) };
  }
  function view(entry: NumberedEntry, { caller }: Call, at: ReadContext = api): Promise<JsonObject> {
    if (!at.foreign) return shown(entry, caller.did);
    const views = viewsOf.get(at) ?? eventViews(at);
    viewsOf.set(at, views);
    return views(entry, caller.did);
  }

  return [
    {
      method: 'GET',
      path: '/api/v1/events',
      name: 'listEvents',
      tag: 'Events',
      summary:
        'List the entries of the journal. To continue, send `next` of a page as `after` (with `order=newest`: as `before`). ' +
        'A page of large entries, and a search by amount, may have fewer entries than `limit`.',
      about: [catalogue],
      scope: 'read',
      query: is.object({
        ...filters,
        ...journalField,
        ...rangeFields,
        after: afterField,
        limit: is.described(is.optional(is.integer(1, 100)), 'Entries a page at most.'),
      }),
      success: { status: 200, schema: entriesSchema, description: 'a page of entries' },
      async handle(call) {
        const { after = 0, limit = 20, home, order, before, ...rest } = call.query as JournalQuery;
        const { since, until, minAmount, maxAmount, ...query } = rest;
        if (before !== undefined && order !== 'newest') return invalid('before', 'goes with order=newest');
        const journal = await asked(query, call, home);
        if (isRefusal(journal)) return journal;
        const { at, filter } = journal;
        return api.queues.page(call, async () => {
          const head = at.foreign?.asOf().seq ?? feed.head;
          const range = { after, limit, since, until, minAmount, maxAmount, head };
          const { items, next } = await journalPage(
            at.store,
            filter,
            order === 'newest' ? { ...range, before: before ?? head + 1 } : range,
          );
          const more = { next, hasMore: next !== null, head, ...originIn(at) };
          return pageReply(api.environment, { name: 'events', items, more }, (entry) => view(entry, call, at));
        });
      },
    },
    {
      method: 'GET',
      path: '/api/v1/events/stream',
      name: 'streamEvents',
      tag: 'Events',
      summary: 'Stream new entries as server-sent events; resume with `Last-Event-ID` or `after`.',
      about: [catalogue],
      scope: 'read',
      query: is.object({
        ...filters,
        after: afterField,
        named: is.optional(named),
      }),
      success: {
        status: 200,
        media: ['text/event-stream'],
        description:
          'a stream: `id` is the number of an entry, `event` the type of its event, `data` the Entry as JSON',
      },
      async handle(call) {
        const { after, named: isNamed = true, ...filter } = call.query as StreamQuery;
        if (filter.resource?.includes('~')) return invalid('resource', 'is of another home: a stream shows its own');
        const query = await permittedFilter(filter, call);
        const resumed = lastEventId(call, after ?? feed.head);
        if (isRefusal(resumed)) return resumed;
        const { caller, signal } = call;
        const following = { after: resumed, filter: query, reader: caller.did, signal, isNamed };
        return sseReply(live.follow(following), { world: environment, signal });
      },
    },
    {
      method: 'GET',
      path: '/api/v1/events/:hash',
      name: 'getEvent',
      tag: 'Events',
      summary: 'Get one event by its hash.',
      scope: 'read',
      success: { status: 200, schema: entrySchema, description: 'the entry around the event' },
      refuses: ['CONFLICT'],
      async handle(call) {
        const hash = call.params.hash!;
        const isHash = /^[0-9a-f]{64}$/.test(spellingOf(hash).id);
        const located = isHash
          ? await api.reading.find(hash, ({ store }, event) => store.entryByEvent(event))
          : undefined;
        if (!located) return refuse('NOT_FOUND', `no event ${hash} on this network`);
        return isRefusal(located) ? located : { status: 200, body: await view(located.found, call, located.at) };
      },
    },
  ];
}
