/**
 * Finds the DID for a text: a DID or account address stands for itself; otherwise a name from the address book or an identity
 * document.
 */
import { read, withQuery } from '../api/read.ts';
import type { Replies } from '../api/types.ts';
import type { RouteQuery } from '../shell/route.ts';
import { didNamed, didsNamed } from './address-book.ts';

/** Replaces the name in a filter by its DID. @returns a sentence for the user if no DID, or more than one, has that name */
export const withDid =
  (member: string) =>
  async (typed: RouteQuery): Promise<RouteQuery | string> => {
    const text = String(typed[member] ?? '');
    if (text === '') return typed;
    // If the node cannot be asked, the page says why.
    const did = await findDid(text).catch(() => text);
    if (did !== undefined) return { ...typed, [member]: did };
    return `“${text}” is the name of no DID, or of more than one: choose from the list, or give the DID.`;
  };

/** Undefined if no DID or more than one has that name. */
async function findDid(text: string): Promise<string | undefined> {
  if (text.startsWith('did:') || text.startsWith('svc1')) return text;
  if (didsNamed(text).length > 0) return didNamed(text);
  const { matches } = await read<Replies['lookUp']>(withQuery('/api/v1/lookup', { text }));
  const [first, second] = matches.filter(({ what }) => what === 'identity');
  return second ? undefined : first?.id;
}
