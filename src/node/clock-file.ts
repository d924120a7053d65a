/**
 * Keeps in the data directory what a process knows of its machine's clock, so that a restart does not accept a clock that
 * has jumped. It counts until the machine boots again, which only Linux tells.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClockRecord, ClockState } from '../actors/journal-clock.js';

const bootIdFile = '/proc/sys/kernel/random/boot_id';

type ClockFile = ClockState & { readonly boot: string };

/** @param log called when the file cannot be written */
export function clockFileIn(dataDir: string, log: (error: unknown) => void): ClockRecord | undefined {
  const boot = textOf(bootIdFile)?.trim();
  if (boot === undefined) return undefined;
  const file = join(dataDir, 'clock.json');
  return {
    read() {
      const kept = parsed(textOf(file) ?? '');
      return kept?.boot === boot ? kept : undefined;
    },
    keep(state) {
      try {
        writeFileSync(file, `${JSON.stringify({ boot, ...state })}\n`, { mode: 0o600 });
      } catch (error) {
        log(error);
      }
    },
  };
}

/** Undefined if there is no such file. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Undefined for a file that was cut off by a crash. */
function parsed(text: string): ClockFile | undefined {
  try {
    const { boot, offsetMs, doubtedAt } = JSON.parse(text) as ClockFile;
    return Number.isFinite(offsetMs) ? { boot, offsetMs, doubtedAt } : undefined;
  } catch {
    return undefined;
  }
}
