/** The home of a journal, from its first entry. An event that was signed for another home fails its check. */
import { read, withQuery } from '../api/read.ts';
import type { Entry, Replies } from '../api/types.ts';
import type { Check } from './check-entry.ts';

export interface HomeOfJournal {
  readonly did: string;
  /** Event version of the first event. Events of version 1 name no home. */
  readonly begunWith: number;
  /** Whether the home's own key signed the first event. Version 1 does not show that, so it counts as true. */
  readonly isItsOwn: boolean;
}

/** By the home of the copied journal; undefined stands for this node's own journal. */
const asked = new Map<string | undefined, Promise<HomeOfJournal | undefined>>();

/**
 * Reads the first entry once. Undefined if it cannot be read, or names another home than the expected one.
 * @param journal the home whose copied journal is meant; absent: the node's own journal
 */
export function journalHome({ journal }: Pick<Entry, 'journal'>): Promise<HomeOfJournal | undefined> {
  const known = asked.get(journal);
  if (known) return known;
  const reading = read<Replies['listEvents']>(withQuery('/api/v1/events', { after: 0, limit: 1, home: journal }))
    .then(({ events: [first] }) => first && homeNamedBy(first))
    .then((found) => (journal === undefined || found?.did === journal ? found : undefined))
    .catch(() => {
      asked.delete(journal);
      return undefined;
    });
  asked.set(journal, reading);
  return reading;
}

export const homeNamedBy = ({ event, home }: Entry): HomeOfJournal => ({
  did: event.home ?? home,
  begunWith: event.v,
  isItsOwn: event.v === 1 || (event.type === 'node.appointed' && event.issuer === event.home && home === event.home),
});

export function checkHome({ v, home }: Entry['event'], journal: HomeOfJournal | undefined): Check {
  const name = 'Home';
  if (!journal) return { name, holds: undefined, says: 'the first entry of the journal is not available' };
  if (!journal.isItsOwn) return { name, holds: false, says: 'the first entry of the journal is not that of its home' };
  if (v === 1) {
    return {
      name,
      holds: home === undefined && journal.begunWith === 1,
      says: 'signed when events did not yet name a home',
    };
  }
  return { name, holds: home === journal.did, says: 'it was signed for the home of this journal' };
}
