/**
 * The newest entries of our journal and their lines, in memory: the followers that are nearly up to date share them,
 * instead of reading each entry from the store.
 */
import type { NumberedEntry } from '../../store/entry.js';
import { lineOfEntry } from './line.js';

/** Size of the entries' texts in characters. */
const mostCharacters = 512 * 1024;

interface SentEntry {
  readonly entry: NumberedEntry;
  readonly characters: number;
  line?: string;
}

const charactersOf = ({ coreText, payloadText }: NumberedEntry): number => coreText.length + (payloadText?.length ?? 0);

export class RecentEntries {
  /** In order, without gaps. */
  #recent: SentEntry[] = [];
  #characters = 0;

  /** Keeps an entry that is on disk. After a gap, because another process has written too, only the newer ones are kept. */
  saw(entry: NumberedEntry): void {
    const last = this.#recent.at(-1);
    if (last && last.entry.seq + 1 !== entry.seq) this.clear();
    const characters = charactersOf(entry);
    this.#recent.push({ entry, characters });
    this.#characters += characters;
    while (this.#characters > mostCharacters) this.#characters -= this.#recent.shift()!.characters;
  }

  clear(): void {
    this.#recent = [];
    this.#characters = 0;
  }

  /** The entries after this one, at most so many; none if the next one is not kept. */
  after(seq: number, limit: number): readonly NumberedEntry[] {
    const at = this.#indexOf(seq + 1);
    return at === undefined ? [] : this.#recent.slice(at, at + limit).map(({ entry }) => entry);
  }

  /** The line of an entry that is shown whole. */
  lineOf(entry: NumberedEntry): string {
    const at = this.#indexOf(entry.seq);
    const recent = at === undefined ? undefined : this.#recent[at];
    if (recent?.entry !== entry) return lineOfEntry({ entry });
    recent.line ??= lineOfEntry({ entry });
    return recent.line;
  }

  #indexOf(seq: number): number | undefined {
    const first = this.#recent[0];
    const at = first ? seq - first.entry.seq : -1;
    return at >= 0 && at < this.#recent.length ? at : undefined;
  }
}
