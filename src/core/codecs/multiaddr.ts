/**
 * Addresses of peers in libp2p's format, of which this node supports `/ip4|ip6|dns4|dns6/<host>/tcp/<port>[/p2p/<peer
 * id>]`. Parsing normalises them, so that equal addresses are equal strings. Pure.
 */
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { didOfPeerId } from './peer-id.js';

type HostFamily = 'ip4' | 'ip6' | 'dns4' | 'dns6';

export interface Multiaddr {
  readonly family: HostFamily;
  /** Normalised: IPv6 as in RFC 5952, names in lower case. */
  readonly host: string;
  /** 0 only in a listen address, for any free port. */
  readonly port: number;
  readonly peerId?: string;
}

/** Longer than any valid address: a name has at most 253 characters. */
const longestText = 350;
const longestName = 253;
const longestPort = 65_535;
const families: readonly string[] = ['ip4', 'ip6', 'dns4', 'dns6'] satisfies HostFamily[];

/** Protocols of libp2p that operators may try, with the reason why they are not supported. */
const unsupported: { readonly [protocol: string]: string } = {
  dns: 'name the family, /dns4 or /dns6',
  dnsaddr: 'write the address that it leads to',
  udp: 'peers speak over TCP',
  quic: 'peers speak over TCP',
  'quic-v1': 'peers speak over TCP',
  webtransport: 'peers speak over TCP',
  'webrtc-direct': 'peers speak over TCP',
  ws: 'peers speak HTTP/1.1 over TLS',
  wss: 'peers speak HTTP/1.1 over TLS',
  tls: 'TLS is always spoken, leave it out',
  http: 'HTTP is always spoken, leave it out',
  https: 'HTTPS is always spoken, leave it out',
  ipfs: 'write /p2p',
  'p2p-circuit': 'peers are reached without relays',
  ip6zone: 'write an address that is valid everywhere',
  unix: 'peers speak over TCP',
};

const form = '/ip4/192.0.2.1/tcp/9529/p2p/12D3KooW…';

const unsupportedPart = (protocol: string): string =>
  Object.hasOwn(unsupported, protocol)
    ? `has /${protocol}, which is not supported: ${unsupported[protocol]}`
    : `has /${protocol.slice(0, 40)}, which is not supported: an address has the form ${form}`;

/** @returns the normalised host, or a sentence without subject that says what is wrong */
function parseHost(family: HostFamily, text: string): { readonly host: string } | string {
  if (family === 'ip4') return isIPv4(text) ? { host: text } : 'has no IPv4 address after /ip4';
  if (family === 'ip6') {
    if (text.includes('%')) return 'has an IPv6 address with a zone, which is not supported';
    if (!isIPv6(text)) return 'has no IPv6 address after /ip6';
    const address = ipaddr.IPv6.parse(text);
    return address.isIPv4MappedAddress()
      ? 'has an IPv4 address after /ip6: write it after /ip4'
      : { host: address.toRFC5952String() };
  }
  const host = text.toLowerCase();
  const labels = host.split('.');
  const isName =
    host.length <= longestName &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) &&
    // A name whose last label is all digits is an IPv4 address, or a malformed one.
    !/^\d+$/.test(labels.at(-1)!);
  return isName ? { host } : `has no host name after /${family}`;
}

/**
 * @returns the normalised address, or the end of a sentence that begins with the address: 'has /udp, which is not
 * supported: …'
 */
export function parseMultiaddr(text: string): Multiaddr | string {
  if (text.length > longestText) return `is longer than ${longestText} characters`;
  if (!text.startsWith('/')) return `must be an address such as ${form}`;
  const [, family = '', hostText = '', transport, portText = '', suffix, peerId = '', ...rest] = text.split('/');
  if (!families.includes(family)) return unsupportedPart(family);
  const host = parseHost(family as HostFamily, hostText);
  if (typeof host === 'string') return host;
  if (transport === undefined) return `has no port: write ${form}`;
  if (transport !== 'tcp') return unsupportedPart(transport);
  const port = /^(0|[1-9]\d{0,4})$/.test(portText) ? Number(portText) : longestPort + 1;
  if (port > longestPort) return `must have a port from 0 to ${longestPort} after /tcp`;
  const place = { family: family as HostFamily, ...host, port };
  if (suffix === undefined) return place;
  if (suffix !== 'p2p') return unsupportedPart(suffix);
  if (didOfPeerId(peerId) === undefined) return 'has no peer id of an Ed25519 key after /p2p: 12D3KooW…';
  if (rest.length > 0) return unsupportedPart(rest[0]!);
  return { ...place, peerId };
}

/** Parses an address to listen on: an IP address, port 0 for a free one, no peer id. @returns as parseMultiaddr */
export function parseListenAddress(text: string): Multiaddr | string {
  const address = parseMultiaddr(text);
  if (typeof address === 'string') return address;
  if (address.peerId !== undefined) return 'must be without /p2p: the node has the peer id of its key';
  return address.family.startsWith('ip') ? address : 'must be an IP address, because a node listens on addresses';
}

/** Parses an address of a peer, with the peer id that it must prove. @returns as parseMultiaddr */
export function parsePeerAddress(text: string): (Multiaddr & { readonly peerId: string }) | string {
  const address = parseMultiaddr(text);
  if (typeof address === 'string') return address;
  if (address.port === 0) return 'must have a port from 1 to 65535 after /tcp';
  const { peerId } = address;
  return peerId === undefined ? 'must end in /p2p/ and the peer id of the node' : { ...address, peerId };
}

export const formatMultiaddr = ({ family, host, port, peerId }: Multiaddr): string =>
  `/${family}/${host}/tcp/${port}${peerId === undefined ? '' : `/p2p/${peerId}`}`;
