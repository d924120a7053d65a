/** What a killed agent leaves on disk: its outbox, with each write that it has had, and notes of what it did. */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outbox, SignedWrite } from '../../../packages/client/src/signing/key-writes.js';

/** What happens to an intent, in the order in which it is noted. */
export type Note =
  | { readonly does: 'signs'; readonly number: number; readonly message: string }
  | { readonly does: 'sends'; readonly number: number; readonly hash: string }
  | { readonly does: 'hears'; readonly number: number; readonly hash: string; readonly status: number }
  | { readonly does: 'ends'; readonly number: number; readonly hash?: string; readonly code?: string };

export class AgentFiles {
  readonly #notes: string;

  constructor(private readonly dir: string) {
    this.#notes = join(dir, 'notes');
  }

  note(note: Note): void {
    appendFileSync(this.#notes, `${JSON.stringify(note)}\n`);
  }

  notes(): Note[] {
    if (!existsSync(this.#notes)) return [];
    const lines = readFileSync(this.#notes, 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => JSON.parse(line) as Note);
  }

  /** The number of the first intent that has not ended. */
  next(): number {
    return this.notes().filter(({ does }) => does === 'ends').length;
  }

  /** The outbox of one intent. What it drops it keeps aside: sent again, it tells how the intent has ended. */
  outbox(number: number): Outbox {
    return {
      put: async (write) => {
        const whole = join(this.dir, 'whole');
        writeFileSync(whole, JSON.stringify(write));
        renameSync(whole, this.#path(number));
      },
      drop: async () => renameSync(this.#path(number), this.#path(number, 'dropped')),
    };
  }

  /** The write of an intent that may have taken effect. */
  kept(number: number): SignedWrite | undefined {
    const path = [this.#path(number), this.#path(number, 'dropped')].find((each) => existsSync(each));
    return path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as SignedWrite);
  }

  /** The write of an intent can never take effect. */
  forget(number: number): void {
    renameSync(this.#path(number, 'dropped'), this.#path(number, 'dead'));
  }

  #path(number: number, how = 'kept'): string {
    return join(this.dir, `${number}.${how}`);
  }
}
