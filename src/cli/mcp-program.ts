/** The program of `@svc-node/mcp`: `svc-node mcp` and `svc-node key` without the rest of a node. */
import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { version } from '../core/version.js';
import { exitCodes, exitReportOf } from './failure.js';
import { addKey } from './key/command.js';
import { describeMcp } from './mcp.js';
import { endOutput, note, watchOutput } from './output.js';

// A diagnostic report holds the environment and the heap's strings: passphrases among them.
process.report.reportOnFatalError = false;
process.report.reportOnUncaughtException = false;
process.report.reportOnSignal = false;
watchOutput();

const program = new Command('svc-node-mcp').version(version, '-V, --version', 'print the version').exitOverride();
describeMcp(program.enablePositionalOptions());
addKey(program);
let code = 0;
try {
  await program.parseAsync();
} catch (error) {
  const { exitCode, lines } =
    error instanceof CommanderError
      ? { exitCode: error.exitCode === 0 ? 0 : exitCodes.usage, lines: [] }
      : exitReportOf(error);
  for (const line of lines) note(`svc-node-mcp: ${line}`);
  code = exitCode;
}
process.exitCode = await endOutput(code);
