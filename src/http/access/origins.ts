/**
 * Where a request comes from (docs/reference/access.md#origins): its address of origin behind trusted proxies, and
 * whether it counts as local. Some forwarders add no header and keep the remote caller's Host, and look local: the
 * privilege of local callers is for a network whose Tokens are play money.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { bounds } from '../../core/bounds.js';
import { isLoopbackHost } from '../../core/urls.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Facts that do not change during a connection. */
export interface RemoteEnd {
  readonly address: Address | undefined;
  readonly loopback: boolean;
  readonly trusted: boolean;
  readonly origin: string;
}

/** Headers by which a proxy, cache or load balancer marks a forwarded request. */
const forwardingHeaders = new Set([
  'forwarded',
  'via',
  'client-ip',
  'cdn-loop',
  'front-end-https',
  'max-forwards',
  'proxy-authorization',
  'proxy-connection',
  'true-client-ip',
  'x-amzn-trace-id',
  'x-cache',
  'x-client-ip',
  'x-cloud-trace-context',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-original-url',
  'x-proxyuser-ip',
  'x-real-ip',
  'x-real-port',
  'x-scheme',
  'x-varnish',
]);

/** Prefixes of further such headers. */
const forwardingFamilies = [
  'x-forwarded',
  'x-envoy-',
  'x-azure-',
  'x-amz-cf-',
  'x-appengine-',
  'cf-',
  'fastly-',
  'fly-',
];

const isForwarding = (name: string): boolean =>
  forwardingHeaders.has(name) || forwardingFamilies.some((family) => name.startsWith(family));

/** The server's own addresses, by which direct requests are distinguished from forwarded ones. */
export interface ServerAddress {
  readonly config: { readonly publicUrl?: string | undefined; readonly trustedProxies: readonly string[] };
  readonly scheme: 'http' | 'https';
  readonly port: number;
}

export class Origins {
  readonly #remotes = new WeakMap<Socket, RemoteEnd>();
  readonly #trusted: readonly [Address, number][];
  /** Caches the last Host and Origin that were found to be ours: a client repeats the same ones. */
  #ourHost: string | undefined;
  #ourOrigin: string | undefined;
  /** False if the node is behind a proxy or published under another URL: then no request counts as local. */
  readonly #isDirect: boolean;

  constructor(private readonly address: ServerAddress) {
    const { publicUrl, trustedProxies } = address.config;
    this.#isDirect =
      trustedProxies.length === 0 && (publicUrl === undefined || isLoopbackHost(new URL(publicUrl).hostname));
    this.#trusted = address.config.trustedProxies.map((network) => {
      if (network.includes('/')) return ipaddr.parseCIDR(network);
      const address = ipaddr.process(network);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    });
  }

  /** IPv4 addresses unchanged, IPv6 addresses as their /64. */
  originOf(req: IncomingMessage): string {
    const remote = this.remoteEnd(req.socket);
    const forwarded = remote.trusted ? req.headers['x-forwarded-for'] : undefined;
    if (forwarded === undefined) return remote.origin;
    return this.#originBehind(remote, Array.isArray(forwarded) ? forwarded.join(',') : forwarded);
  }

  /**
   * Whether the request looks as one of a program on this machine does (docs/reference/access.md#loopback): over
   * loopback as HTTP/1.1, with our Host, our Origin or none, and nothing that a proxy or another site's page adds.
   */
  isLocal({ socket, headers, httpVersion }: IncomingMessage): boolean {
    if (!this.#isDirect || httpVersion !== '1.1' || !this.remoteEnd(socket).loopback) return false;
    const { host, origin, 'sec-fetch-site': site } = headers;
    if (host === undefined || (host !== this.#ourHost && !this.#isOurHost(host))) return false;
    if (origin !== undefined && origin !== this.#ourOrigin && !this.#isOurOrigin(origin)) return false;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    for (const name in headers) if (isForwarding(name)) return false;
    return true;
  }

  #isOurHost(host: string): boolean {
    const [, name, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
    if (name === undefined || !isLoopbackHost(name.toLowerCase())) return false;
    const usual = this.address.scheme === 'https' ? 443 : 80;
    if ((port === undefined ? usual : Number(port)) !== this.address.port) return false;
    this.#ourHost = host;
    return true;
  }

  #isOurOrigin(origin: string): boolean {
    const scheme = `${this.address.scheme}://`;
    if (!origin.startsWith(scheme) || !this.#isOurHost(origin.slice(scheme.length))) return false;
    this.#ourOrigin = origin;
    return true;
  }

  remoteEnd(socket: Socket): RemoteEnd {
    const known = this.#remotes.get(socket);
    if (known) return known;
    const address = parseAddress(socket.remoteAddress ?? '');
    const remote: RemoteEnd = {
      address,
      loopback: address?.range() === 'loopback',
      trusted: address !== undefined && this.#isTrusted(address),
      origin: address ? originOfAddress(address) : 'unknown',
    };
    this.#remotes.set(socket, remote);
    return remote;
  }

  /** Reads the hops from right to left. Each hop is believed if the next one is a trusted proxy. */
  #originBehind(remote: RemoteEnd, header: string): string {
    let origin = remote.origin;
    const hops = header.split(',').slice(-bounds.forwardedHops).reverse();
    for (const hop of hops) {
      const address = parseAddress(withoutPort(hop.trim()));
      if (!address) return origin;
      origin = originOfAddress(address);
      if (!this.#isTrusted(address)) return origin;
    }
    return origin;
  }

  #isTrusted(address: Address): boolean {
    return this.#trusted.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
  }
}

/** `::ffff:1.2.3.4` is 1.2.3.4; the zone (`%eth0`) is dropped. */
function parseAddress(text: string): Address | undefined {
  const bare = text.split('%', 1)[0]!;
  const strict = bare.includes(':') ? ipaddr.IPv6.isValid(bare) : ipaddr.IPv4.isValidFourPartDecimal(bare);
  return strict ? ipaddr.process(bare) : undefined;
}

function originOfAddress(address: Address): string {
  return address.kind() === 'ipv4' ? address.toString() : networkOf(address as ipaddr.IPv6, 64);
}

function networkOf({ parts }: ipaddr.IPv6, bits: number): string {
  return `${new ipaddr.IPv6(parts.map((part, i) => (i < bits / 16 ? part : 0))).toString()}/${bits}`;
}

/** The /48 and the /32 around an IPv6 origin. The holder of such a network has thousands of origins. */
export function widerNetworks(origin: string): { readonly site: string; readonly provider: string } | undefined {
  if (!origin.endsWith('/64')) return undefined;
  const address = ipaddr.IPv6.parse(origin.slice(0, -'/64'.length));
  return { site: networkOf(address, 48), provider: networkOf(address, 32) };
}

const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
