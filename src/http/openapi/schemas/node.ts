/**
 * Peers and recent activity of the node (docs/reference/node.md#node-status).
 */
import * as a from '../../../core/schema/shape.js';
import { pageSchema } from './replies.js';

const nullableTime = { ...a.nullable(a.time), description: 'Start of the connection; null if there is none.' };

const peer = a.object(
  {
    peerId: a.described(a.text, 'The peer id of its DID, in libp2p’s form.'),
    did: a.described(a.did, 'DID of the peer.'),
    multiaddrs: a.described(a.list(a.text), 'The address that the node connects to; empty except for admin keys.'),
    direction: a.described(a.oneOf('outbound', 'inbound', 'both', 'none'), 'Which side opened the connections.'),
    connectedAt: nullableTime,
    latencyMs: { type: ['number', 'null'], description: 'Smoothed latency of answers; null before the first.' },
    head: a.described(a.count, 'Number of the newest entry that it has announced.'),
    followed: a.described(a.count, 'Number of the newest entry whose hash this node has followed.'),
    lagMs: a.nullable(a.count, 'Age of the newest checkpoint of that entry; null before the first.'),
    clockAheadMs: {
      type: ['integer', 'null'],
      description: 'Its clock minus this node’s at its newest checkpoint, ms; null before the first.',
    },
    status: a.described(
      a.oneOf('unreachable', 'clock-ahead', 'behind', 'current', 'stopped', 'forked'),
      '`current`: everything that it has announced is followed; `behind`: the node is catching up; `unreachable`: no connection; `clock-ahead`: its clock is more than ten minutes ahead, and nothing is taken from it until the clocks agree; `stopped`: it sent a bad line; `forked`: it has signed two journals.',
    ),
    limit: a.described(
      a.tokens,
      'Tokens of its home that this node takes in at most, for as many here, beyond those that it has paid out there.',
    ),
  },
  {
    violation: a.described(
      a.object({
        seq: a.described(a.count, 'Number of the entry.'),
        what: a.described(a.text, 'What is wrong with it.'),
        detectedAt: a.described(a.time, 'When the node detected it; epoch milliseconds.'),
      }),
      'Why the node no longer follows the feed: the entry, the problem, and when the node detected it.',
    ),
    mirrored: a.described(
      a.count,
      'Number of the last entry of this node’s journal that it keeps, encrypted; absent: it is no mirror of this node, or has not answered yet.',
    ),
    kept: a.described(
      a.count,
      'Bytes of its journal that this node keeps for it, encrypted; absent: this node is no mirror of it.',
    ),
  },
);

export const peersSchema = pageSchema('peers', a.named('Peer', peer));

export const homeSchema = a.named(
  'Home',
  a.object(
    {
      home: a.described(a.did, 'DID of the home.'),
      network: a.described(a.text, 'Its network: devnet, testnet or mainnet.'),
      url: a.described(a.text, 'Root of the URLs of its API.'),
    },
    {
      time: a.described(a.time, 'When it has said so, by its own clock; epoch milliseconds.'),
      sig: a.described(
        a.signature,
        'Ed25519 by the home’s key, over `svc:home:v1:` and the RFC 8785 form of `home`, `network`, `time` and `url`. Absent, with `time`, where a process answers that does not have the key.',
      ),
      asOf: a.described(a.time, 'Only of another home: when it was asked; epoch milliseconds.'),
    },
  ),
);

/** A home's signed statement of where its journal ends. */
export const checkpointSchema = a.named(
  'Checkpoint',
  a.object({
    home: a.described(a.did, 'The home whose journal the checkpoint is about.'),
    network: a.described(a.text, 'Its network: devnet, testnet or mainnet.'),
    seq: a.described(a.count, 'Number of the newest entry of the journal.'),
    chainHash: a.described(a.hash, '`chainHash` of that entry.'),
    time: a.described(a.time, 'The home’s clock, epoch milliseconds.'),
    sig: a.described(
      a.signature,
      'Ed25519 by the home’s key, over `svc:checkpoint:v1:` and the RFC 8785 form of the other members.',
    ),
  }),
);

const proof = a.object(
  {
    first: a.described(checkpointSchema, 'The earlier checkpoint.'),
    second: a.described(checkpointSchema, 'The later checkpoint, which does not continue from the first.'),
  },
  {
    links: a.described(
      a.object({
        chainHash: a.described(a.hash, '`chainHash` of that entry.'),
        entryHashes: a.described(a.list(a.hash), 'Of each entry behind it, oldest first.'),
      }),
      'From an entry of the first one’s number, with another chain hash, to the second.',
    ),
  },
);

export const peerEvidenceSchema = a.named(
  'PeerEvidence',
  a.object(
    {
      did: a.described(a.did, 'The home.'),
      cause: a.described(
        a.oneOf('bad-line', 'equivocation'),
        '`bad-line`: its feed has a bad line, which proves nothing; `equivocation`: it has signed two journals.',
      ),
      seq: a.described(a.count, 'The entry at which the feed has stopped, or at which two journals differ.'),
      what: a.described(a.text, 'What is wrong, in a sentence.'),
      detectedAt: a.described(a.time, 'When this node detected it; epoch milliseconds.'),
    },
    {
      proof: a.described(
        proof,
        'Two checkpoints that can’t be of one journal; `svc-node verify-equivocation` checks them.',
      ),
      from: a.described(a.did, 'DID of the peer that sent the proof; this node’s own DID if it found the fork itself.'),
      accepted: a.described(
        a.object({ chainHash: a.hash, acceptedAt: a.time }),
        'The journal that this node’s operator has decided for, by its chain hash at `seq`.',
      ),
      checkpoint: a.described(checkpointSchema, 'The home’s checkpoint behind the bad line, if it sent one.'),
      line: a.described(a.text, 'The bad line as received.'),
    },
  ),
);

const measure = { type: 'number', minimum: 0 };
const milliseconds = { type: ['number', 'null'], description: 'Milliseconds; null if there were no replies.' };

export const activitySchema = a.object({
  everyMs: a.described(a.count, 'Time between two points.'),
  points: a.described(
    a.list(
      a.named(
        'ActivityPoint',
        a.object({
          measuredAt: a.described(a.time, 'End of the interval; epoch milliseconds.'),
          requests: a.described(measure, 'Answers per second.'),
          failures: a.described(measure, 'Answers per second with a status of 500 and above.'),
          entries: a.described(measure, 'Entries committed per second.'),
          p50Ms: milliseconds,
          p99Ms: milliseconds,
          height: a.described(a.count, 'Number of the newest entry.'),
          lag: a.described(a.count, 'Operations that are committed but not settled.'),
        }),
      ),
    ),
    'Oldest first.',
  ),
});
