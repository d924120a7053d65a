/**
 * Mocha's spec reporter that also writes its counts, and the titles of skipped and failed tests, to a file for `verify` to sum up.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { erasingCounts } from '../../test/support/erasing-counts.js';

/** The beginning of an error, enough to recognise it; the suite's own output has the rest. */
const firstLines = (error: Error) =>
  (error.stack ?? String(error)).split('\n').slice(0, 6).join('\n    ').slice(0, 1_000);

const lingerMs = 10_000;

/** CPU seconds of this process and of its children that have ended; undefined where /proc has none, which counts in hundredths. */
function cpuSeconds(): number | undefined {
  try {
    const [, fields = ''] = /.*\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    return Math.round(
      fields
        .split(' ')
        .slice(11, 15)
        .reduce((sum, ticks) => sum + Number(ticks), 0) / 100,
    );
  } catch {
    return undefined;
  }
}

export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const skipped: string[] = [];
    const failures: string[] = [];
    // In a dry run mocha passes each test without running it.
    const notRunBecause = process.env.SVC_TEST_NOT_RUN;
    if (notRunBecause !== undefined)
      runner.on('pass', (test: Mocha.Test) => skipped.push(`${test.fullTitle()} (${notRunBecause})`));
    runner.on('pending', (test: Mocha.Test) => skipped.push(test.fullTitle()));
    runner.on('fail', (test: Mocha.Test, error: Error) => failures.push(`${test.fullTitle()}: ${firstLines(error)}`));
    runner.on('end', () => {
      const { passes = 0 } = this.stats;
      const file = process.env.SVC_TEST_COUNTS;
      const passed = notRunBecause === undefined ? passes : 0;
      const counts = { passed, failures, skipped, cpuSeconds: cpuSeconds(), erasing: erasingCounts };
      if (file) writeFileSync(file, JSON.stringify(counts));
      // A failed test may have left a handle open, which would keep the process alive for ever.
      if (failures.length > 0) setTimeout(() => process.exit(1), lingerMs).unref();
    });
  }
}
