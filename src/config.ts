/**
 * Environment → one frozen Config, or sentences that say what is wrong (decisions.md, Configuration), and every
 * named bound of the node (design.md, Faults and load).
 */
import { accessSync, constants, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { type Settings, type Variable, variables } from './config-variables.js';

export { variables } from './config-variables.js';

/** Every queue, page, body, depth, retry and cache of the node has its bound here. */
export const bounds = Object.freeze({
  bodyBytes: 1024 * 1024,
  jsonDepth: 32,
  jsonKeys: 1_000,
  queryParameters: 100,
  headerBytes: 16 * 1024,
  requestIdLength: 128,
  connections: 4_000,
  streams: 500,
  /** A slow client has so long for the headers, and for the whole request. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** How often node looks for such clients. */
  slowClientsCheckMs: 2_000,
  keepAliveMs: 72_000,
  socketIdleMs: 150_000,
  /** What is read on and thrown away of a body that was refused, so that its sender can see the answer. */
  lingerBytes: 16 * 1024 * 1024,
  lingerMs: 5_000,
  streamHeartbeatMs: 15_000,
  /** A stream whose consumer takes nothing for so long is cut off. */
  slowConsumerMs: 20_000,
  shutdownMs: 10_000,
  /** Of that, kept for the store. */
  storeCloseMs: 2_000,
  pageLimit: 100,
  pageDefault: 20,
  pageOffset: 10_000,
  cursorLength: 512,
  /** Steps of one resource that are gone through again for the machines inside its context. */
  nestedSteps: 2_000,
  /** Characters and words of a keyword, and values of one filter. */
  keywordLength: 200,
  keywordWords: 16,
  filterValues: 32,
  /** Searches of one caller that wait for each other. */
  searchesWaiting: 100,
  /** The same of lists by status, which are many, and short where a DID has few resources. */
  listsWaiting: 1_000,
  /** Addresses of origin that the rate limits tell apart in a minute; the rest share buckets. */
  limitedOrigins: 50_000,
  sharedOriginBuckets: 1_024,
  forwardedHops: 32,
  apiKeys: 10_000,
  apiKeysPerDid: 20,
  apiKeyCache: 2_000,
  /** A key revoked by another process is unknown here after at most so long. */
  apiKeyFreshMs: 1_000,
  apiKeyUsedEveryMs: 60_000,
  didKeyDefaultMs: 90 * 86_400_000,
  didKeyLongestMs: 366 * 86_400_000,
  adminLogEntries: 10_000,
  mailbox: 1_000,
  commandsInFlight: 4_000,
  entryResources: 256,
  reenterAttempts: 3,
  appendAttempts: 8,
  nonceAhead: 64,
  nonceWaitMs: 1_000,
  /** Requests that wait for earlier nonces of one DID. */
  nonceWaiting: 256,
  /** Actors in memory; idle ones beyond it leave. */
  actors: 20_000,
  actorsBytes: 6 * 1024 * 1024,
  /** Committed snapshots, and accounts, kept for readers. */
  committedCache: 20_000,
  committedCacheBytes: 6 * 1024 * 1024,
  /** Reputation records kept in memory, of all DIDs together: some 250 bytes each. */
  reputationRecords: 200_000,
  reputationPage: 1_000,
  alarmBatch: 100,
  /** The longest that the alarm clock sleeps. */
  alarmRestMs: 5_000,
  clockSkewMs: 600_000,
  unlockMs: 300_000,
  kdfRuns: 2,
  kdfWaiting: 64,
  passphraseLength: 12,
  bidsPerTask: 200,
  contentBytes: 750 * 1024,
  pendingOperations: 10_000,
  pendingOperationsMs: 60_000,
  batchOperations: 200,
  batchBytes: 96 * 1024,
  freeDiskBytes: 256 * 1024 * 1024,
  webhooks: 64,
  /** Deliveries of one webhook on their way at once. */
  webhookInFlight: 4,
  /** Entries of one webhook that are read and not done with; only their numbers are kept. */
  webhookWindow: 1_000,
  /** From the look-up of a name to the status of the answer. */
  webhookMs: 10_000,
  webhookBodyBytes: 256 * 1024,
  webhookReplyBytes: 16 * 1024,
  /** Attempts of one delivery, where its receiver takes others meanwhile. */
  webhookAttempts: 10,
  webhookFirstRestMs: 5_000,
  webhookLongestRestMs: 3_600_000,
  /** Nothing has arrived for so long: the webhook is disabled. */
  webhookFailingMs: 3 * 86_400_000,
  webhookLogLines: 1_000,
  /** The secret before signs for so long beside a new one, unless it is said otherwise; and at most. */
  webhookOverlapMs: 86_400_000,
  webhookLongestOverlapMs: 7 * 86_400_000,
  webhookPage: 100,
  /** Of entries kept in memory for those that are sent next. */
  webhookRecentBytes: 16 * 1024 * 1024,
  /** Until what has happened to deliveries is noted; and until how far was read, where nothing was to be delivered. */
  webhookNoteMs: 200,
  webhookNoteForeignMs: 10_000,
  /** Deliveries on their way when the node stops have so long. */
  webhookStopMs: 1_500,
  /** Entries are gathered for so long before they are read. */
  webhookGatherMs: 50,
  /** How often a process looks whether it delivers, and what others have changed. */
  webhookLookMs: 1_000,
  /** A database that has not answered for so long counts as away: requests are refused at once. */
  storeAwayMs: 1_000,
});

/** Requests a minute (decisions.md, Rate limits). */
export const rateLimits = Object.freeze({
  windowSeconds: 60,
  originReads: 300,
  originWrites: 60,
  keyReads: 6_000,
  keyWrites: 1_200,
  /** Wrong passphrases per (origin or key, DID), and per DID. */
  passphraseFailures: 5,
  passphraseFailuresPerDid: 60,
});

/** decisions.md, Faucet. */
export const faucetQuotas = Object.freeze({
  tokens: 100,
  recipientCooldownMs: 24 * 3_600_000,
  perDid: 4,
  perDidWindowMs: 30 * 86_400_000,
  perOriginDaily: 20,
  networkDailyTokens: 100_000,
});

type Derived = 'passphraseText' | 'passphraseFile' | 'publicUrlText' | 'errorBaseUrlText' | 'tlsCert' | 'tlsKey';

export interface Config extends Omit<Settings, Derived> {
  /** Not enumerable: it appears in no dump, log line or NodeConfig. */
  readonly passphrase: string | undefined;
  readonly publicUrl: string | undefined;
  readonly errorBaseUrl: string | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
}

/** The roots of links and of error types. */
export interface Urls {
  readonly publicUrl: string;
  readonly errorBaseUrl: string;
}

type Environment = { [name: string]: string | undefined };

/**
 * @param environment is what it says; SVC_PASSPHRASE is deleted from it.
 * @param overrides by variable name, from the command line; they win.
 */
export function loadConfig(environment: Environment, overrides: Environment = {}): Config | readonly string[] {
  const faults: string[] = [];
  const given: Environment = { ...environment };
  for (const [name, text] of Object.entries(overrides)) if (text !== undefined) given[name] = text;
  delete environment.SVC_PASSPHRASE;
  const known = new Set<string>(Object.values(variables).map((variable) => variable.name));
  for (const name of Object.keys(given)) {
    if (name.startsWith('SVC_') && !known.has(name) && !/^SVC_(TEST|NODE)_/.test(name)) {
      faults.push(`${name} is not a variable of this node; see the README for those that are.`);
    }
  }
  const settings: Record<string, unknown> = {};
  for (const [member, variable] of Object.entries<Variable<unknown>>(variables)) {
    const text = given[variable.name] || variable.default;
    const read = text === undefined ? { value: undefined } : variable.read(text);
    if (typeof read === 'string') faults.push(`${variable.name} ${read}.`);
    else settings[member] = read.value;
  }
  if (faults.length > 0) return faults;
  const config = derive(settings as unknown as Settings, faults);
  faults.push(...mainnetFaults(config));
  return faults.length > 0 ? faults : Object.freeze(config);
}

function derive(settings: Settings, faults: string[]): Config {
  const { passphraseText, passphraseFile, publicUrlText, errorBaseUrlText, tlsCert, tlsKey, ...rest } = settings;
  const config = {
    ...rest,
    dataDir: directory(settings),
    publicUrl: publicUrlText,
    errorBaseUrl: errorBaseUrlText,
    tls: tlsCert && tlsKey ? Object.freeze({ cert: resolve(tlsCert), key: resolve(tlsKey) }) : undefined,
  };
  if (!tlsCert !== !tlsKey) faults.push('SVC_TLS_CERT and SVC_TLS_KEY are given together or not at all.');
  for (const [name, file] of [
    ['SVC_TLS_CERT', tlsCert],
    ['SVC_TLS_KEY', tlsKey],
  ] as const) {
    if (file !== undefined && !isReadable(file)) faults.push(`${name} names ${file}, which cannot be read.`);
  }
  const passphrase = passphraseText ?? (passphraseFile === undefined ? undefined : firstLine(passphraseFile));
  if (passphraseText !== undefined && passphraseFile !== undefined) {
    faults.push('SVC_PASSPHRASE and SVC_PASSPHRASE_FILE are both given; one is enough.');
  } else if (passphraseFile !== undefined && passphrase === undefined) {
    faults.push(`SVC_PASSPHRASE_FILE names ${passphraseFile}, which cannot be read.`);
  } else if (passphrase !== undefined && [...passphrase].length < bounds.passphraseLength) {
    const says =
      passphraseFile === undefined
        ? 'SVC_PASSPHRASE must have'
        : `SVC_PASSPHRASE_FILE: the first line of ${passphraseFile} must have`;
    faults.push(`${says} at least ${bounds.passphraseLength} characters: it unlocks the node's key.`);
  }
  return Object.defineProperty(config, 'passphrase', { value: passphrase, enumerable: false }) as Config;
}

function directory({ dataDir, network }: Settings): string {
  if (dataDir === variables.dataDir.default) return join(homedir(), '.svc-node', network);
  return resolve(dataDir.replace(/^~(?=\/|$)/, homedir()));
}

function mainnetFaults(config: Config): string[] {
  if (config.network !== 'mainnet') return [];
  const faults: string[] = [];
  if (config.chain === 'none') faults.push('SVC_CHAIN none is for tests; on mainnet a chain is needed.');
  if (!isLoopbackHost(config.host) && !config.tls && config.trustedProxies.length === 0) {
    faults.push(
      `SVC_HOST ${config.host} can be reached from outside: on mainnet that needs SVC_TLS_CERT and SVC_TLS_KEY, or SVC_TRUSTED_PROXIES.`,
    );
  }
  return faults;
}

/** Whether a bind address or a host name in a URL (IPv6 with or without brackets) stays on this machine. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  if (bare === 'localhost') return true;
  return isIP(bare) !== 0 && ipaddr.process(bare).range() === 'loopback';
}

/** Where a caller on this machine finds the API. @param port the one that listens, not a configured 0 */
export function listenUrlOf({ host, tls }: Config, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${tls ? 'https' : 'http'}://${isIP(reached) === 6 ? `[${reached}]` : reached}:${port}`;
}

/** @param port the one that listens, which differs from the configured one when that is 0 */
export function urlsOf(config: Config, port: number): Urls {
  const publicUrl = config.publicUrl ?? listenUrlOf(config, port);
  return { publicUrl, errorBaseUrl: config.errorBaseUrl ?? `${publicUrl}/errors` };
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false; // the caller says which file
  }
}

function firstLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0];
  } catch {
    return undefined; // the caller says which file
  }
}
