/** The URLs of a node: its address, and the base URLs of links and of error types. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Urls {
  readonly publicUrl: string;
  readonly errorBaseUrl: string;
}

export interface ListenConfig {
  readonly host: string;
  readonly tls?: object | undefined;
}

/** The configured base URLs; each has a default that is derived from the address. */
export interface UrlConfig extends ListenConfig {
  readonly publicUrl?: string | undefined;
  readonly errorBaseUrl?: string | undefined;
}

/** Whether a bind address or a host name in a URL (IPv6 with or without brackets) is on this machine only. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  if (bare === 'localhost') return true;
  return isIP(bare) !== 0 && ipaddr.process(bare).range() === 'loopback';
}

/** URL of the API for callers on this machine. @param port the real port, not a configured 0 */
export function listenUrlOf({ host, tls }: ListenConfig, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${tls ? 'https' : 'http'}://${isIP(reached) === 6 ? `[${reached}]` : reached}:${port}`;
}

/** @param port the real port, which differs from the configured one if that is 0 */
export function urlsOf(config: UrlConfig, port: number): Urls {
  const publicUrl = config.publicUrl ?? listenUrlOf(config, port);
  return { publicUrl, errorBaseUrl: config.errorBaseUrl ?? `${publicUrl}/errors` };
}
