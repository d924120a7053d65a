/** Entries as a node shows them: whether what they say was signed (docs/signing.md#what-is-signed). */
import { canonicalText, eventMessageOf, hashHex, type JsonMembers } from './bytes.js';
import { isSignedBy } from './key.js';
import { type PreparedEvent, type PreparedWrite, publishedHash } from './prepared.js';

/** An event with its hashes and its signature. */
export interface CompleteEvent extends PreparedEvent {
  readonly payloadHash: string;
  readonly hash: string;
  readonly sig: string;
}

/** As a node shows it: nothing of it is sure. */
export interface UncheckedEntry extends Omit<PreparedWrite, 'event'> {
  readonly event: CompleteEvent;
  /** Of the confidential members, for callers that may not see them. */
  readonly sealed?: string;
}

/** Whether its issuer has signed it. */
export async function isSigned({ hash, sig, ...body }: CompleteEvent): Promise<boolean> {
  const text = canonicalText(body as unknown as JsonMembers);
  if ((await hashHex(text)) !== hash) return false;
  return isSignedBy(body.issuer, eventMessageOf(text, hash), sig);
}

/** Whether its issuer has signed its payload. */
export const isGenuine = async (entry: UncheckedEntry): Promise<boolean> =>
  (await publishedHash(entry).catch(() => undefined)) === entry.event.payloadHash && isSigned(entry.event);
