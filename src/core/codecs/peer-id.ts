/**
 * libp2p's peer id of an Ed25519 key: base58btc of the identity multihash of the key's protobuf message, `12D3KooW…`.
 * It is another spelling of the DID, and each can be computed from the other (docs/reference/identities.md#dids). Pure.
 */
import bs58 from 'bs58';
import { type Did, didOf, publicKeyOf } from './did.js';
import { isSoundKey, publicKeyBytes } from './key-soundness.js';

/** Multihash: identity, 36 bytes; message: field 1 (key type) is Ed25519, field 2 (key) has 32 bytes. */
const prefix = Buffer.from('002408011220', 'hex');
const textLength = 52;

export const peerIdOf = (did: Did): string => bs58.encode(Buffer.concat([prefix, publicKeyOf(did)]));

/** The DID of a peer id; undefined for other texts, other types of key, and invalid keys. */
export function didOfPeerId(peerId: string): Did | undefined {
  if (peerId.length !== textLength) return undefined;
  const bytes = bs58.decodeUnsafe(peerId);
  if (bytes?.length !== prefix.length + publicKeyBytes || !prefix.equals(bytes.subarray(0, prefix.length))) {
    return undefined;
  }
  const key = bytes.slice(prefix.length);
  return isSoundKey(key) ? didOf(key) : undefined;
}
