/**
 * Starts the checks of an entry's texts while the entries before it are executed, so that the worker thread and this
 * one work at the same time.
 */
import type { Entry } from '../../store/entry.js';
import type { EntryFinding } from '../../verify/entry-text.js';
import type { TextChecks } from '../replica/replica.js';
import { checkTexts } from '../replica/text-checks.js';

/** Entries per call of the checks. */
const together = 64;

export class EarlyChecks {
  readonly #found = new WeakMap<Entry, Promise<EntryFinding | undefined>>();
  #waiting: Entry[] = [];

  constructor(private readonly checks: TextChecks = checkTexts) {}

  /** Queues an entry whose check will be asked for. */
  add(entry: Entry): void {
    this.#waiting.push(entry);
    if (this.#waiting.length >= together) this.begin();
  }

  /** Starts the checks of the queued entries. */
  begin(): void {
    const entries = this.#waiting;
    if (entries.length === 0) return;
    this.#waiting = [];
    const answers = this.checks(entries);
    for (const [index, entry] of entries.entries()) {
      const found = answers.then((all) => all[index]);
      // A lost check rejects for its callers only; without any it is no unhandled rejection.
      found.catch(() => {});
      this.#found.set(entry, found);
    }
  }

  readonly of: TextChecks = async (entries) => {
    this.begin();
    const missing = entries.filter((entry) => !this.#found.has(entry));
    for (const entry of missing) this.add(entry);
    this.begin();
    return Promise.all(entries.map((entry) => this.#found.get(entry)));
  };
}
