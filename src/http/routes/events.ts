/**
 * Reads the journal (docs/reference/events-and-entries.md#reading-events): a page, one event, a live stream.
 */

import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { NumberedEntry } from '../../store/entry.js';
import { entryAt } from '../../store/store.js';
import { mayKnowOf } from '../access/visibility.js';
import type { ApiContext } from '../context/api-context.js';
import { eventViews } from '../context/event-view.js';
import { checkedEntrySchema, signedEntrySchema } from '../openapi/schemas/resource-proof.js';
import { entriesSchema } from '../render/entry-view.js';
import { pageReply } from '../render/page-text.js';
import type { Call, Route } from '../server/route.js';
import { lastEventId, sseReply } from '../server/sse.js';
import { type AskedFilter, filterOf, type TypedFilter } from './event-types.js';
import { journalPage } from './journal-page.js';
import { entryNamed, type JournalReading } from './journal-place.js';
import { LiveEntries } from './live-entries.js';

const filters = {
  issuer: is.optional(is.account, 'Entries that this DID or address signed.'),
  resource: is.optional(
    is.pattern(/^[a-z-]{1,32}\/[A-Za-z0-9._:-]{1,200}$/, '<kind>/<id>'),
    'Entries that changed this resource: `<kind>/<id>`.',
  ),
  type: is.optional(
    is.text(1_000, 1),
    'Entries of these types of events, separated by commas in one parameter: `escrow.released`, or `escrow.*` for all of escrows.',
  ),
};
/** The catalogue is a page of the guide, which the node serves. */
const catalogue =
  'All types of events, with the payload and an example of each: [event types](/guide/generated.events).';
const afterField = is.optional(
  is.place,
  'The last entry that you have read, by its number or its id in the stream: continues after it.',
);
const named = is.described(
  is.boolean,
  '`false` sends events without a name, for readers that only use `onmessage`; the type is then in `data.event.type`.',
);

const rangeFields = {
  order: is.optional(is.oneOf('oldest', 'newest'), 'Default oldest first.'),
  before: is.optional(is.integer(1), 'With `order=newest`: entries with a smaller number.'),
  since: is.optional(is.time, 'Entries of this time or later.'),
  until: is.optional(is.time, 'Entries of this time or earlier.'),
  minAmount: is.optional(is.integer(0), 'Entries that moved at least this many Tokens.'),
  maxAmount: is.optional(is.integer(0), 'The largest amount in Tokens. Resources without an amount are omitted.'),
};

const listFields = {
  ...filters,
  ...rangeFields,
  after: afterField,
  limit: is.optional(is.integer(1, 100), 'Entries a page at most.'),
};

/** A filter that finds nothing, because no resource has this name. */
const nothing = 'none/none';
type JournalQuery = AskedFilter & Omit<is.ObjectOf<typeof listFields>, keyof AskedFilter>;
type StreamQuery = AskedFilter & { readonly after?: number | string; readonly named?: boolean };

export function eventRoutes(api: ApiContext, reading: JournalReading): Route[] {
  const { store, environment } = api;
  const { feed } = reading;
  const shown = eventViews(api);
  const live = new LiveEntries({ store, feed, world: environment, show: shown });
  /** Replaces the filter if the reader may not know that the resource exists, so that nothing is found. */
  async function permittedFilter(asked: AskedFilter, { caller }: Call): Promise<TypedFilter | Refusal> {
    const query = filterOf(asked, api.catalogue);
    if (isRefusal(query)) return query;
    const [kind, id] = query.resource?.split('/') ?? [];
    if (kind === undefined || id === undefined || (await mayKnowOf(api, { kind, id }, caller.reader))) return query;
    return { ...query, resource: nothing };
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
      query: is.object(listFields),
      refuses: ['CONFLICT'],
      success: { status: 200, schema: entriesSchema, description: 'a page of entries' },
      async handle(call) {
        const { after: place = 0, limit = 20, order, before, ...rest } = call.query as JournalQuery;
        const { since, until, minAmount, maxAmount, ...query } = rest;
        if (before !== undefined && order !== 'newest') return invalid('before', 'goes with order=newest');
        const after = await entryNamed(place, reading, call.signal);
        if (isRefusal(after)) return after;
        const filter = await permittedFilter(query, call);
        if (isRefusal(filter)) return filter;
        return api.queues.page(call, async () => {
          const { head } = feed;
          const range = { after, limit, since, until, minAmount, maxAmount, head };
          const { items, next } = await journalPage(
            store,
            filter,
            order === 'newest' ? { ...range, before: before ?? head + 1 } : range,
          );
          const more = { next, hasMore: next !== null, head };
          const { reader } = call.caller;
          return pageReply(api, { name: 'events', items, more, reader }, (entry) => shown(entry, reader));
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
      refuses: ['CONFLICT'],
      success: {
        status: 200,
        media: ['text/event-stream'],
        description:
          'a stream: `id` is the number of an entry, a full stop and the first 8 digits of its `chainHash`; `event` the type of its event, `data` the Entry as JSON',
      },
      async handle(call) {
        const { after, named: isNamed = true, ...filter } = call.query as StreamQuery;
        const query = await permittedFilter(filter, call);
        if (isRefusal(query)) return query;
        const place = lastEventId(call, after ?? feed.head);
        const resumed = isRefusal(place) ? place : await entryNamed(place, reading, call.signal);
        if (isRefusal(resumed)) return resumed;
        const { caller, signal } = call;
        const following = { after: resumed, filter: query, reader: caller.reader, signal, isNamed };
        return sseReply(live.follow(following), { world: environment, signal, until: caller.readsUntil });
      },
    },
    {
      method: 'GET',
      path: '/api/v1/events/:hash',
      name: 'getEvent',
      tag: 'Events',
      summary: 'Get one event by its hash, or by the number of its entry.',
      scope: 'read',
      success: { status: 200, schema: checkedEntrySchema, description: 'the entry around the event' },
      async handle(call) {
        const hash = call.params.hash!;
        let entry: NumberedEntry | undefined;
        if (/^[0-9a-f]{64}$/.test(hash)) entry = await store.entryByEvent(hash);
        else if (/^[1-9]\d{0,14}$/.test(hash)) entry = await entryAt(store, Number(hash));
        if (!entry) return refuse('NOT_FOUND', `no event ${hash} on this network`);
        return { status: 200, body: await shown(entry, call.caller.reader) };
      },
    },
    {
      method: 'GET',
      path: '/api/v1/events/:hash/signed',
      name: 'getSignedEvent',
      tag: 'Events',
      summary:
        'Get the entry of an event with a checkpoint of that entry which the home signs: who knows the home’s DID can check without a node that the event is in its journal.',
      scope: 'read',
      success: { status: 200, schema: signedEntrySchema, description: 'the entry and its checkpoint' },
      async handle({ params, caller }) {
        const hash = params.hash!;
        const entry = /^[0-9a-f]{64}$/.test(hash) ? await store.entryByEvent(hash) : undefined;
        if (!entry) return refuse('NOT_FOUND', `no event ${hash} on this network`);
        const { checkpoints } = api;
        // Of several processes, one has the key of the home.
        if (checkpoints.home !== api.home())
          return refuse('SERVICE_UNAVAILABLE', 'this process does not have the key of the home: ask again');
        return {
          status: 200,
          body: { entry: await shown(entry, caller.reader), checkpoint: { ...checkpoints.at(entry) } },
        };
      },
    },
  ];
}
