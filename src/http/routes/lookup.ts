/**
 * Resolves a text that a user has found somewhere: a number, a hash, an address, the first characters of an id, a name, a memo.
 */
import { looksOf } from '../../../packages/client/src/look-alike.js';
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { parseAccount } from '../../core/codecs/address.js';
import { withTexts } from '../../core/leaf.js';
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { machinesOf } from '../../machines/catalogue.js';
import type { IdentityContext } from '../../machines/identity/identity.js';
import { isVisible } from '../../machines/kernel/visibility.js';
import { cardId, cardIdParts, textsIn } from '../../peers/cards/foreign-cards.js';
import { entryByHash } from '../../projections/hash-index.js';
import type { Snapshot, StoreReader } from '../../store/store.js';
import { fold } from '../../store/words.js';
import type { ApiContext } from '../context/api-context.js';
import { lookupSchema } from '../openapi/schemas/lookup.js';
import { showingTexts } from '../render/texts.js';
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
      'Find what a text refers to: the number of an entry, a hash, a DID or address, the beginning of an id, a name, or a memo.',
    scope: 'read',
    query: is.object({
      text: is.described(
        is.text(bounds.keywordLength, 1),
        'A number, hash, DID, address, name or memo, or the beginning of an id.',
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
  if (beginning.matches.length > 0) return beginning;
  return firstOf([...(await byName(api, text, call)), ...(await byMemo(api, text, call))]);
}

/**
 * Looks for an event with this hash, then for the entries of a transaction (block explorers add 0x), then for a settled
 * entry, then for any other hash.
 */
async function byHash({ store }: ApiContext, text: string): Promise<Found> {
  const hex = text.replace(/^0x/, '');
  const entry = await store.entryByEvent(hex);
  if (entry) return found({ what: 'entry', id: String(entry.seq), by: 'event' });
  const numbers = [...new Set((await store.receiptsOf(`0x${hex}`)).map(({ seq }) => seq))];
  const matches = numbers.slice(0, limit).map((seq): Match => ({ what: 'entry', id: String(seq), by: 'transaction' }));
  if (matches.length > 0) return { matches, hasMore: numbers.length > limit };
  const settled = await store.receipt(hex);
  const { seq, by } = settled ? { seq: settled.seq, by: 'entry' } : ((await entryByHash(store, hex)) ?? {});
  return seq !== undefined && by !== undefined ? found({ what: 'entry', id: String(seq), by }) : none;
}

const idText = /^[A-Za-z0-9][A-Za-z0-9._:-]{2,127}$/;

/** Resources whose id begins with the text and that the reader may see, exact matches first. */
async function byBeginning(api: ApiContext, beginning: string, { caller }: Call): Promise<Found> {
  if (!idText.test(beginning)) return none;
  const machines = machinesOf(api.catalogue);
  const kinds = [...machines.map(({ kind }) => kind), 'identity'];
  const most = { limit: limit + 1, characters: bounds.pageCharacters };
  const own = (await api.store.named(kinds, beginning, most)).map((resource) => ({ resource, home: undefined }));
  const { moderations } = api;
  const found = await api.cards.beginning(kinds, beginning, most.limit);
  const cards = found.filter(({ home, resource: { id } }) => !moderations.hiddenFrom(cardId(id, home), caller.reader));
  const visible = [...own, ...cards].filter(({ resource }) => {
    const definition = machines.find(({ kind }) => kind === resource.kind);
    if (definition?.search && api.moderations.hiddenFrom(resource.id, caller.reader) !== undefined) return false;
    return !definition || isVisible(definition, resource, caller.reader);
  });
  const whole = visible.filter(({ resource }) => resource.id === beginning);
  const matches = (whole.length > 0 ? whole : visible).map(({ resource: { kind, id, state }, home }): Match => {
    const at = home === undefined ? {} : { home };
    return kind === 'identity' ? { what: 'identity', id, ...at } : { what: 'resource', kind, id, state, ...at };
  });
  return firstOf(onceEach(matches));
}

const firstOf = (matches: readonly Match[]): Found => ({
  matches: matches.slice(0, limit),
  hasMore: matches.length > limit,
});

/** An identity may be known at several homes: only its first match. */
const onceEach = (matches: readonly Match[]): Match[] =>
  matches.filter(({ what, id }, at) => what !== 'identity' || matches.findIndex((each) => each.id === id) === at);

/** UTF-16 units of one letter. */
const longestLetter = 2;

/** Whether a word of the name begins with the text: words are separated by all that is no letter or digit. */
function hasWord(name: string, text: string): boolean {
  for (let at = name.indexOf(text); at >= 0; at = name.indexOf(text, at + 1))
    if (!/[\p{L}\p{N}]$/u.test(name.slice(Math.max(0, at - longestLetter), at))) return true;
  return false;
}

/** Identities of whose name a word begins with the text, or whose name looks like it, among the newest documents. */
async function byName({ store, cards, moderations }: ApiContext, text: string, { caller }: Call): Promise<Match[]> {
  const named = await namedIn(store, text, (documents) => showingTexts(documents, moderations, caller.reader, true));
  const all = cards.index ? [...named, ...(await namedIn(cards.index, text, ofCards))] : named;
  return onceEach(all.filter(({ id }) => moderations.of(id) === undefined));
}

/** Entries with a memo of which a word begins with the text, among the newest in the reader's own statement. */
async function byMemo(
  { store, moderations }: ApiContext,
  text: string,
  { caller: { reader } }: Call,
): Promise<Match[]> {
  const wanted = fold(text);
  if (reader === undefined || wanted === '') return [];
  const page = { limit: bounds.memosLookedThrough, offset: 0, characters: bounds.pageCharacters };
  const { items } = await store.history(reader, undefined, page);
  const memos = new Map(items.map(({ entry: { seq, payload } }) => [seq, payload.input.memo ?? null]));
  const texts = await showingTexts([...memos.values()], moderations, reader, true);
  return [...memos.keys()].flatMap((seq, at): Match[] => {
    const memo = texts[at];
    return typeof memo === 'string' && hasWord(fold(memo), wanted)
      ? [{ what: 'entry', id: String(seq), by: 'memo', memo }]
      : [];
  });
}

/** Documents with their texts. */
type Filled = (documents: readonly JsonObject[], items: readonly Snapshot[]) => Promise<readonly JsonObject[]>;

const ofCards: Filled = async (documents, items) =>
  documents.map((document, at) => withTexts(document, textsIn(items[at]!.context)) as JsonObject);

async function namedIn(store: Pick<StoreReader, 'find'>, text: string, filled: Filled): Promise<Match[]> {
  const [wanted, looks] = [fold(text), looksOf(text)];
  if (wanted === '') return [];
  const page = { limit: bounds.namesLookedThrough, offset: 0, characters: bounds.pageCharacters };
  const { items } = await store.find({ kind: 'identity', page });
  const documents = items.map(({ context }) => (context as unknown as IdentityContext).document);
  return (await filled(documents as unknown as JsonObject[], items)).flatMap(({ displayName: name }, at): Match[] => {
    const displayName = typeof name === 'string' ? name : '';
    const fits = hasWord(fold(displayName), wanted) || looksOf(displayName).some((look, at) => look === looks[at]);
    const { id, home } = cardIdParts(items[at]!.id);
    return fits ? [{ what: 'identity', id, displayName, ...(home === undefined ? {} : { home }) }] : [];
  });
}
