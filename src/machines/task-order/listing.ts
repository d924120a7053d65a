/**
 * The market of tasks: work that is requested, bid on, and awarded to one of the bidders
 * (docs/reference/markets.md#tasks).
 */
import * as is from '../../core/schema/scalar.js';
import { open, word, words } from '../listing/fields.js';
import { offer } from '../listing/pricing.js';
import { listingOf } from '../listing/resource.js';

/** The most bids on a task by default (docs/reference/markets.md#tasks). */
const defaultBids = 100;
const mostBids = 200;

/** Members of a timeline that the node only keeps. */
const workPlan = {
  start: is.optional(is.leaf(is.anything), 'When the work may begin: kept as you write it.'),
  duration: is.optional(is.leaf(is.anything), 'How long the work takes: kept as you write it.'),
  estimatedDays: is.optional(is.leaf(is.anything), 'Days that you expect: kept as you write it.'),
  notes: is.optional(is.leaf(is.anything), 'Stored unchanged.'),
};

export const taskListing = listingOf({
  type: 'task',
  path: '/markets/tasks',
  tag: 'Market: tasks',
  title: 'TaskListing',
  own: {
    taskType: is.described(word, 'Type of task, a word of your choice.'),
    task: is.described(
      open({ skills: is.optional(is.anything, 'Required skills: words, or objects with a `name`.') }, 16_384),
      'The work to do, in members of your choice; searches find its `skills`.',
    ),
    timeline: is.described(
      is.atMostBytes(
        is.object({
          bidDeadline: is.optional(is.time, 'When bidding ends: ISO 8601 with an offset, or epoch milliseconds.'),
          deadline: is.optional(is.time, 'When the work is due: ISO 8601 with an offset, or epoch milliseconds.'),
          ...workPlan,
        }),
        8_192,
      ),
      'When it is due.',
    ),
    skills: is.optional(words, 'Required skills, as words that searches can filter by.'),
    bidding: is.optional(
      is.aliased(
        is.object({
          closesAt: is.optional(
            is.time,
            'When bidding ends: ISO 8601 with an offset, or epoch milliseconds. Absent: `timeline.bidDeadline`.',
          ),
          maxBids: is.optional(is.integer(1, mostBids), 'The most bids, withdrawn ones included; default 100.'),
        }),
        {
          bidDeadline: 'closesAt',
        },
      ),
      'Rules of the bidding.',
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
