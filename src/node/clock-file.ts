/**
 * Keeps in the data directory what a process knows of its machine's clock, so that a restart does not accept a clock that
 * has jumped. It counts until the machine boots again, which only Linux tells; that deadlines wait counts longer.
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
    read(uptimeMs) {
      const kept = parsed(textOf(file) ?? '');
      if (kept === undefined) return {};
      // In a container the boot id may be that of its machine, and the boot-time clock that of the container.
      const isThisBoot = kept.boot === boot && kept.uptimeMs <= uptimeMs;
      return isThisBoot ? kept : { deadlinesWait: kept.deadlinesWait };
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
    const kept = JSON.parse(text) as ClockFile;
    return Number.isFinite(kept.offsetMs) ? kept : undefined;
  } catch {
    return undefined;
  }
}
