/**
 * The members of publish and update that all markets share (docs/reference/markets.md#listings).
 */
import * as is from '../../core/schema/scalar.js';
import { pricing } from './pricing.js';

/** A single value for filters: `category`, `infoType`, `taskType`, `capabilityType`, a tag, a skill. */
export const word = is.name(64);
export const words = is.list(word, 0, 32);

/** An object that may have any members in addition to those that the node interprets; these are texts to it. */
export const open = <const F extends is.Fields>(fields: F, bytes = 8_192) =>
  is.leavingOthers(is.atMostBytes(is.openObject(fields), bytes));

/** Free metadata of the publisher, in any market: kept unchanged (docs/reference/requests.md#unknown-members). */
export const noted = {
  metadata: is.optional(is.leaf(open({})), 'Any other data; the node stores it unchanged.'),
};

/** Description of `pricing` in a request, for all markets. */
export const priced = 'The price, in at least one form.';

export const publishFields = {
  ...noted,
  title: is.described(is.leaf(is.name(200)), 'Title of the listing. Searches match it.'),
  description: is.described(is.leaf(is.text(10_000, 1)), 'Full description of the offer or request.'),
  category: is.described(word, 'A category of your choice that searches can filter by.'),
  tags: is.optional(words, 'Words that searches can filter by.'),
  pricing: is.described(pricing, priced),
  stock: is.optional(is.integer(1), 'Number of units; default: unlimited.'),
  visibility: is.optional(is.oneOf('public', 'private'), '`private`: only the owner sees it; default `public`.'),
  expiresAt: is.optional(
    is.time,
    'When the listing expires: ISO 8601 with an offset, or epoch milliseconds. Default: never.',
  ),
};

export const updateFields = {
  ...noted,
  title: is.optional(publishFields.title),
  description: is.optional(publishFields.description),
  category: is.optional(publishFields.category),
  tags: publishFields.tags,
  pricing: is.optional(publishFields.pricing),
  stock: is.optional(is.nullable(is.integer(1)), 'Number of units; null: unlimited.'),
  visibility: publishFields.visibility,
  expiresAt: is.optional(
    is.nullable(is.time),
    'When the listing expires: ISO 8601 with an offset, or epoch milliseconds. Null: never.',
  ),
};

export type Published = is.ObjectOf<typeof publishFields>;
