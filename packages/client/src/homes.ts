/**
 * Other homes (docs/signing.md#other-homes): where they are, and what is known there. Nothing of one home goes to another:
 * no API key, no passphrase, no nonce.
 */
import { SigningError } from './errors.js';
import { Http, type Place, pathOf } from './http.js';
import type { Nonces } from './nonces.js';
import { canonicalText, utf8 } from './signing/bytes.js';
import { isSignedBy } from './signing/key.js';
import { type KnownEvents, tenMinutes } from './signing/key-writes.js';

export interface HomeOptions {
  /** Base URL of the home; without it, the client's own node asks the home for it. */
  readonly url?: string | URL;
  /** API key of that home. */
  readonly key?: string;
}

/** What a read has found. */
export interface OfHome {
  /** DID of the home; absent: it is of this one. */
  readonly home?: string | undefined;
}

/** How another home is reached, and what is known there. */
interface ReachedHome {
  /** Sends requests to it. */
  readonly http: Http;
  /** What is known of each DID there. */
  readonly known: KnownSigners;
  /** What events must name there. */
  readonly place: Place;
}

/** What is known of each DID at one home, shared by all clients that `as` and `at` made from the same one. */
export interface KnownSigners {
  readonly nonces: Map<string, Nonces>;
  readonly held: Map<string, KnownEvents>;
}

export const noSigners = (): KnownSigners => ({ nonces: new Map(), held: new Map() });

export class Homes {
  readonly #known = new Map<string, KnownSigners>();

  constructor(
    /** To the client's own home. */
    readonly own: Http,
    readonly signers: KnownSigners = noSigners(),
  ) {}

  /** @param home its DID */
  async at(home: string, { url, key }: HomeOptions): Promise<ReachedHome> {
    const { readTimeoutMs, writeTimeoutMs, environment } = this.own.options;
    const own = await said<Place>(this.own, '/node');
    // What is proven to a home must not be proven to a node that calls itself by its name.
    for (const { home: before = own.home } of this.signers.held.values())
      if (before !== own.home) throw new SigningError(`the node has had the home ${before}, and says ${own.home}`);
    const place = { home, network: String(own.network) };
    if (home === own.home) return { http: this.own, known: this.signers, place };
    const where = url === undefined ? await this.#statedUrl(place) : String(url);
    // Each named: an API key of this home, or whatever else proves who its caller is, must not come to another.
    const http = new Http({ url: where, key, readTimeoutMs, writeTimeoutMs, environment, place });
    const there = await said<Place>(http, '/node');
    if (there.home !== home || there.network !== place.network)
      throw new SigningError(`${where} is ${there.home} on ${there.network}, not ${home} on ${place.network}`);
    const known = this.#known.get(home) ?? noSigners();
    this.#known.set(home, known);
    return { http, known, place };
  }

  /** Where a home says that it is, with its signature: the own node only passes that on. */
  async #statedUrl({ home, network }: Place): Promise<string> {
    const { url, time = 0, sig } = await said<StatedAddress>(this.own, pathOf`/homes/${home}`);
    const isFresh = Math.abs(time - this.own.options.environment.now()) <= tenMinutes;
    const text = `svc:home:v1:${canonicalText({ home, network, time, url: String(url) })}`;
    if (!isFresh || !(await isSignedBy(home, utf8(text), String(sig)).catch(() => false)))
      throw new SigningError(`the node does not show where ${home} has said that it is. State the url`);
    if (typeof url === 'string' && mayFollow(url, this.own.options.url)) return url;
    throw new SigningError(`${home} says that it is at ${url}: only https is followed from here. State the url`);
  }
}

/** What a write names of another home, by ids such as `ord-1~did:svc:…`; and the write as it is there. */
export function namedHome<T extends object>(
  path: string,
  input: T,
): { home: string; path: string; input: T } | undefined {
  let home: string | undefined;
  const bare = (text: string): string => {
    const [, id = text, its = home] = /^([^~]+)~(did:svc:z[1-9A-HJ-NP-Za-km-z]+)$/.exec(text) ?? [];
    home ??= its;
    return its === home ? id : text;
  };
  const parts = path.split('/').map((part) => encodeURIComponent(bare(decodeURIComponent(part))));
  const members = Object.entries(input).map(([name, value]) =>
    typeof value === 'string' && /Id$|^ref$/.test(name) ? [name, bare(value)] : [name, value],
  );
  return home === undefined ? undefined : { home, path: parts.join('/'), input: Object.fromEntries(members) as T };
}

interface StatedAddress {
  readonly url: string;
  /** Epoch ms. */
  readonly time: number;
  readonly sig: string;
}

/** What a node says; nothing of it is sure. */
const said = async <T>(http: Http, path: string): Promise<Partial<T>> => (await http.get<T | null>(path)) ?? {};

/** Whether an address that another home states may be asked: encrypted, or on this machine if one's own node is. */
function mayFollow(stated: string, own: string): boolean {
  const url = parsed(stated);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url) && isLoopback(parsed(own)));
}

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

const isLoopback = (url: URL | undefined): boolean =>
  url !== undefined && /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(url.hostname);
