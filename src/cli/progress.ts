/** A progress bar for whoever watches; silent in pipes, logs and with --json. */
import process from 'node:process';
import { realWorld } from '../world.js';
import { count, durationText } from './output.js';

export interface Progress {
  readonly update: (done: number, total: number) => void;
  /** Wipes the bar away; the result takes its place. */
  end(): void;
}

const barCells = 24;
const redrawMs = 100;
/** Below that the rate is a guess, and the rest of the time as well. */
const rateAfterMs = 1_000;

const silent: Progress = { update() {}, end() {} };

export function progressBar(label: string, unit: string, { isQuiet = false } = {}): Progress {
  const stream = process.stderr;
  if (isQuiet || !stream.isTTY) return silent;
  const startedAt = realWorld.monotonic();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update(done, total) {
      const now = realWorld.monotonic();
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

interface Standing {
  readonly label: string;
  readonly unit: string;
  readonly done: number;
  readonly total: number;
  readonly elapsedMs: number;
}

function line({ label, unit, done, total, elapsedMs }: Standing): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.round(share * barCells);
  const bar = '█'.repeat(filled) + '░'.repeat(barCells - filled);
  const left = done > 0 && elapsedMs > rateAfterMs ? ((total - done) / done) * (elapsedMs / 1000) : undefined;
  const rest = left === undefined ? '' : `, ${durationText(Math.ceil(left))} left`;
  return `${label} ${bar} ${Math.floor(share * 100)} %  ${count(done)} of ${count(total)} ${unit}${rest}`;
}
