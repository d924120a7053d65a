/**
 * Names of DIDs, requested from the node when a DID is shown: many DIDs in one request, each DID once. The user's address book
 * comes first, then the DID's function for this node, then the name in its identity document.
 */
import { computed, signal } from '@preact/signals';
import { NamesAlike } from '../../packages/client/src/look-alike.ts';
import { readKey } from '../api/key.ts';
import { read, withQuery } from '../api/read.ts';
import type { Replies } from '../api/types.ts';
import { shortName } from '../format/format.ts';
import { addressBook } from './address-book.ts';

type NameRecord = Replies['listNames']['names'][number];

export interface DidName {
  readonly text: string;
  /** Where the name comes from. A document proves nothing: its owner may write any name. */
  readonly from: 'book' | 'node' | 'document';
  /** What the DID does for this node, where the text does not say it. */
  readonly part?: string;
  /** DID of the other home where it is written. */
  readonly home?: string | undefined;
  /** Another DID whose name looks like it. */
  readonly like?: string | undefined;
}

const parts = { node: 'this node', system: 'clock and faucet', arbiter: 'network arbiter' } as const;

/** DIDs in one request, the maximum of the API. */
const atOnce = 50;
/** DIDs whose names are kept in memory. Later ones are shown without a name. */
const most = 5_000;
const gatherMs = 20;

const known = signal<ReadonlyMap<string, NameRecord>>(new Map());
const asked = new Set<string>();
let waiting: string[] = [];

readKey.subscribe(() => asked.clear());

async function ask(): Promise<void> {
  const wanted = waiting;
  waiting = [];
  for (let from = 0; from < wanted.length; from += atOnce) {
    const dids = wanted.slice(from, from + atOnce).join(',');
    try {
      const { names } = await read<Replies['listNames']>(withQuery('/api/v1/names', { dids }));
      known.value = new Map([...known.value, ...names.map((each) => [each.did, each] as const)]);
    } catch {
      return; // the page then shows DIDs; a failure of the node is reported by the view's own reads
    }
  }
}

const isDid = /^did:svc:z[1-9A-HJ-NP-Za-km-z]{40,60}$/;

function want(did: string): void {
  if (asked.has(did) || asked.size >= most || !isDid.test(did)) return;
  asked.add(did);
  if (waiting.length === 0) setTimeout(() => void ask(), gatherMs);
  waiting.push(did);
}

/** Resolves when these names have been read, as far as the node gives them. */
export function namesRead(dids: Iterable<string>): Promise<void> {
  for (const did of dids) want(did);
  return ask();
}

/** The names that were shown or given here, and those of the node's own DIDs. */
const alike = computed(() => {
  const named = [...known.value.values()].flatMap(({ did, part, displayName }) =>
    [part && parts[part], displayName].flatMap((name) => (name ? [[did, shortName(name)] as const] : [])),
  );
  return new NamesAlike([...Object.entries(addressBook.value), ...named]);
});

/** Another DID that is known here, with a name that looks like this one. */
export const likeName = (did: string, name: string): string | undefined => alike.value.other(did, shortName(name));

/** The name of a DID if it has one. A component that calls this is rendered again when the name arrives. */
export function nameOf(did: string): DidName | undefined {
  const own = addressBook.value[did];
  const found = known.value.get(did);
  if (!found) want(did);
  if (own !== undefined) return { text: own, from: 'book' };
  const { displayName: text, part, home } = found ?? {};
  if (part) return { text: text ?? parts[part], from: 'node', ...(text ? { part: parts[part] } : {}) };
  // A home is at itself.
  const at = home === did ? undefined : (home ?? undefined);
  if (text) return { text, from: 'document', home: at, like: likeName(did, text) };
  return undefined;
}
