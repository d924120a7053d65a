/**
 * Decides which events are valid in a journal (docs/reference/events-and-entries.md#home): those that were signed for
 * its home.
 */
import type { EntryCore } from './entry.js';

export class HomeRule {
  /** @param home home of the journal; if unknown, the first entry determines it */
  constructor(private home?: string) {}

  get did(): string | undefined {
    return this.home;
  }

  /**
   * Why the entry's event is not valid in this journal.
   * @param isFirst whether it is the first entry, which binds the journal to its home
   */
  violationOf(core: EntryCore, isFirst = false): string | undefined {
    const { home } = core.event;
    const own = this.home ?? home;
    if (home !== own) return `its event is signed for ${home}, and the home of this journal is ${own}`;
    return isFirst ? violationOfBeginning(core) : undefined;
  }

  saw({ event }: EntryCore): void {
    this.home ??= event.home;
  }
}

/**
 * Only the home's own key can begin its journal. Otherwise anyone could begin a journal in another home's name, and
 * events of that home's users would be valid in it.
 */
function violationOfBeginning({ event, home }: EntryCore): string | undefined {
  const { type, issuer, home: named } = event;
  return type === 'node.appointed' && issuer === named && home === named
    ? undefined
    : `a journal begins with the node.appointed of its home ${named}, and this is a ${type} of ${issuer}`;
}
