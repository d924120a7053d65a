/**
 * Mocha's spec reporter that also tells `verify` each failure at once, and at the end the counts and what each file cost.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { type ErasingCounts, erasingCounts } from '../../test/support/erasing-counts.js';

export interface FileCost {
  readonly file: string;
  readonly seconds: number;
  /** Of the process and of its children that have ended. 0 where the system does not tell. */
  readonly cpuSeconds: number;
}

export interface Counts {
  readonly passed: number;
  /** The failed tests, each with the beginning of its error. */
  readonly failures: readonly string[];
  readonly skipped: readonly string[];
  readonly costs: readonly FileCost[];
  /** Texts that were erased at random after the tests (test/world/erasing.ts). */
  readonly erasing: ErasingCounts;
}

export type Report = { readonly failure: string } | { readonly counts: Counts };

/** The beginning of an error, enough to recognise it; the suite's own output has the rest. */
const firstLines = (error: Error) =>
  (error.stack ?? String(error)).split('\n').slice(0, 6).join('\n    ').slice(0, 1_000);

const lingerMs = 10_000;

/** CPU seconds of this process and of its children that have ended; 0 where /proc has none, which counts in hundredths. */
function cpuSeconds(): number {
  try {
    const [, fields = ''] = /.*\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const ticks = fields.split(' ').slice(11, 15).map(Number);
    return ticks.reduce((sum, each) => sum + each, 0) / 100;
  } catch {
    return 0;
  }
}

/** Adds up what each file costs, the loading of all files first. */
class Costs {
  readonly #costs = new Map<string, FileCost>();
  #atSeconds = 0;
  #atCpuSeconds = 0;

  add(file: string): void {
    const [seconds, cpu] = [process.uptime(), cpuSeconds()];
    const before = this.#costs.get(file) ?? { file, seconds: 0, cpuSeconds: 0 };
    this.#costs.set(file, {
      file,
      seconds: before.seconds + seconds - this.#atSeconds,
      cpuSeconds: before.cpuSeconds + cpu - this.#atCpuSeconds,
    });
    [this.#atSeconds, this.#atCpuSeconds] = [seconds, cpu];
  }

  all(): readonly FileCost[] {
    return [...this.#costs.values()];
  }
}

export default class VerifyReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const skipped: string[] = [];
    const failures: string[] = [];
    const costs = new Costs();
    const report = (what: Report) => process.send?.(what);
    // In a dry run mocha passes each test without running it.
    const notRunBecause = process.env.SVC_TEST_NOT_RUN;
    if (notRunBecause !== undefined)
      runner.on('pass', (test: Mocha.Test) => skipped.push(`${test.fullTitle()} (${notRunBecause})`));
    runner.on('pending', (test: Mocha.Test) => skipped.push(test.fullTitle()));
    runner.on('fail', (test: Mocha.Test, error: Error) => {
      const failure = `${test.fullTitle()}: ${firstLines(error)}`;
      failures.push(failure);
      report({ failure });
    });
    runner.on('start', () => costs.add('loading'));
    runner.on('suite end', (suite: Mocha.Suite) => {
      if (suite.parent?.root) costs.add(relative('dist', suite.file ?? '').replace('.js', '.ts'));
    });
    runner.on('end', () => {
      const passed = notRunBecause === undefined ? (this.stats.passes ?? 0) : 0;
      report({ counts: { passed, failures, skipped, costs: costs.all(), erasing: erasingCounts } });
      // A failed test may have left a handle open, which would keep the process alive for ever.
      if (failures.length > 0) setTimeout(() => process.exit(1), lingerMs).unref();
    });
  }
}
