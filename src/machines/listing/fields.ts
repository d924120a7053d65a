/**
 * The members of publish and update that all markets share (docs/reference/markets.md#listings).
 */
import * as is from '../../core/schema/scalar.js';
import { pricing } from './pricing.js';

/** A free word for filters: `category`, `infoType`, `taskType`, `capabilityType`, a tag, a skill. */
export const word = is.text(64, 1);
export const words = is.list(word, 0, 32);

/** An object that may have any members besides those that the node knows. */
export const open = <const F extends is.Fields>(fields: F, bytes = 8_192) =>
  is.atMostBytes(is.openObject(fields), bytes);

/** Free metadata of the publisher, in any market: kept unchanged (docs/reference/requests.md#unknown-members). */
export const noted = { metadata: is.optional(open({})) };

export const publishFields = {
  ...noted,
  title: is.text(200, 1),
  description: is.text(10_000, 1),
  category: word,
  tags: is.optional(words),
  pricing,
  stock: is.optional(is.integer(1)),
  visibility: is.optional(is.oneOf('public', 'private')),
  expiresAt: is.optional(is.time),
};

export const updateFields = {
  ...noted,
  title: is.optional(publishFields.title),
  description: is.optional(publishFields.description),
  category: is.optional(word),
  tags: is.optional(words),
  pricing: is.optional(pricing),
  /** `null`: unlimited. */
  stock: is.optional(is.nullable(is.integer(1))),
  visibility: publishFields.visibility,
  /** `null`: never. */
  expiresAt: is.optional(is.nullable(is.time)),
};

/** The market's own members are added to these. */
export type Published = is.ObjectOf<typeof publishFields>;
