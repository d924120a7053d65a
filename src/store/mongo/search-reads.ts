/**
 * Searches as aggregations over the index of words and labels. Callers' texts are operator values, or literals inside
 * expressions.
 */
import type { Document } from 'mongodb';
import { facetsOf, type SearchQuery, type SearchResult, type SortPlace, sortColumn, sortOf } from '../search.js';

/** Sorts after every text with the same prefix. */
const last = '\u{10ffff}';

export interface FoundDocument {
  readonly _id: string;
  readonly kind: string;
  readonly createdAt: number;
  readonly number?: number;
}

export const sortPlaceOf = ({ number = 0, createdAt, _id }: FoundDocument): SortPlace => [number, createdAt, _id];

/** The positions of the documents that could be loaded; one may have been removed since it was found. */
export const placesOf = (found: readonly FoundDocument[], loaded: readonly unknown[]): SortPlace[] =>
  found.flatMap((document, index) => (loaded[index] === undefined ? [] : [sortPlaceOf(document)]));

export function pagePipeline(query: SearchQuery, after: SortPlace | undefined): Document[] {
  const { page } = query;
  const by = sortColumn[sortOf(query)];
  return [
    ...matching(query),
    ...(by ? [{ $addFields: { number: numberOf(query) } }] : []),
    ...(after ? [{ $match: behind(after, by !== null) }] : []),
    { $sort: { ...(by && { number: -1 }), createdAt: -1, _id: -1 } },
    { $skip: after ? 0 : page.offset },
    { $limit: page.limit + 1 },
    { $project: { kind: 1, createdAt: 1, ...(by && { number: 1 }) } },
  ];
}

/** Returns one document `{ total: [{ n }], labels: [{ _id, n }] }`; without facets `{ n }` or none. */
export function countPipeline(query: SearchQuery): Document[] {
  const count = { $count: 'n' };
  if (query.facets.length === 0) return [...matching(query), count];
  const named = query.facets.map((name) => ({ labels: { $gte: `${name}:`, $lt: `${name};` } }));
  const labels = [
    { $project: { labels: 1 } },
    { $unwind: '$labels' },
    { $match: { $or: named } },
    { $group: { _id: '$labels', n: { $sum: 1 } } },
  ];
  return [...matching(query), { $facet: { total: [count], labels } }];
}

export function countsOf(query: SearchQuery, found: Document | undefined): Pick<SearchResult, 'total' | 'facets'> {
  if (query.facets.length === 0) return { total: found?.n ?? 0, facets: {} };
  const labels = (found?.labels ?? []) as { readonly _id: string; readonly n: number }[];
  return {
    total: found?.total?.[0]?.n ?? 0,
    facets: facetsOf(
      query,
      labels.map(({ _id, n }) => [_id, n] as const),
    ),
  };
}

function matching(query: SearchQuery): Document[] {
  const { words, labels, markets, statuses, visibility, reader, owner, hidden = [], time } = query;
  const { minPrice, maxPrice, minRating, minReputation } = query;
  const fresh = { status: { $in: [...statuses] }, $or: [{ expiresAt: null }, { expiresAt: { $gt: time } }] };
  const expired = { expiresAt: { $gte: 0, $lte: time } };
  const open = visibility.includes('public') ? [{ visibility: 'public' }] : [];
  const own = visibility.includes('private') && reader !== undefined ? [{ visibility: 'private', owner: reader }] : [];
  const conditions: Document[] = [
    statuses.includes('expired') ? { $or: [fresh, expired] } : fresh,
    open.length + own.length > 0 ? { $or: [...open, ...own] } : { _id: { $in: [] } },
    ...words.map((word) => ({ words: { $elemMatch: { w: { $gte: word, $lt: word + last } } } })),
    ...labels.map((group) => ({ labels: { $in: [...group] } })),
    ...(hidden.length > 0 ? [{ _id: { $nin: [...hidden] } }] : []),
    ...(markets ? [{ market: { $in: [...markets] } }] : []),
    ...(owner === undefined ? [] : [{ owner: { $in: [owner] } }]),
    ...(minPrice === undefined ? [] : [{ price: { $gte: minPrice } }]),
    ...(maxPrice === undefined ? [] : [{ price: { $lte: maxPrice } }]),
    ...(minRating === undefined ? [] : [{ rating: { $gte: minRating } }]),
  ];
  const stages: Document[] = [{ $match: { $and: conditions } }];
  if (minReputation === undefined && sortOf(query) !== 'reputation') return stages;
  stages.push({ $lookup: { from: 'reputations', localField: 'owner', foreignField: '_id', as: 'by' } });
  if (minReputation !== undefined) stages.push({ $match: { 'by.reputation': { $gte: minReputation } } });
  return stages;
}

/** The number of a sort as an expression, see sortNumber. */
function numberOf(query: SearchQuery): Document {
  const { column, missing, sign } = sortColumn[sortOf(query)]!;
  if (column === 'relevance') return { $add: [0, ...query.words.map(weightOf)] };
  const value = column === 'reputation' ? { $arrayElemAt: ['$by.reputation', 0] } : `$${column}`;
  return { $multiply: [sign, { $ifNull: [value, missing] }] };
}

/** The sum of the weights of a resource's words with this prefix. */
function weightOf(prefix: string): Document {
  const begins = {
    $and: [{ $gte: ['$$word.w', { $literal: prefix }] }, { $lt: ['$$word.w', { $literal: prefix + last }] }],
  };
  const words = { $filter: { input: '$words', as: 'word', cond: begins } };
  return { $sum: { $map: { input: words, as: 'word', in: '$$word.n' } } };
}

function behind([number, createdAt, id]: SortPlace, numbered: boolean): Document {
  const older = [{ createdAt: { $lt: createdAt } }, { createdAt: { $in: [createdAt] }, _id: { $lt: id } }];
  if (!numbered) return { $or: older };
  return { $or: [{ number: { $lt: number } }, { number: { $in: [number] }, $or: older }] };
}
