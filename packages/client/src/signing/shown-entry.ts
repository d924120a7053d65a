/** Entries as a node shows them: whether what they say was signed (docs/signing.md#what-is-signed). */
import { canonicalText, eventMessageOf, hashHex, type JsonMembers } from './bytes.js';
import { isSignedBy } from './key.js';
import { type PreparedEvent, type PreparedWrite, publishedHash } from './prepared.js';

export interface HeldEvent extends PreparedEvent {
  readonly payloadHash: string;
  readonly hash: string;
  readonly sig: string;
}

export interface GenuineEntry extends Omit<PreparedWrite, 'event'> {
  readonly event: HeldEvent;
  /** Of the confidential members, for who may not see them. */
  readonly sealed?: string;
}

/** Whether its issuer has signed it. */
export async function isSigned({ hash, sig, ...body }: HeldEvent): Promise<boolean> {
  const text = canonicalText(body as unknown as JsonMembers);
  if ((await hashHex(text)) !== hash) return false;
  return isSignedBy(body.issuer, eventMessageOf(text, hash), sig);
}

/** Whether its issuer has signed its payload. */
export const isGenuine = async (entry: GenuineEntry): Promise<boolean> =>
  (await publishedHash(entry).catch(() => undefined)) === entry.event.payloadHash && isSigned(entry.event);
