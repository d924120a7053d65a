/** The process: nothing of its memory goes to disk, one command line, one exit code. */
import process from 'node:process';
import { endOutput, watchOutput } from './cli/output.js';
import { run } from './cli/program.js';
import { realEnvironment } from './core/environment.js';

// A diagnostic report holds the environment and the heap's strings: passphrases among them.
process.report.reportOnFatalError = false;
process.report.reportOnUncaughtException = false;
process.report.reportOnSignal = false;
watchOutput();

process.exitCode = await endOutput(await run(process.argv.slice(2)));
// Whatever still holds the process has had its time: connections of a client that does not hang up, say.
realEnvironment.after(1_000, () => process.exit());
// Without this, Node 20 may wait for ever in its own clean-up, and compute all the while: seen when peers stop at the same moment.
process.once('exit', () => process.exit());
