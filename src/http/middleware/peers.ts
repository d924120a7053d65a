/**
 * Where a request comes from (decisions.md, Access and operators): its address of origin behind trusted proxies,
 * and whether it is a local one in the sense of the loopback rule.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { bounds, isLoopbackHost } from '../../config.js';
import type { Site } from '../site.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What does not change while a connection lasts. */
interface Peer {
  readonly address: Address | undefined;
  readonly loopback: boolean;
  readonly trusted: boolean;
  readonly origin: string;
}

/** Headers by which a proxy says that the request is not its own. `X-Forwarded-*` beside them. */
const forwardingHeaders = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'x-envoy-original-path',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'fastly-client-ip',
  'x-proxyuser-ip',
]);

export class Peers {
  readonly #peers = new WeakMap<Socket, Peer>();
  readonly #trusted: readonly [Address, number][];
  /** The last Host and Origin that were found to be ours: a client sends the same ones again and again. */
  #ourHost: string | undefined;
  #ourOrigin: string | undefined;

  constructor(private readonly site: Site) {
    this.#trusted = site.config.trustedProxies.map((network) => {
      if (network.includes('/')) return ipaddr.parseCIDR(network);
      const address = ipaddr.process(network);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    });
  }

  /** IPv4 as it is, IPv6 as its /64. */
  originOf(req: IncomingMessage): string {
    const peer = this.#peerOf(req.socket);
    const forwarded = peer.trusted ? req.headers['x-forwarded-for'] : undefined;
    if (forwarded === undefined) return peer.origin;
    return this.#originBehind(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded);
  }

  /** Peer, Host and Origin are this machine's, and nobody has forwarded the request. */
  isLocal(req: IncomingMessage): boolean {
    if (!this.#peerOf(req.socket).loopback) return false;
    const { headers } = req;
    const { host, origin } = headers;
    if (host === undefined || (host !== this.#ourHost && !this.#isOurHost(host))) return false;
    if (origin !== undefined && origin !== this.#ourOrigin && !this.#isOurOrigin(origin)) return false;
    for (const name in headers) {
      if (forwardingHeaders.has(name) || name.startsWith('x-forwarded')) return false;
    }
    return true;
  }

  #isOurHost(host: string): boolean {
    const [, name, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
    if (name === undefined || !isLoopbackHost(name.toLowerCase())) return false;
    const usual = this.site.scheme === 'https' ? 443 : 80;
    if ((port === undefined ? usual : Number(port)) !== this.site.port) return false;
    this.#ourHost = host;
    return true;
  }

  #isOurOrigin(origin: string): boolean {
    const scheme = `${this.site.scheme}://`;
    if (!origin.startsWith(scheme) || !this.#isOurHost(origin.slice(scheme.length))) return false;
    this.#ourOrigin = origin;
    return true;
  }

  #peerOf(socket: Socket): Peer {
    const known = this.#peers.get(socket);
    if (known) return known;
    const address = parseAddress(socket.remoteAddress ?? '');
    const peer = {
      address,
      loopback: address?.range() === 'loopback',
      trusted: address !== undefined && this.#isTrusted(address),
      origin: address ? originOfAddress(address) : 'unknown',
    };
    this.#peers.set(socket, peer);
    return peer;
  }

  /** From the right, each hop vouched for by the one after it, until one that we don't trust. */
  #originBehind(peer: Peer, header: string): string {
    let origin = peer.origin;
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

/** `::ffff:1.2.3.4` is 1.2.3.4; a zone (`%eth0`) tells nothing of the origin. */
function parseAddress(text: string): Address | undefined {
  const bare = text.split('%', 1)[0]!;
  const strict = bare.includes(':') ? ipaddr.IPv6.isValid(bare) : ipaddr.IPv4.isValidFourPartDecimal(bare);
  return strict ? ipaddr.process(bare) : undefined;
}

function originOfAddress(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${new ipaddr.IPv6([...network, 0, 0, 0, 0]).toString()}/64`;
}

const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
