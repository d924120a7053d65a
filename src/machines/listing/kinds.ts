/**
 * Workflows that look a listing up in every kind of listing. Entries record what was read, so a new market changes them
 * and adds a revision; each earlier revision reads only the kinds that existed then.
 */
import type { Workflow } from '../kernel/resource.js';

/** The number of listing kinds in revision 1. */
const firstKinds = 3;

/** @param kinds in the order of their introduction: a new one is added at the end */
export function overListings(
  kinds: readonly string[],
  partsAmong: (kinds: readonly string[]) => Workflow['subCommands'],
): Workflow {
  const revisions = Math.max(1, kinds.length - firstKinds + 1);
  const [now, ...past] = Array.from({ length: revisions }, (_, earlier): Workflow => {
    const revision = revisions - earlier;
    return { revision, subCommands: partsAmong(kinds.slice(0, kinds.length - earlier)) };
  });
  return { ...now!, past };
}
