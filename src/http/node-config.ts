/**
 * NodeConfig (interface, Node): what the node runs with, without secrets; paths only for those who may see them.
 */
import { bounds, type Config, faucetQuotas, rateLimits } from '../config.js';
import type { JsonObject } from '../machines/kernel/canonical.js';

/** Credentials in a URL are nobody's business. A list of hosts is no URL to a parser, so it is cut as a text. */
const withoutCredentials = (url: string): string => url.replace(/\/\/.*@/, '//').replace(/\?.*$/, '');

/** Rendered twice at start: with paths, and without. */
export function nodeConfigView(config: Config): (withPaths: boolean) => JsonObject {
  const open: JsonObject = {
    network: config.network,
    host: config.host,
    port: config.port,
    store: config.store === 'embedded' ? 'embedded' : 'mongodb',
    chain: config.chain,
    chainId: config.chainId ?? null,
    confirmations: config.confirmations,
    publicUrl: config.publicUrl ?? null,
    errorBaseUrl: config.errorBaseUrl ?? null,
    unlockSeconds: config.unlockSeconds,
    settlementWaitMs: config.settlementWaitMs,
    minFee: config.minFee,
    arbiterDid: config.arbiterDid ?? null,
    logLevel: config.logLevel,
    tls: config.tls !== undefined,
    limits: {
      bodyBytes: bounds.bodyBytes,
      jsonDepth: bounds.jsonDepth,
      pageLimit: bounds.pageLimit,
      pageOffset: bounds.pageOffset,
      nonceAhead: bounds.nonceAhead,
    },
    rateLimits: { ...rateLimits },
    faucet: config.network === 'mainnet' ? null : { ...faucetQuotas },
  };
  const full: JsonObject = {
    ...open,
    // Where a database lies is told to those who see paths.
    store: config.store === 'embedded' ? 'embedded' : withoutCredentials(config.store),
    dataDir: config.dataDir,
    tlsFiles: config.tls ? { ...config.tls } : null,
    trustedProxies: config.trustedProxies.map(String),
    corsOrigins: config.corsOrigins.map(String),
  };
  return (withPaths) => (withPaths ? full : open);
}
