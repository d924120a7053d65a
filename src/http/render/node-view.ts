/** The node's status, and its configuration without secrets (docs/reference/node.md#node-status). */
import type { ActivityPoint, ConfiguredVariable } from '../../../packages/client/src/wire.js';
import type { ChainStatus } from '../../chain/settlement/settlement.js';
import { faucetQuotas, rateLimits } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import type { Did } from '../../core/codecs/did.js';
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import { shownUrl } from '../../core/url-text.js';
import type { PeerEvidence } from '../../peers/peering/evidence.js';
import type { PeerView } from '../../peers/peering/peer-view.js';
import type { StatisticsReading, StatisticsWindow } from '../../projections/statistics.js';
import { countsIn, faucetMeanings, limitMeanings, limits, rateMeanings } from './bound-meanings.js';

/** The configuration that is shown. */
export interface NodeSettings {
  readonly network: string;
  readonly host: string;
  readonly port: number;
  /** `embedded`, or the URL of the database. */
  readonly store: string;
  readonly chain: string;
  readonly chainId: number | undefined;
  readonly confirmations: number;
  readonly publicUrl: string | undefined;
  readonly errorBaseUrl: string | undefined;
  readonly unlockSeconds: number;
  readonly settlementWaitMs: number;
  readonly minFee: number;
  readonly storeQuotaMib: number;
  readonly readsPerAddress: number;
  readonly writesPerAddress: number;
  readonly arbiterDid: string | undefined;
  readonly logLevel: string;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly dataDir: string;
  readonly trustedProxies: readonly unknown[];
  readonly corsOrigins: readonly unknown[];
  readonly variables: readonly ConfiguredVariable[];
}

/** Whether the reader may see paths. The address of the database counts as one. */
interface Reader {
  readonly paths: boolean;
}

const nullableText = { type: ['string', 'null'] };

const variableSchema = a.named(
  'ConfiguredVariable',
  a.object({
    name: a.described(a.text, 'Name of the variable: `SVC_PORT`.'),
    value: a.described(nullableText, '`set` for a secret; null if it has no value.'),
    from: a.described(
      a.oneOf('default', 'file', 'environment', 'flag'),
      'Where the value comes from. `file`: the data directory’s `node.json`, or SVC_STORE_FILE; `flag`: the command line.',
    ),
  }),
);

const network = a.described(
  a.oneOf('devnet', 'testnet', 'mainnet'),
  'Network of the node: devnet, testnet or mainnet.',
);

const configForm = publicForm<NodeSettings, Reader>(
  {
    network: [network, (config) => config.network],
    host: a.described(a.text, 'Address that the API listens on.'),
    port: a.described(a.count, 'As configured; 0 means any free port.'),
    store: [
      a.described(
        a.text,
        '`embedded` or `mongodb`; for keys that may see paths the URL of the store, without credentials.',
      ),
      ({ store }, { paths }) => (store === 'embedded' ? store : paths ? shownUrl(store) : 'mongodb'),
    ],
    chain: a.described(
      a.oneOf('auto', 'embedded', 'none'),
      'SVC_CHAIN. `auto`: the RPC URL if there is one, else embedded.',
    ),
    chainId: [a.nullable(a.count, 'Chain id (EIP-155); null without a chain.'), ({ chainId }) => chainId ?? null],
    confirmations: a.described(a.count, 'Number of blocks after which a settlement counts.'),
    publicUrl: [a.described(nullableText, 'Root of links; null: host and port.'), ({ publicUrl }) => publicUrl ?? null],
    errorBaseUrl: [
      a.described(nullableText, 'Root of the error types; null: below the public URL.'),
      ({ errorBaseUrl }) => errorBaseUrl ?? null,
    ],
    unlockSeconds: a.described(a.count, 'How long an unlocked key stays in memory.'),
    settlementWaitMs: a.described(a.count, 'How long a write waits for its receipt, ms.'),
    minFee: a.described(a.tokens, 'Least fee of a transfer, Tokens.'),
    storeQuotaMib: a.described(a.count, 'MiB that one API key, and one DID, may store in a day; 0: no bound.'),
    arbiterDid: [a.nullable(a.did, "The network's arbiter."), ({ arbiterDid }) => arbiterDid ?? null],
    logLevel: a.described(a.text, 'Log level, such as `info`: messages of this level and above are logged.'),
    tls: [a.described(a.flag, 'Whether the API speaks TLS.'), ({ tls }) => tls !== undefined],
    limits: [a.described(countsIn(limitMeanings), 'Limits of requests.'), () => limits],
    rateLimits: [
      a.described(
        countsIn(rateMeanings),
        'Requests, wrong passphrases, and passphrases that had to be checked, in a window.',
      ),
      ({ readsPerAddress, writesPerAddress }) => ({
        ...rateLimits,
        originReads: readsPerAddress,
        originWrites: writesPerAddress,
      }),
    ],
    faucet: [
      a.nullable(countsIn(faucetMeanings), 'Tokens a claim, and quotas; null on mainnet.'),
      (config) => (config.network === 'mainnet' ? null : faucetQuotas),
    ],
  },
  {
    dataDir: [
      a.described(a.text, 'This member and the following: only for local callers and admin keys.'),
      ({ dataDir }, { paths }) => (paths ? dataDir : undefined),
    ],
    tlsFiles: [
      a.nullable(
        a.object({
          cert: a.described(a.text, 'Path of the certificate.'),
          key: a.described(a.text, 'Path of its key.'),
        }),
        'Paths of certificate and key; null without TLS.',
      ),
      ({ tls }, { paths }) => (paths ? (tls ?? null) : undefined),
    ],
    trustedProxies: [
      a.described(a.list(a.text), 'Addresses of proxies whose `X-Forwarded-For` counts.'),
      ({ trustedProxies }, { paths }) => (paths ? trustedProxies.map(String) : undefined),
    ],
    corsOrigins: [
      a.described(a.list(a.text), 'Origins that browsers may call from.'),
      ({ corsOrigins }, { paths }) => (paths ? corsOrigins.map(String) : undefined),
    ],
    variables: [
      a.described(a.list(variableSchema), 'All variables, with their origins; not as a member of the node’s status.'),
      () => undefined,
    ],
  },
);

export const nodeConfigSchema = a.named('NodeConfig', configForm.schema);

/** Rendered once at start: with paths, and without. */
export function nodeConfigView(settings: NodeSettings): NodeFacts['config'] {
  const open = configForm.view(settings, { paths: false });
  const full = configForm.view(settings, { paths: true });
  const whole = { ...full, variables: settings.variables.map((each) => ({ ...each })) };
  return (withPaths, isWhole = false) => (withPaths ? (isWhole ? whole : full) : open);
}

/** The peers of a node. */
export interface ShownPeers {
  views(): readonly PeerView[];
  /** Whether every connected feed is followed up to what its home has announced. */
  readonly isSynced: boolean;
}

export interface NodeFacts {
  readonly did: string;
  /** Home of the journal. */
  home(): string;
  /** Where it serves its API, as `Home` of OpenAPI. */
  address(): JsonObject;
  readonly network: string;
  readonly version: string;
  readonly store: { readonly kind: string; readonly durability: string };
  chain(): ChainStatus;
  readonly peerId: string;
  /** Undefined for a node without peers. */
  readonly peers: ShownPeers | undefined;
  /** The evidence kept against a home, available even if this process has no peers. */
  evidence(did: Did): Promise<PeerEvidence | undefined>;
  /** Number of the newest entry. */
  height(): number;
  uptimeSeconds(): number;
  /** The configuration without secrets; with file paths only for callers who may see them, and `isWhole` with variables. */
  config(withPaths: boolean, isWhole?: boolean): JsonObject;
  /** Activity of the last minutes, oldest first. */
  activity(): readonly ActivityPoint[];
  statistics(window: StatisticsWindow): Promise<StatisticsReading>;
}

interface Disclosure extends Reader {
  /** Whether to show the chain's RPC URL. */
  readonly rpcUrl: boolean;
}

interface ShownNode extends Disclosure {
  readonly facts: NodeFacts;
  readonly status: ChainStatus;
}

const chainForm = publicForm<ChainStatus, Disclosure>(
  {
    kind: a.described(
      a.oneOf('none', 'rpc', 'embedded'),
      'The chain on which it settles: none, one at an RPC URL, or the one inside the process.',
    ),
    chainId: a.nullable(a.count, 'Chain id (EIP-155); null without a chain.'),
    blockNumber: a.nullable(a.count, 'Newest block; null if none is known.'),
    connected: a.described(a.flag, 'Whether the chain answers.'),
    lag: a.described(a.count, 'Operations that are committed but not settled.'),
    settlement: a.described(
      a.oneOf('off', 'running', 'halted'),
      '`off`: there is no chain; `halted`: an operator must act.',
    ),
  },
  {
    rpcUrl: [
      a.described(a.text, 'SVC_RPC_URL, for admin keys; a chain inside the process has none.'),
      (chain, { rpcUrl }) => (rpcUrl ? chain.rpcUrl : undefined),
    ],
  },
);

const statusForm = publicForm<ShownNode>({
  did: [a.described(a.did, "The node's own DID."), ({ facts }) => facts.did],
  home: [
    a.described(
      a.did,
      'Home of the journal: what is signed here names it. The DID of the node, or of the first of several.',
    ),
    ({ facts }) => facts.home(),
  ],
  peerId: [a.described(a.text, 'The peer id of its DID, in libp2p’s form.'), ({ facts }) => facts.peerId],
  network: [network, ({ facts }) => facts.network],
  version: [a.described(a.text, 'Release of svc-node.'), ({ facts }) => facts.version],
  synced: [
    a.described(
      a.flag,
      "All projections stand at the journal's end, and every feed that is connected is followed up to what its home has announced.",
    ),
    // Projections are written in the same transaction as their entry, so they are always up to date.
    ({ facts }) => facts.peers?.isSynced ?? true,
  ],
  height: [a.described(a.count, 'Number of the newest entry of the journal.'), ({ facts }) => facts.height()],
  blockHeight: [a.nullable(a.count, 'Newest block of the chain.'), ({ status }) => status.blockNumber],
  peers: [
    a.described(a.count, 'Connected peers.'),
    ({ facts }) => facts.peers?.views().filter(({ connectedAt }) => connectedAt !== null).length ?? 0,
  ],
  uptime: [a.described(a.count, 'Seconds.'), ({ facts }) => facts.uptimeSeconds()],
  chain: [
    a.described(chainForm.schema, 'Where it settles.'),
    ({ status, ...disclosure }) => chainForm.view(status, disclosure),
  ],
  store: [
    a.described(
      a.object({
        kind: a.described(a.text, '`sqlite` or `mongo`.'),
        durability: a.described(a.text, 'What is guaranteed when a write is acknowledged.'),
      }),
      'Where the journal is kept.',
    ),
    ({ facts }) => facts.store,
  ],
  config: [
    a.described(nodeConfigSchema, 'Its configuration, without secrets.'),
    ({ facts, paths }) => facts.config(paths),
  ],
});

export const nodeStatusSchema = a.named('NodeStatus', statusForm.schema);

export const nodeStatus = (facts: NodeFacts, disclosed: Disclosure): JsonObject =>
  statusForm.view({ facts, ...disclosed, status: facts.chain() });
