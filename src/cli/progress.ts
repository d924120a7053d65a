/** A progress bar on terminals; silent in pipes, in logs and with --json. */
import process from 'node:process';
import { realEnvironment } from '../core/environment.js';
import { count, durationText } from './output.js';

export interface ProgressBar {
  readonly update: (done: number, total: number) => void;
  /** Removes the bar from the terminal. */
  end(): void;
}

const barCells = 24;
const redrawMs = 100;
/** Time before the rate and the remaining time are shown; earlier they are unreliable. */
const rateAfterMs = 1_000;

const silent: ProgressBar = { update() {}, end() {} };

export function progressBar(label: string, unit: string, { isQuiet = false } = {}): ProgressBar {
  const stream = process.stderr;
  if (isQuiet || !stream.isTTY) return silent;
  const startedAt = realEnvironment.monotonic();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update(done, total) {
      const now = realEnvironment.monotonic();
      if (now - drawnAt < redrawMs && done < total) return;
      drawnAt = now;
      const text = line({ label, unit, done, total, elapsedMs: now - startedAt });
      stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}`);
    },
    end() {
      if (drawnAt > Number.NEGATIVE_INFINITY) stream.write('\r\u001b[K');
      drawnAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Bars of the phases of a command, one after the other; all count entries. */
export function progressOfPhases({ isQuiet = false } = {}) {
  let bar = silent;
  let phase: string | undefined;
  return {
    update(label: string, done: number, total: number): void {
      if (label !== phase) {
        bar.end();
        bar = progressBar(label, 'entries', { isQuiet });
        phase = label;
      }
      bar.update(done, total);
    },
    end: () => bar.end(),
  };
}

interface ProgressState {
  readonly label: string;
  readonly unit: string;
  readonly done: number;
  readonly total: number;
  readonly elapsedMs: number;
}

function line({ label, unit, done, total, elapsedMs }: ProgressState): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.round(share * barCells);
  const bar = '█'.repeat(filled) + '░'.repeat(barCells - filled);
  const left = done > 0 && elapsedMs > rateAfterMs ? ((total - done) / done) * (elapsedMs / 1000) : undefined;
  const rest = left === undefined ? '' : `, ${durationText(Math.ceil(left))} left`;
  return `${label} ${bar} ${Math.floor(share * 100)} %  ${count(done)} of ${count(total)} ${unit}${rest}`;
}
