/**
 * What a signer signs (docs/reference/journal-format.md#signatures): a text that names its purpose and version, at most
 * 1 KiB; a longer one by its SHA-256, because key services sign short messages only.
 */
import { sha256Hex } from '../canonical.js';

const longestMessage = 1_024;

/** @param purpose `svc:<what>:v<n>`; `text` names network and home */
export const signedMessage = (purpose: string, text: string): string =>
  `${purpose}:${Buffer.byteLength(text) > longestMessage ? sha256Hex(text) : text}`;

/** @param bodyText the RFC 8785 form of an event without `hash` and `sig` */
export const eventMessage = (bodyText: string): string => signedMessage('svc:event:v3', bodyText);
