/**
 * The node about itself (docs/reference/node.md#node-status).
 */
import * as a from '../../../core/schema/shape.js';
import { pageOf } from './replies.js';

const nullableText = { type: ['string', 'null'] };
const counts = (...names: readonly string[]): a.ObjectSchema =>
  a.object(Object.fromEntries(names.map((name) => [name, a.count])));

const network = a.oneOf('devnet', 'testnet', 'mainnet');

export const nodeConfigSchema = a.named(
  'NodeConfig',
  a.object(
    {
      network,
      host: a.text,
      port: a.described(a.count, 'As configured: 0 takes a free one.'),
      store: a.described(
        a.text,
        '`embedded` or `mongodb`; for keys that may see paths the URL of the store, without credentials.',
      ),
      chain: a.oneOf('auto', 'embedded', 'none'),
      chainId: a.nullable(a.count),
      confirmations: a.described(a.count, 'Blocks until a settlement counts.'),
      publicUrl: a.described(nullableText, 'Root of links; null: host and port.'),
      errorBaseUrl: a.described(nullableText, 'Root of the error types; null: below the public URL.'),
      unlockSeconds: a.described(a.count, 'How long an unlocked key stays in memory.'),
      settlementWaitMs: a.described(a.count, 'How long a write waits for its receipt, ms.'),
      minFee: a.described(a.tokens, 'Least fee of a transfer, Tokens.'),
      storeQuotaMib: a.described(a.count, 'MiB that one API key, and one DID, may store in a day; 0: no bound.'),
      arbiterDid: a.described(a.nullable(a.did), "The network's arbiter."),
      logLevel: a.text,
      tls: a.flag,
      limits: counts('bodyBytes', 'jsonDepth', 'pageLimit', 'pageOffset', 'nonceAhead'),
      rateLimits: a.described(
        counts(
          'windowSeconds',
          'originReads',
          'originWrites',
          'keyReads',
          'keyWrites',
          'passphraseFailures',
          'passphraseFailuresPerDid',
          'kdfRuns',
        ),
        'Requests, wrong passphrases, and passphrases that had to be checked, in a window.',
      ),
      faucet: a.described(
        a.nullable(
          counts(
            'tokens',
            'recipientCooldownMs',
            'perDid',
            'perDidWindowMs',
            'perOriginDaily',
            'perSiteDaily',
            'perProviderDaily',
            'networkDailyTokens',
          ),
        ),
        'Tokens a claim, and quotas; null on mainnet.',
      ),
    },
    {
      dataDir: a.described(a.text, 'This and what follows: for loopback and admin keys.'),
      tlsFiles: a.nullable(a.object({ cert: a.text, key: a.text })),
      trustedProxies: a.list(a.text),
      corsOrigins: a.list(a.text),
    },
  ),
);

const chainSchema = a.object(
  {
    kind: a.oneOf('none', 'rpc', 'embedded'),
    chainId: a.nullable(a.count),
    blockNumber: a.nullable(a.count),
    connected: a.flag,
    lag: a.described(a.count, 'Operations committed and not settled.'),
    settlement: a.oneOf('off', 'running', 'halted'),
  },
  { rpcUrl: a.described(a.text, 'SVC_RPC_URL, for admin keys; a chain inside the process has none.') },
);

export const nodeStatusSchema = a.named(
  'NodeStatus',
  a.object({
    did: a.described(a.did, "The node's own DID."),
    home: a.described(
      a.did,
      'Home of the journal: what is signed here names it. The DID of the node, or of the first of several.',
    ),
    peerId: a.described(nullableText, 'libp2p id; null where the node has none.'),
    network,
    version: a.text,
    synced: a.described(a.flag, "All projections stand at the journal's end."),
    height: a.described(a.count, 'Number of the newest entry of the journal.'),
    blockHeight: a.described(a.nullable(a.count), 'Newest block of the chain.'),
    peers: a.described(a.count, 'Connected peers.'),
    uptime: a.described(a.count, 'Seconds.'),
    chain: chainSchema,
    store: a.object({ kind: a.text, durability: a.text }),
    config: nodeConfigSchema,
  }),
);

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
