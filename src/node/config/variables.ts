/**
 * The SVC_ variables: name, default, meaning and reader of each (docs/reference/configuration.md#variables). `Config`
 * is derived from this table, and so is docs/generated/configuration.md.
 */
import ipaddr from 'ipaddr.js';
import { bounds, mirrorBounds, peerBounds, rateLimits } from '../../core/bounds.js';
import { parseDid } from '../../core/codecs/did.js';
import { type Multiaddr, parseListenAddress, parsePeerAddress } from '../../core/codecs/multiaddr.js';
import { shownUrl, withoutTrailingSlashes } from '../../core/url-text.js';

/** Parses a text. Returns the value, or the end of an error sentence that begins with the variable's name. */
export type VariableParser<T> = ((text: string) => { readonly value: T } | string) & {
  /** The accepted values, for documentation: `a whole number from 0 to 65,535`. */
  readonly takes: string;
};

const reading = <T>(takes: string, read: (text: string) => { readonly value: T } | string): VariableParser<T> =>
  Object.assign((text: string) => read(text), { takes });

export interface Variable<T> {
  readonly name: `SVC_${string}`;
  /** The default, as text; absent: none. */
  readonly default?: string;
  readonly description: string;
  readonly read: VariableParser<T>;
  /** What of it operators may see; absent: all. */
  readonly shown?: (text: string) => string;
}

/** A variable with a default always has a value; one without may be undefined. */
type Defaulted<T> = Variable<T> & { readonly default: string };

const oneOf = <const T extends readonly string[]>(...values: T): VariableParser<T[number]> =>
  reading(values.join(', '), (text) =>
    values.includes(text) ? { value: text } : `must be one of ${values.join(', ')}`,
  );

const grouped = (value: number): string => value.toLocaleString('en-US');

/** @param unit in the plural; absent for a count of what the variable names */
const whole = (minimum: number, maximum: number, unit?: string): VariableParser<number> =>
  reading(`${grouped(minimum)} to ${grouped(maximum)}${unit ? ` ${unit}` : ''}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum
      ? { value }
      : `must be a whole number from ${minimum} to ${maximum}, without sign or unit`;
  });

const flag: VariableParser<boolean> = reading('on, off', (text) => {
  if (['on', 'true', '1', 'yes'].includes(text)) return { value: true };
  return ['off', 'false', '0', 'no'].includes(text) ? { value: false } : 'must be on or off';
});

const anyText = (takes: string): VariableParser<string> => reading(takes, (text) => ({ value: text }));

/** Comma-separated; blanks around an element and empty elements don't count. */
const listOf = <T>(element: VariableParser<T>): VariableParser<readonly T[]> =>
  reading(`${element.takes}; any number, separated by commas`, (text) => {
    const values: T[] = [];
    for (const part of text.split(',').map((each) => each.trim())) {
      if (part === '') continue;
      const read = element(part);
      if (typeof read === 'string') return `has the element '${part}', which ${read}`;
      values.push(read.value);
    }
    return { value: Object.freeze(values) };
  });

const url = (...schemes: string[]): VariableParser<string> =>
  reading(`URL: ${schemes.map((scheme) => `${scheme}//`).join(', ')}`, (text) => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    if (!parsed || !schemes.includes(parsed.protocol)) {
      return `must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
    }
    if (parsed.search || parsed.hash || parsed.username || parsed.password)
      return 'must be a URL without user, query and fragment';
    return { value: withoutTrailingSlashes(text) };
  });

const origin: VariableParser<string> = reading('origin', (text) =>
  URL.canParse(text) && new URL(text).origin === text
    ? { value: text }
    : 'must be an origin such as https://app.example.org: scheme, host and port only, no *',
);

const network: VariableParser<string> = reading('IP address or network', (text) =>
  (text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text))
    ? { value: text }
    : 'must be an IP address or a network such as 10.0.0.0/8',
);

const host: VariableParser<string> = reading('IP address or host name', (text) =>
  text.length <= 253 && /^[A-Za-z0-9._:%-]+$/.test(text) ? { value: text } : 'must be an IP address or a host name',
);

const store: VariableParser<string> = reading('embedded, or URL: mongodb://, mongodb+srv://', (text) =>
  text === 'embedded' || /^mongodb(\+srv)?:\/\/\S+$/.test(text)
    ? { value: text }
    : 'must be embedded, or a URL that begins with mongodb:// or mongodb+srv://',
);

const did: VariableParser<string> = reading('DID', (text) => {
  const value = parseDid(text);
  return value === undefined ? 'must be a DID: did:svc:z…' : { value };
});

const address = <T extends Multiaddr>(takes: string, parse: (text: string) => T | string): VariableParser<T> =>
  reading(takes, (text) => {
    const value = parse(text);
    return typeof value === 'string' ? value : { value };
  });

const listenAddress = address('`/ip4/…/tcp/…` or `/ip6/…/tcp/…`', parseListenAddress);
const peerAddress = address('`/ip4|ip6|dns4|dns6/…/tcp/…/p2p/…`', parsePeerAddress);

const optional = <T>(name: Variable<T>['name'], read: VariableParser<T>, description: string): Variable<T> => ({
  name,
  read,
  description,
});

const secret = () => 'set';

const withDefault = <T>(
  name: Variable<T>['name'],
  fallback: string,
  read: VariableParser<T>,
  description: string,
): Defaulted<T> => ({ name, default: fallback, read, description });

export const variables = {
  network: withDefault(
    'SVC_NETWORK',
    'devnet',
    oneOf('devnet', 'testnet', 'mainnet'),
    'Part of every event, key and database name: nothing of one network resolves in another.',
  ),
  host: withDefault('SVC_HOST', '127.0.0.1', host, 'Address where the API listens.'),
  port: withDefault('SVC_PORT', '9528', whole(0, 65_535), 'Port where the API listens; 0 takes a free one.'),
  dataDir: withDefault(
    'SVC_DATA_DIR',
    '~/.svc-node/<network>',
    anyText('directory'),
    'Keystore, embedded database, chain cache, api.json and control.sock.',
  ),
  segmentsDir: optional(
    'SVC_SEGMENTS_DIR',
    anyText('directory'),
    'Directory of the embedded database’s old entries, as on another disk; absent: `segments` in the data directory.',
  ),
  store: {
    ...withDefault('SVC_STORE', 'embedded', store, '`embedded`, or a mongodb:// or mongodb+srv:// URL.'),
    shown: (text: string) => (text === 'embedded' ? text : shownUrl(text)),
  },
  storeFile: optional(
    'SVC_STORE_FILE',
    anyText('file'),
    'File whose first line is SVC_STORE: keeps the password of its URL out of the environment.',
  ),
  chain: withDefault(
    'SVC_CHAIN',
    'auto',
    oneOf('auto', 'embedded', 'none'),
    'auto: the RPC URL; on devnet without one, embedded. embedded: an EVM in the process, not on mainnet. none: tests only.',
  ),
  // Providers put their keys into its path.
  rpcUrl: { ...optional('SVC_RPC_URL', url('http:', 'https:'), 'JSON-RPC of the EVM chain.'), shown: secret },
  chainId: optional('SVC_CHAIN_ID', whole(1, 999_999_999_999_999), 'Chain id that the RPC must have.'),
  contracts: optional(
    'SVC_CONTRACTS',
    anyText('file'),
    'The deployed contracts, as `svc-node chain deploy` prints them.',
  ),
  operatorKeyFile: optional(
    'SVC_OPERATOR_KEY_FILE',
    anyText('file'),
    'File with the private key that pays for settlement.',
  ),
  confirmations: withDefault(
    'SVC_CONFIRMATIONS',
    '1',
    whole(1, 1_000, 'blocks'),
    'Number of blocks after which a settlement counts.',
  ),
  passphraseFile: optional(
    'SVC_PASSPHRASE_FILE',
    anyText('file'),
    "File whose first line, 12 characters or more, unlocks the node's own key.",
  ),
  passphraseText: {
    ...optional(
      'SVC_PASSPHRASE',
      anyText('12 characters or more'),
      'The passphrase itself. Prefer the file: the environment of a process stays readable in /proc/PID/environ.',
    ),
    shown: secret,
  },
  publicUrlText: optional('SVC_PUBLIC_URL', url('http:', 'https:'), 'Root of links. Default: host and port.'),
  errorBaseUrlText: optional(
    'SVC_ERROR_BASE_URL',
    url('http:', 'https:'),
    'Root of the error types. Default: <public URL>/errors.',
  ),
  trustedProxies: withDefault(
    'SVC_TRUSTED_PROXIES',
    '',
    listOf(network),
    'Addresses or networks whose X-Forwarded-For counts.',
  ),
  corsOrigins: withDefault(
    'SVC_CORS_ORIGINS',
    '',
    listOf(origin),
    "Origins whose pages may call the API; never with loopback's privilege.",
  ),
  webhookNetworks: withDefault(
    'SVC_WEBHOOK_NETWORKS',
    '',
    listOf(network),
    'Addresses or networks that are not global, but where receivers of webhooks may be.',
  ),
  tlsCert: optional('SVC_TLS_CERT', anyText('file'), 'PEM file of the certificate chain.'),
  tlsKey: optional('SVC_TLS_KEY', anyText('file'), 'PEM file of its private key.'),
  unlockSeconds: withDefault(
    'SVC_UNLOCK_SECONDS',
    '300',
    whole(0, 86_400, 'seconds'),
    'How long an unlocked key stays in memory; 0: never.',
  ),
  settlementWaitMs: withDefault(
    'SVC_SETTLEMENT_WAIT_MS',
    '15000',
    whole(0, 60_000, 'ms'),
    'How long a request that moves tokens waits for its receipt.',
  ),
  minFee: withDefault(
    'SVC_MIN_FEE',
    '0',
    whole(0, 999_999_999_999_999, 'Tokens'),
    'Least fee of a transfer, in Tokens.',
  ),
  storeQuotaMib: withDefault(
    'SVC_STORE_QUOTA_MIB',
    '1024',
    whole(0, 1_048_576, 'MiB'),
    'What one API key, and one DID, may add to the database in a day; 0: no bound.',
  ),
  arbiterDid: optional('SVC_ARBITER_DID', did, "The network's arbiter; none: contracts need their own."),
  loopbackGiven: optional(
    'SVC_LOOPBACK',
    flag,
    'Requests from this machine need no key. Default: on on devnet, off on testnet; always off on mainnet.',
  ),
  connectionsPerAddress: withDefault(
    'SVC_CONNECTIONS_PER_ADDRESS',
    String(bounds.connectionsPerAddress),
    whole(1, bounds.connections, 'connections'),
    'The most connections of one address to the API. Raise it for many clients behind one NAT.',
  ),
  peerConnectionsPerAddress: withDefault(
    'SVC_PEER_CONNECTIONS_PER_ADDRESS',
    String(peerBounds.connectionsPerAddress),
    whole(1, peerBounds.connections, 'connections'),
    'The most connections of one address from peers. Raise it for many peers behind one NAT or TCP proxy.',
  ),
  peerHandshakesPerAddress: withDefault(
    'SVC_PEER_HANDSHAKES_PER_ADDRESS',
    String(peerBounds.handshakesPerAddress),
    whole(1, peerBounds.handshakes, 'handshakes'),
    'The most handshakes in progress of one address from peers that are not known there.',
  ),
  readsPerAddress: withDefault(
    'SVC_READS_PER_ADDRESS',
    String(rateLimits.originReads),
    whole(1, 1_000_000, 'requests'),
    'The most reads a minute without a key of one address. Raise it for many readers behind one NAT.',
  ),
  writesPerAddress: withDefault(
    'SVC_WRITES_PER_ADDRESS',
    String(rateLimits.originWrites),
    whole(1, 1_000_000, 'requests'),
    'The most writes a minute without a key of one address.',
  ),
  rateLimitLoopback: withDefault('SVC_RATE_LIMIT_LOOPBACK', 'off', flag, 'Limits apply to loopback callers too.'),
  auditEveryHours: withDefault(
    'SVC_AUDIT_EVERY_HOURS',
    '0',
    whole(0, 8_760, 'hours'),
    'The node audits itself this long after its last audit began: 24 for every day; 0: only on request.',
  ),
  logLevel: withDefault(
    'SVC_LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'Least severity that is logged.',
  ),
  listen: withDefault(
    'SVC_LISTEN',
    '',
    listOf(listenAddress),
    'Addresses where peers reach this node. Default where SVC_PEERS is set: port 9529, all IPv4 addresses.',
  ),
  peers: {
    ...withDefault('SVC_PEERS', '', listOf(peerAddress), 'Addresses of peers, each with its peer id.'),
    shown: secret,
  },
  peersAloneSeconds: withDefault(
    'SVC_PEERS_ALONE',
    '10',
    whole(0, 86_400, 'seconds'),
    'How long a start waits for a peer that knows whether this journal is the newest.',
  ),
  peerCopies: withDefault(
    'SVC_PEER_COPIES',
    '0',
    whole(0, mirrorBounds.mirrors, 'mirrors'),
    'How many mirrors have an entry on disk before its write is answered. Embedded store only.',
  ),
} as const;

type Variables = typeof variables;
type ValueOf<V> = V extends { readonly read: VariableParser<infer T> } ? T : never;

/** The parsed values, before those that are derived from several variables. */
export type Settings = {
  readonly [K in keyof Variables]: Variables[K] extends Defaulted<unknown>
    ? ValueOf<Variables[K]>
    : ValueOf<Variables[K]> | undefined;
};
