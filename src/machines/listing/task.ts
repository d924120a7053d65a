/**
 * The market of tasks: work that is requested, bid on, and awarded to one of the bidders
 * (docs/reference/markets.md#tasks).
 */
import * as is from '../../core/schema/scalar.js';
import { open, word, words } from './fields.js';
import { offer } from './pricing.js';
import { listingOf } from './resource.js';

/** The most bids on a task by default (docs/reference/markets.md#tasks). */
const defaultBids = 100;
const mostBids = 200;

export const taskListing = listingOf({
  type: 'task',
  path: '/markets/tasks',
  tag: 'Market: tasks',
  title: 'TaskListing',
  own: {
    taskType: word,
    task: open({}, 16_384),
    timeline: open({ bidDeadline: is.optional(is.time), deadline: is.optional(is.time) }),
    skills: is.optional(words),
    bidding: is.optional(
      is.aliased(is.object({ closesAt: is.optional(is.time), maxBids: is.optional(is.integer(1, mostBids)) }), {
        bidDeadline: 'closesAt',
      }),
    ),
  },
  pricing: offer,
  changeable: ['task', 'timeline', 'skills'],
  bidding: ({ bidding }) => ({ closesAt: bidding?.closesAt ?? null, maxBids: bidding?.maxBids ?? defaultBids }),
  example: {
    title: 'Translate a manual',
    description: 'Forty pages, from Japanese.',
    category: 'translation',
    tags: ['japanese'],
    pricing: { budget: 400 },
    taskType: 'translation',
    task: { pages: 40 },
    timeline: { deadline: Date.UTC(2030, 0, 1) },
    skills: ['japanese', 'english'],
  },
});
