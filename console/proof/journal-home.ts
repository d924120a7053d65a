/** The home of a journal, from its first entry. An event that was signed for another home fails its check. */
import { read, withQuery } from '../api/read.ts';
import type { Entry, Replies } from '../api/types.ts';
import type { Check } from './check-entry.ts';

export interface HomeOfJournal {
  readonly did: string;
  /** Whether the home's own key signed the first event. */
  readonly isItsOwn: boolean;
}

let asked: Promise<HomeOfJournal | undefined> | undefined;

/**
 * Reads the first entry once. Undefined if it cannot be read.
 * @param other DID of another home, whose first entry this node has verified
 */
export function journalHome(other?: string): Promise<HomeOfJournal | undefined> {
  if (other !== undefined) return Promise.resolve({ did: other, isItsOwn: true });
  asked ??= read<Replies['listEvents']>(withQuery('/api/v1/events', { after: 0, limit: 1 }))
    .then(({ events: [first] }) => first && homeNamedBy(first))
    .catch(() => {
      asked = undefined;
      return undefined;
    });
  return asked;
}

export const homeNamedBy = ({ event, home }: Entry): HomeOfJournal => ({
  did: event.home,
  isItsOwn: event.type === 'node.appointed' && event.issuer === event.home && home === event.home,
});

export function checkHome({ home }: Entry['event'], journal: HomeOfJournal | undefined): Check {
  const name = 'Home';
  if (!journal) return { name, holds: undefined, says: 'the first entry of the journal is not available' };
  if (!journal.isItsOwn) return { name, holds: false, says: 'the first entry of the journal is not that of its home' };
  return { name, holds: home === journal.did, says: 'it was signed for the home of this journal' };
}
