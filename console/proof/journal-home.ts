/** The home of the journal, as its first entry names it: an event that was signed for another one is not believed here. */
import { read } from '../api/read.ts';
import type { Entry, Replies } from '../api/types.ts';
import type { Check } from './check-entry.ts';

export interface HomeOfJournal {
  readonly did: string;
  /** Version of the first event; of version 1 they name no home. */
  readonly begunWith: number;
}

let asked: Promise<HomeOfJournal | undefined> | undefined;

/** Read once; undefined where it cannot be read. */
export function journalHome(): Promise<HomeOfJournal | undefined> {
  asked ??= read<Replies['listEvents']>('/api/v1/events?after=0&limit=1')
    .then(({ events: [first] }) => first && homeNamedBy(first))
    .catch(() => {
      asked = undefined;
      return undefined;
    });
  return asked;
}

export const homeNamedBy = ({ event, home }: Entry): HomeOfJournal => ({ did: event.home ?? home, begunWith: event.v });

export function checkHome({ v, home }: Entry['event'], journal: HomeOfJournal | undefined): Check {
  const name = 'Home';
  if (!journal) return { name, holds: undefined, says: 'the first entry of the journal is not at hand' };
  if (v === 1) {
    return { name, holds: home === undefined && journal.begunWith === 1, says: 'signed when events named no home' };
  }
  return { name, holds: home === journal.did, says: 'it was signed for the home of this journal' };
}
