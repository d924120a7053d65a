/**
 * Resolves a text that a user has found somewhere: a number, a hash, an address, the first characters of an id, a name.
 */
import { bounds } from '../../core/bounds.js';
import { parseAccount } from '../../core/codecs/address.js';
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { machinesOf } from '../../machines/catalogue.js';
import type { IdentityContext } from '../../machines/identity/identity.js';
import { isVisible } from '../../machines/kernel/visibility.js';
import { spelled } from '../../peers/tag.js';
import { entryByHash } from '../../projections/hash-index.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import { lookupSchema } from '../openapi/schemas/lookup.js';
import type { Call, Route } from '../server/route.js';

type Match = { readonly what: 'entry' | 'identity' | 'resource'; readonly id: string; readonly [more: string]: string };

interface Found {
  readonly matches: readonly Match[];
  readonly hasMore: boolean;
}

const none: Found = { matches: [], hasMore: false };
const found = (...matches: readonly Match[]): Found => ({ matches, hasMore: false });
const limit = bounds.lookedUp;

export function lookupRoute(api: ApiContext): Route {
  return {
    method: 'GET',
    path: '/api/v1/lookup',
    name: 'lookUp',
    tag: 'Node',
    summary:
      'Find what a text refers to: the number of an entry, a hash, a DID or address, the beginning of an id, or a name.',
    scope: 'read',
    query: is.object({
      text: is.described(
        is.text(bounds.keywordLength, 1),
        'A number, hash, DID, address or name, or the beginning of an id.',
      ),
    }),
    success: { status: 200, schema: lookupSchema, description: 'the matches; an empty list if there are none' },
    async handle(call) {
      const text = String(call.query.text).trim();
      const result = await api.queues.page(call, () => lookUp(api, text, call));
      return isRefusal(result) ? result : { status: 200, body: { ...result } };
    },
  };
}

async function lookUp(api: ApiContext, text: string, call: Call): Promise<Found> {
  if (/^\d{1,15}$/.test(text)) {
    const { seq } = await api.store.head();
    const number = Number(text);
    if (number >= 1 && number <= seq) return found({ what: 'entry', id: String(number) });
  }
  if (/^(0x)?[0-9a-f]{64}$/i.test(text)) return byHash(api, text.toLowerCase());
  const did = text.length < 128 ? parseAccount(text) : undefined;
  if (did !== undefined) return found({ what: 'identity', id: did });
  const beginning = await byBeginning(api, text, call);
  return beginning.matches.length > 0 ? beginning : byName(api, text);
}

/**
 * Looks for an event with this hash, then for the entries of a transaction (block explorers add 0x), then for a settled
 * entry, then for any other hash, then for an event of another home: its number is not one of this journal.
 */
async function byHash({ store, reading }: ApiContext, text: string): Promise<Found> {
  const hex = text.replace(/^0x/, '');
  const entry = await store.entryByEvent(hex);
  if (entry) return found({ what: 'entry', id: String(entry.seq), by: 'event' });
  const numbers = [...new Set((await store.receiptsOf(`0x${hex}`)).map(({ seq }) => seq))];
  const matches = numbers.slice(0, limit).map((seq): Match => ({ what: 'entry', id: String(seq), by: 'transaction' }));
  if (matches.length > 0) return { matches, hasMore: numbers.length > limit };
  const settled = await store.receipt(hex);
  const { seq, by } = settled ? { seq: settled.seq, by: 'entry' } : ((await entryByHash(store, hex)) ?? {});
  if (seq !== undefined && by !== undefined) return found({ what: 'entry', id: String(seq), by });
  for (const at of reading.others) {
    if (await at.store.entryByEvent(hex)) return found({ what: 'entry', id: hex, by: 'event' });
  }
  return none;
}

const idText = /^[A-Za-z0-9][A-Za-z0-9._:-]{2,127}$/;

async function byBeginning(api: ApiContext, text: string, { caller }: Call): Promise<Found> {
  const [id = '', ...home] = text.split('~');
  if (!idText.test(id) || home.length > 1) return none;
  const homes = home.length === 0 ? [api, ...api.reading.others] : api.reading.selected(home[0]);
  if (isRefusal(homes)) return none;
  const all = await Promise.all(homes.map((at) => inHome(at, id, caller.did)));
  return {
    matches: all.flatMap(({ matches }) => matches).slice(0, limit),
    hasMore: all.some(({ hasMore }) => hasMore),
  };
}

/** Resources of one home whose id begins with the text and that the reader may see, exact matches first. */
async function inHome(at: ReadContext, beginning: string, reader: string | undefined): Promise<Found> {
  const machines = machinesOf(at.catalogue);
  const kinds = [...machines.map(({ kind }) => kind), 'identity'];
  const snapshots = await at.store.named(kinds, beginning, { limit: limit + 1, characters: bounds.pageCharacters });
  const visible = snapshots.filter((snapshot) => {
    const definition = machines.find(({ kind }) => kind === snapshot.kind);
    return !definition || isVisible(definition, snapshot, reader);
  });
  const whole = visible.filter(({ id }) => id === beginning);
  const matches = (whole.length > 0 ? whole : visible).slice(0, limit).map(({ kind, id, state }): Match => {
    if (kind === 'identity') return { what: 'identity', id };
    return { what: 'resource', kind, id: at.foreign ? spelled(id, at.foreign.tag) : id, state };
  });
  return { matches, hasMore: whole.length === 0 && visible.length > limit };
}

/** Identities whose name begins with the text, among the newest documents. */
async function byName({ store }: ApiContext, text: string): Promise<Found> {
  const wanted = text.toLowerCase();
  const page = { limit: bounds.namesLookedThrough, offset: 0, characters: bounds.pageCharacters };
  const { items } = await store.find({ kind: 'identity', page });
  const named = items.flatMap(({ id, context }): Match[] => {
    const { displayName = '' } = (context as unknown as IdentityContext).document ?? {};
    const words = displayName.toLowerCase();
    const fits = words.startsWith(wanted) || words.includes(` ${wanted}`);
    return fits ? [{ what: 'identity', id, displayName }] : [];
  });
  return { matches: named.slice(0, limit), hasMore: named.length > limit };
}
