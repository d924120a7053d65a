import bs58 from 'bs58';

/** `did:svc:z` + base58btc(0xed 0x01 ‖ key). */
const didOf = (key: Uint8Array): string => `did:svc:z${bs58.encode(Uint8Array.from([0xed, 0x01, ...key]))}`;

/** Whether the key may sign for the issuer: only the key that the DID is made of may. */
export const maySign = (key: Uint8Array, issuer: string): boolean => didOf(key) === issuer;

/** The public key in a DID. Throws if the text is not a DID. */
export const keyOf = (did: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(bs58.decode(did.slice('did:svc:z'.length)).subarray(2));
