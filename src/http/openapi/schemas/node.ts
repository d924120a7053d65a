/**
 * Peers and recent activity of the node (docs/reference/node.md#node-status).
 */
import * as a from '../../../core/schema/shape.js';
import { pageOf } from './replies.js';

export const peersSchema = pageOf('peers', a.freeObject);

const measure = { type: 'number', minimum: 0 };
const milliseconds = { type: ['number', 'null'], description: 'Milliseconds; null where nothing was answered.' };

export const activitySchema = a.object({
  everyMs: a.described(a.count, 'Time between two points.'),
  points: a.list(
    a.named(
      'ActivityPoint',
      a.object({
        at: a.described(a.time, 'End of the time that it covers.'),
        requests: a.described(measure, 'Answers a second.'),
        failures: a.described(measure, 'Of them those with a status of 500 and above.'),
        entries: a.described(measure, 'Entries committed a second.'),
        p50Ms: milliseconds,
        p99Ms: milliseconds,
        height: a.described(a.count, 'Number of the newest entry.'),
        lag: a.described(a.count, 'Operations committed and not settled.'),
      }),
    ),
  ),
});
