/**
 * Where deliveries may be sent. A URL is parsed strictly. Its name is resolved once per delivery, and the connection
 * goes to the checked address, which prevents DNS rebinding.
 */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Resolves a name to its addresses; rejects, or returns none, where it has none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface TargetRules {
  readonly encrypted: boolean;
  /** Addresses and networks that are allowed although they aren't global. */
  readonly networks: readonly string[];
}

export const longestUrl = 2_048;

/** 2000::/3, the globally routed IPv6 addresses; ipaddr.js knows the exceptions inside it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** Why an address is refused, as the end of a sentence that starts with it; undefined where it is allowed. */
export function violationOfAddress(text: string, networks: readonly string[]): string | undefined {
  if (!ipaddr.isValid(text)) return 'is no address';
  const address = ipaddr.parse(text);
  if (isGlobal(address)) return undefined;
  const isConfigured = networks.some((network) => {
    const [range, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), undefined];
    if (range.kind() !== address.kind()) return false;
    return bits === undefined ? range.toString() === address.toString() : address.match(range, bits);
  });
  return isConfigured ? undefined : 'is not a global address (SVC_WEBHOOK_NETWORKS names exceptions)';
}

const loopback = '127.0.0.1';
/** RFC 6761: these names are never looked up in the DNS. */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);
const isNoName = (host: string): boolean => /(^|\.)invalid\.?$/.test(host);

/** A URL's host without the brackets of IPv6. */
const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** What is wrong with a URL, without a DNS look-up; the end of a sentence. */
export function violationOfUrl(text: string, { encrypted, networks }: TargetRules): string | undefined {
  if (text.length > longestUrl) return `must have at most ${longestUrl} characters`;
  // The parser would drop blanks and line breaks, so that the sent URL would differ from the given one.
  if (!URL.canParse(text) || /[^\x21-\x7e]|\\/.test(text)) return 'must be an absolute URL of visible ASCII characters';
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol)) return 'must begin with https:// or http://';
  if (encrypted && url.protocol !== 'https:') return 'must begin with https:// on mainnet';
  if (!/^https?:\/\/[^/?#]/i.test(text)) return 'must name a host behind //';
  if (url.username || url.password || /^[^/]*\/\/[^/?#]*@/.test(text)) return 'must be without user and password';
  if (text.includes('#')) return 'must be without fragment';
  const host = bareHost(url);
  const address = isLocalName(host) ? loopback : host;
  const flaw = isIP(address) ? violationOfAddress(address, networks) : undefined;
  return flaw && `names ${host}, which ${flaw}`;
}

export interface DeliveryTarget {
  /** IP address to connect to. */
  readonly address: string;
  /** Name that the certificate must have; undefined where the URL has an address. */
  readonly name: string | undefined;
}

/** @returns the address to connect to, or why there is none, in a sentence */
export async function targetOf(
  url: URL,
  { networks }: TargetRules,
  lookUp: { readonly resolve: Resolve; readonly signal: AbortSignal },
): Promise<DeliveryTarget | string> {
  const host = bareHost(url);
  const isAddress = isIP(host) !== 0;
  const found = isAddress ? [host] : await addressesOf(host, lookUp);
  if (found.length === 0) return `the name ${host} could not be resolved`;
  // Refuses the name if any of its addresses is refused.
  for (const address of found) {
    const flaw = violationOfAddress(address, networks);
    if (flaw) return `${address} ${flaw}`;
  }
  const address = found.find((each) => isIP(each) === 4) ?? found[0]!;
  return { address, name: isAddress ? undefined : host };
}

async function addressesOf(
  host: string,
  { resolve, signal }: { readonly resolve: Resolve; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  if (isLocalName(host)) return [loopback];
  if (isNoName(host)) return [];
  try {
    return await resolve(host, signal);
  } catch {
    return []; // an unknown name and an unreachable server are handled alike
  }
}

/** Timeout of one try of one DNS server, ms. */
const dnsTryMs = 2_000;

/**
 * Asks the machine's DNS servers. Avoids `dns.lookup`, which would occupy one of the few threads that file access and
 * key derivation need, as long as a slow server takes.
 */
export const resolveByDns: Resolve = async (name, signal) => {
  const resolver = new Resolver({ timeout: dnsTryMs, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};
