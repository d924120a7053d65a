/**
 * The payload of an event: the request, of which some members may be confidential
 * (docs/reference/journal-format.md#payload).
 */
import { canonical, type JsonObject, sha256Hex } from '../core/canonical.js';
import { saltFor, sealedHash } from '../core/sealed-hash.js';
import type { Request } from '../machines/kernel/resource.js';

/** A payload as it is stored: its public members, and the confidential ones. */
export interface StoredPayload {
  readonly public: Request;
  readonly confidential?: JsonObject;
  /** 16 random bytes, hex; absent if neither the payload nor a version of the entry has confidential members. */
  readonly salt?: string;
}

/** The part of an entry's salt that a payload's readers get. */
export const payloadPart = 'payload';

/** What `payloadHash` covers: the public members, and the salted hash of the others. */
export const payloadHashOf = ({ public: open, confidential, salt }: StoredPayload): string => {
  const sealed = confidential && salt !== undefined ? sealedHash(saltFor(salt, payloadPart), confidential) : null;
  return sha256Hex(canonical({ public: open, sealed }));
};

export const payloadOf = ({ public: open, confidential }: StoredPayload): Request =>
  confidential ? { ...open, input: { ...open.input, ...confidential } } : open;

export const storedPayloadOf = (payloadText: string): StoredPayload => JSON.parse(payloadText) as StoredPayload;
