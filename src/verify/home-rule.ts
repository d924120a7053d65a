/**
 * Which events are believed in a journal (docs/reference/events-and-entries.md#home): those that were signed for its home.
 */
import { type EntryCore, homeOf } from '../store/entry.js';

export class HomeRule {
  #isNamed = false;

  /** @param home of the journal; without it the first entry that was seen names it */
  constructor(private home?: string) {}

  /** The home of the journal; undefined before its first entry. */
  get did(): string | undefined {
    return this.home;
  }

  /** Why the entry's event is not believed here. */
  flawOf(core: EntryCore): string | undefined {
    const { home } = core.event;
    const own = this.home ?? homeOf(core);
    if (home === undefined) return this.#isNamed ? 'its event names no home, after one that names it' : undefined;
    return home === own ? undefined : `its event is signed for ${home}, and the home of this journal is ${own}`;
  }

  /** Takes the entry as the next one. */
  saw(core: EntryCore): void {
    this.home ??= homeOf(core);
    if (core.event.home !== undefined) this.#isNamed = true;
  }
}
