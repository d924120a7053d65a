/** Names of DIDs for people who read: one's own names, then those that the DIDs have given themselves. No write takes the latter. */
import { ApiError, UnreachableError } from '../../../packages/client/src/errors.js';
import type { Http } from '../../../packages/client/src/http.js';
import { NamesAlike } from '../../../packages/client/src/look-alike.js';
import type { Replies } from '../../../packages/client/src/wire.js';
import { bounds } from '../../core/bounds.js';
import { tagOf } from '../../peers/cards/home-tag.js';
import { note } from '../output.js';
import { namesGiven } from '../profile/preferences.js';

type NameRecord = Replies['listNames']['names'][number];
export type DidNaming = (did: string) => string | undefined;

/** The most DIDs of one reply whose names are asked for. */
const most = 4 * bounds.namedAtOnce;
const longest = 20;

/** From the address book and the profiles. */
export function namesOfDids(): DidNaming {
  const named = namesGiven();
  return (did) => named.get(did);
}

/**
 * Also the names of a reply's DIDs that the node knows, with the end of the DID, because any DID can take any name:
 * `Ada …dvkt`, at another home `Ada …dvkt ~9kQxT2bA`. A name that looks like that of another DID ends in ≈.
 */
export async function namesIn(reply: unknown, http: Http): Promise<DidNaming> {
  const own = namesGiven();
  const dids = [...didsIn(reply)].filter((did) => !own.has(did)).slice(0, most);
  const records: NameRecord[] = [];
  try {
    for (let at = 0; at < dids.length; at += bounds.namedAtOnce) {
      const asked = dids.slice(at, at + bounds.namedAtOnce).join(',');
      const reading = { method: 'GET', path: '/names', query: { dids: asked }, once: true } as const;
      const { names } = await http.send<Replies['listNames']>(reading);
      records.push(...names);
    }
  } catch (error) {
    // The reply is shown with DIDs then.
    if (!(error instanceof ApiError || error instanceof UnreachableError)) throw error;
  }
  const named = records.map((record) => [record.did, nameIn(record) ?? ''] as const).filter(([, name]) => name !== '');
  const alike = new NamesAlike([...own, ...named]);
  const shown = new Map(records.map((record) => [record.did, textFor(record, alike)]));
  if ([...shown.values()].some((text) => text?.endsWith(mark)))
    note(`${mark} another DID has a name that looks like it.`);
  return (did) => own.get(did) ?? shown.get(did);
}

/** The DIDs whose names look like this one to the node, with their names. */
export async function namesLike(name: string, http: Http): Promise<readonly (readonly [did: string, name: string])[]> {
  const text = [...name].slice(0, bounds.keywordLength).join('').trim();
  if (text === '') return [];
  try {
    const { matches } = await http.send<Replies['lookUp']>({
      method: 'GET',
      path: '/lookup',
      query: { text },
      once: true,
    });
    return matches.flatMap(({ id, displayName }) => (displayName === undefined ? [] : [[id, displayName] as const]));
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof UnreachableError)) throw error;
    return []; // the write says what is wrong
  }
}

const mark = ' ≈';

const parts = { node: 'this node', system: 'clock and faucet', arbiter: 'network arbiter' } as const;

function nameIn({ displayName, part }: NameRecord): string | undefined {
  if (part !== null) return parts[part];
  const letters = [...(displayName ?? '')];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : (displayName ?? undefined);
}

function textFor(record: NameRecord, alike: NamesAlike): string | undefined {
  const { did, home, part } = record;
  const name = nameIn(record);
  if (name === undefined || part !== null) return name;
  const like = alike.other(did, name) === undefined ? '' : mark;
  return `${name} …${did.slice(-4)}${home === null ? '' : ` ~${tagOf(home, [])}`}${like}`;
}

export const isDid = (text: string): boolean => /^did:svc:z\w+$/.test(text);

function didsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string' && isDid(value)) found.add(value);
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) didsIn(each, found);
  return found;
}
