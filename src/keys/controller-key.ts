/**
 * The key that acts for a DID on an EVM chain (docs/settlement.md, Controllers): whoever can unlock the DID's key can
 * make it again, and nobody else can.
 */
import type { Did } from './did.js';
import { deriveKey, type Signer } from './signing.js';

export interface ControllerKey {
  readonly did: Did;
  /** A secp256k1 private key, 32 bytes. */
  readonly key: Uint8Array;
}

/**
 * HKDF-SHA256 of the Ed25519 seed, without salt; the info ends in the index of the key. That the bytes are no private key
 * (zero, or the order of the curve and above) has a chance of 2^-127.
 */
export const controllerKeyOf = (signer: Signer, index = 0): ControllerKey => ({
  did: signer.did,
  key: deriveKey(signer, `svc:controller:v1:${index}`),
});
