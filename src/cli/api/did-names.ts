/** Names of DIDs for people who read: one's own names, then those that the DIDs have given themselves. No write takes the latter. */
import { ApiError, UnreachableError } from '../../../packages/client/src/errors.js';
import type { Http } from '../../../packages/client/src/http.js';
import type { Replies } from '../../../packages/client/src/wire.js';
import { bounds } from '../../core/bounds.js';
import { tagOf } from '../../peers/cards/home-tag.js';
import { readPreferences } from '../profile/preferences.js';

export type DidNaming = (did: string) => string | undefined;

/** The most DIDs of one reply whose names are asked for. */
const most = 4 * bounds.namedAtOnce;
const longest = 20;

/** From the address book and the profiles. */
export function namesOfDids(): DidNaming {
  const { addresses, profiles } = readPreferences();
  const named = new Map<string, string>();
  for (const [name, { did }] of Object.entries(profiles)) if (did !== undefined) named.set(did, name);
  for (const [name, did] of Object.entries(addresses)) named.set(did, name);
  return (did) => named.get(did);
}

/**
 * Also the names of a reply's DIDs that the node knows, with the end of the DID, because any DID can take any name:
 * `Ada …dvkt`, at another home `Ada …dvkt ~9kQxT2bA`.
 */
export async function namesIn(reply: unknown, http: Http): Promise<DidNaming> {
  const own = namesOfDids();
  const dids = [...didsIn(reply)].filter((did) => own(did) === undefined).slice(0, most);
  const given = new Map<string, string | undefined>();
  try {
    for (let at = 0; at < dids.length; at += bounds.namedAtOnce) {
      const asked = dids.slice(at, at + bounds.namedAtOnce).join(',');
      const reading = { method: 'GET', path: '/names', query: { dids: asked }, once: true } as const;
      const { names } = await http.send<Replies['listNames']>(reading);
      for (const name of names) given.set(name.did, textFor(name));
    }
  } catch (error) {
    // The reply is shown with DIDs then.
    if (!(error instanceof ApiError || error instanceof UnreachableError)) throw error;
  }
  return (did) => own(did) ?? given.get(did);
}

const parts = { node: 'this node', system: 'clock and faucet', arbiter: 'network arbiter' } as const;

function textFor({ did, displayName, home, part }: Replies['listNames']['names'][number]): string | undefined {
  if (part !== null) return parts[part];
  if (displayName === null) return undefined;
  const letters = [...displayName];
  const name = letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : displayName;
  return `${name} …${did.slice(-4)}${home === null ? '' : ` ~${tagOf(home, [])}`}`;
}

export const isDid = (text: string): boolean => /^did:svc:z\w+$/.test(text);

function didsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string' && isDid(value)) found.add(value);
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) didsIn(each, found);
  return found;
}
