/** Which payments have been served, so that none is served twice. */
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dayMs } from '../../../src/core/bounds.js';
import { createPrivateFile, makeFolder, syncFolder } from '../../../src/core/durable-file.js';

/** Shared by all programs that sell the same. A database with a unique key does as well as a folder. */
export interface UsedPayments {
  /**
   * Resolves once the payment is marked for good: with true for the first caller alone.
   * @param event hash of the event that paid @param until epoch ms: afterwards the seller refuses it for its age
   */
  claim(event: string, until: number): Promise<boolean>;
  /** Takes the mark back, because nothing was served. */
  release(event: string, until: number): Promise<void>;
}

/** Keeps them as empty files in a folder, which programs on one machine may share: a folder for each day. */
export function usedIn(folder: string): UsedPayments {
  const dayOf = (until: number): number => Math.floor(until / dayMs);
  const fileOf = (event: string, until: number): string => join(folder, String(dayOf(until)), event);
  let known: number | undefined;

  /** The folder of a day is on disk, also where another program has made it. */
  async function open(day: number): Promise<void> {
    if (day === known) return;
    makeFolder(join(folder, String(day)));
    for (const each of [folder, dirname(folder)]) await syncFolder(each);
    known = day;
    // What would be refused for its age needs no mark. Three days, because clocks differ.
    for (const name of await readdir(folder))
      if (/^\d+$/.test(name) && Number(name) < day - 3) await rm(join(folder, name), { recursive: true, force: true });
  }

  return {
    async claim(event, until) {
      await open(dayOf(until));
      try {
        await createPrivateFile(fileOf(event, until), '');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
      return true;
    },
    async release(event, until) {
      await rm(fileOf(event, until), { force: true });
    },
  };
}
