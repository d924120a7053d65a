/**
 * Mocha's spec reporter that also writes its counts, and each skipped test's title, to a file for `verify` to sum up.
 */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const skipped: string[] = [];
    runner.on('pending', (test: Mocha.Test) => skipped.push(test.fullTitle()));
    runner.on('end', () => {
      const { passes = 0, failures = 0 } = this.stats;
      const file = process.env.SVC_TEST_COUNTS;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped }));
    });
  }
}
