/** The people in the tests. A name determines a seed, a key and a DID. */
import { createHash } from 'node:crypto';
import { type SeedSigner, signerOf } from '../../src/keys/signing.js';

const known = new Map<string, SeedSigner>();

/** The signer of a name, the same in every run. */
export function signer(name: string): SeedSigner {
  let found = known.get(name);
  if (!found) {
    found = signerOf(createHash('sha256').update(`person ${name}`).digest());
    known.set(name, found);
  }
  return found;
}

export const didOf = (name: string): string => signer(name).did;

export const names = ['ada', 'ben', 'cyd', 'dan'] as const;
export const [ada, ben, cyd, dan] = names.map(didOf) as [string, string, string, string];

/** The name of a DID, for failure messages and for finding its signer. */
export function nameOf(did: string): string {
  for (const [name, each] of known) if (each.did === did) return name;
  return did;
}

export const signerOfDid = (did: string): SeedSigner => signer(nameOf(did));
