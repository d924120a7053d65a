/** The part of a node's configuration that its HTTP server reads. */
import type { UrlConfig } from '../../core/urls.js';

export interface ServerConfig extends UrlConfig {
  readonly network: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Files of the certificate and its private key, both PEM; undefined: plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Requests from this machine need no API key. */
  readonly loopback: boolean;
  /** Rate limits also apply to requests from this machine. */
  readonly rateLimitLoopback: boolean;
  /** Requests a minute of one address without a key. */
  readonly readsPerAddress: number;
  readonly writesPerAddress: number;
  /** Addresses and CIDR networks whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Of one address that is no trusted proxy. */
  readonly connectionsPerAddress: number;
  /** Origins that browsers may call from; `*` allows all. */
  readonly corsOrigins: readonly string[];
}
