/**
 * Finds the DID for a text: a DID or account address stands for itself; otherwise a name from the address book or an identity
 * document.
 */
import { read, withQuery } from '../api/read.ts';
import type { Replies } from '../api/types.ts';
import { didsNamed } from './address-book.ts';

/** Undefined if no DID or more than one has that name. */
export async function findDid(text: string): Promise<string | undefined> {
  if (text.startsWith('did:') || text.startsWith('svc1')) return text;
  const own = didsNamed(text);
  if (own.length > 0) return own.length === 1 ? own[0] : undefined;
  const { matches } = await read<Replies['lookUp']>(withQuery('/api/v1/lookup', { text }));
  const [first, second] = matches.filter(({ what }) => what === 'identity');
  return second ? undefined : first?.id;
}
