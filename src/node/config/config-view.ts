/**
 * NodeConfig (docs/reference/node.md#node-status): the configuration without secrets; paths are shown only to callers with
 * that permission.
 */

import { bounds, faucetQuotas, rateLimits } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { placeOf } from '../../core/url-text.js';
import type { Config } from './config.js';

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
    storeQuotaMib: config.storeQuotaMib,
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
    // The database's address counts as a path.
    store: config.store === 'embedded' ? 'embedded' : placeOf(config.store),
    dataDir: config.dataDir,
    tlsFiles: config.tls ? { ...config.tls } : null,
    trustedProxies: config.trustedProxies.map(String),
    corsOrigins: config.corsOrigins.map(String),
  };
  return (withPaths) => (withPaths ? full : open);
}
