/** Finds out where a DID lives, as the verified copies of other homes' journals say. */
import type { StoreReader } from '../../store/store.js';
import type { ForeignHome } from './foreign.js';

/** Whether the DID lives at a home: it is the home itself, or has signed an event in its journal. */
export async function livesAt(
  did: string,
  { home, store }: { readonly home: string; readonly store: Pick<StoreReader, 'account'> },
): Promise<boolean> {
  return did === home || ((await store.account(did))?.nonce ?? 0) > 0;
}

/** The other homes at which a DID lives, in order of their DIDs. */
export async function homesOf(did: string, homes: readonly ForeignHome[]): Promise<readonly ForeignHome[]> {
  const lives = await Promise.all(homes.map((home) => livesAt(did, home)));
  return homes.filter((_, index) => lives[index]);
}
