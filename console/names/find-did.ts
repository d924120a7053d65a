/** The DID that a text stands for: itself, an account address, a name of the address book, or one of a document. */
import { read, withQuery } from '../api/read.ts';
import type { Replies } from '../api/types.ts';
import { didsNamed } from './address-book.ts';

/** Undefined where nothing or more than one is called that. */
export async function findDid(text: string): Promise<string | undefined> {
  if (text.startsWith('did:') || text.startsWith('svc1')) return text;
  const own = didsNamed(text);
  if (own.length > 0) return own.length === 1 ? own[0] : undefined;
  const { matches } = await read<Replies['lookUp']>(withQuery('/api/v1/lookup', { text }));
  const [first, second] = matches.filter(({ what }) => what === 'identity');
  return second ? undefined : first?.id;
}
