/** Everybody in the tests: a name is a seed is a key is a DID. */
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

/** For messages of failing tests and for looking a signer up by DID. */
export function nameOf(did: string): string {
  for (const [name, each] of known) if (each.did === did) return name;
  return did;
}

export const signerOfDid = (did: string): SeedSigner => signer(nameOf(did));
