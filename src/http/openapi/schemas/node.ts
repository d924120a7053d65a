/**
 * Peers and recent activity of the node (docs/reference/node.md#node-status).
 */
import * as a from '../../../core/schema/shape.js';
import { pageOf } from './replies.js';

const nullableTime = { ...a.nullable(a.time), description: 'Since when; null where there is no connection.' };

const peer = a.object(
  {
    peerId: a.text,
    did: a.did,
    address: a.described(a.text, 'The multiaddr that is dialled.'),
    direction: a.described(a.oneOf('outbound', 'inbound', 'both', 'none'), 'Who has opened the connections.'),
    connectedAt: nullableTime,
    latencyMs: { type: ['number', 'null'], description: 'Of an answer, smoothed; null before the first.' },
    head: a.described(a.count, 'Number of the newest entry that it has announced.'),
    adopted: a.described(a.count, 'Number of the newest entry that is verified and on disk here.'),
    lagMs: a.described(a.nullable(a.count), 'Age of the newest adopted checkpoint; null before the first.'),
    status: a.oneOf('unreachable', 'behind', 'current', 'stopped', 'outdated', 'forked'),
    withheld: a.described(a.count, 'Payloads that it did not show, because they are for the parties only.'),
  },
  {
    violation: a.described(
      a.object({ seq: a.count, what: a.text, at: a.time }),
      'Why its feed is followed no further: the entry, what is wrong with it, and when that was seen.',
    ),
  },
);

export const peersSchema = pageOf('peers', a.named('Peer', peer));

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
