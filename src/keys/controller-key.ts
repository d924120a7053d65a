/**
 * The controller key of a DID on an EVM chain (docs/settlement.md, Controllers). It is derived from the DID's key, so only
 * the holder of that key can derive it again.
 */
import type { Did } from '../core/codecs/did.js';
import { deriveKey, type Signer } from './signing.js';

export interface ControllerKey {
  readonly did: Did;
  /** A secp256k1 private key, 32 bytes. */
  readonly key: Uint8Array;
}

/**
 * HKDF-SHA256 of the Ed25519 seed, without salt; the info ends in the index of the key. The result is no valid private key
 * (zero, or not below the order of the curve) with a probability of 2^-127.
 */
export const deriveControllerKey = (signer: Signer, index = 0): ControllerKey => ({
  did: signer.did,
  key: deriveKey(signer, `svc:controller:v1:${index}`),
});
