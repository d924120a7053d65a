/**
 * Workflows that look into every kind of listing. Entries name what they rest on, so one more market would make them other
 * than they were: it is a revision more, and those before it know the markets that there were then.
 */
import type { Workflow } from '../kernel/step.js';

/** What revision 1 knew. */
const firstKinds = 3;

/** @param kinds in the order in which they came to be: a new one is the last */
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
