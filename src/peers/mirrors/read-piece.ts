/** Reads pieces back from a mirror. */
import { mirrorBounds } from '../../core/bounds.js';
import type { TimedEnd } from '../own-head.js';
import type { MirrorLink } from './mirror-requests.js';
import { entriesIn, journalPieceOf, type PieceCipher } from './piece.js';

/**
 * @param pace waits until one more request may be sent
 * @returns the piece, or what is wrong with what the mirror has; rejects with PeerError
 */
export async function readPiece(
  mirror: MirrorLink,
  cipher: PieceCipher,
  name: string,
  pace: () => Promise<unknown>,
): Promise<Buffer | string> {
  await pace();
  const bytes = await mirror.read(name);
  if (bytes === null) return 'it does not have it';
  return (await cipher.open(name, bytes)) ?? 'it returns other bytes than it was given';
}

/** The newest entry that a mirror has of this home, which this home's key has sealed. Rejects with PeerError. */
export async function newestEnd(mirror: MirrorLink, cipher: PieceCipher): Promise<TimedEnd | undefined> {
  const pieces = (await mirror.names()).flatMap((name) => journalPieceOf(name) ?? []);
  const newest = pieces.toSorted((one, other) => other.last - one.last);
  // Without the bound, a list with many false names would hold up the start.
  for (const { name, last, chainHash } of newest.slice(0, mirrorBounds.candidates)) {
    const read = await readPiece(mirror, cipher, name, async () => {});
    if (typeof read !== 'string') return { seq: last, chainHash, time: entriesIn(read).at(-1)!.core.time };
  }
  return undefined;
}
