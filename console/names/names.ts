/**
 * Names of DIDs, asked of the node as they are shown: many DIDs in one request, each once. Who wins: the reader's own
 * address book, what the DID does for this node, then the name in its identity document.
 */
import { signal } from '@preact/signals';
import { readKey } from '../api/key.ts';
import { read, withQuery } from '../api/read.ts';
import type { Replies } from '../api/types.ts';
import { addressBook } from './address-book.ts';

type NameRecord = Replies['listNames']['names'][number];

export interface DidName {
  readonly text: string;
  /** Who says so. Anybody may write any name into a document. */
  readonly from: 'book' | 'node' | 'document';
}

const parts = { node: 'this node', system: 'clock and faucet', arbiter: 'network arbiter' } as const;

/** DIDs for each request, as the API allows. */
const atOnce = 50;
/** DIDs whose names are kept; later ones are shown without. */
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
      return; // the page shows DIDs; what failed is said where the view itself reads
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

/** The name of a DID, where it has one; a component that shows it is drawn again when it comes. */
export function nameOf(did: string): DidName | undefined {
  const own = addressBook.value[did];
  const found = known.value.get(did);
  if (!found) want(did);
  if (own !== undefined) return { text: own, from: 'book' };
  if (found?.part) return { text: parts[found.part], from: 'node' };
  if (found?.displayName) return { text: found.displayName, from: 'document' };
  return undefined;
}
