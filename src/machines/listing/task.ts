/**
 * The market of tasks: work that is wanted, bid upon, and given to one of the bidders (interface, Markets: tasks).
 */
import * as is from '../kernel/scalar.js';
import { open, word, words } from './fields.js';
import { listingOf } from './resource.js';

/** Bids that a task takes unless it says otherwise (interface: not shown; decisions.md, Tasks). */
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
    bidding: is.optional(is.object({ closesAt: is.optional(is.time), maxBids: is.optional(is.integer(1, mostBids)) })),
  },
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
