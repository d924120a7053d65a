/** The command `svc-node start`; node-process.ts runs it. */
import { type Command, Option } from 'commander';
import { withExamples } from './help.js';
import type { StartOptions } from './node-process.js';
import { withCommonOptions } from './settings.js';

export function addStart(program: Command): void {
  const command = withCommonOptions(
    program
      .command('start')
      .summary('Run a node')
      .description(
        'Run a node. SVC_ variables configure it (docs/reference/configuration.md); options take precedence. Give the passphrase in SVC_PASSPHRASE_FILE: SVC_PASSPHRASE stays readable in /proc/PID/environ.',
      ),
  )
    .addOption(new Option('--host <address>', 'where the API listens (SVC_HOST; default 127.0.0.1)'))
    .addOption(new Option('--port <number>', 'its port; 0 means any free port (SVC_PORT; default 9528)'))
    .addOption(
      new Option('--log-level <level>', 'how much is logged (SVC_LOG_LEVEL)').choices([
        'fatal',
        'error',
        'warn',
        'info',
        'debug',
        'trace',
        'silent',
      ]),
    )
    .option('--new-identity', 'continue with a new key, if the key of the node that wrote the database is lost')
    .action(async (options: StartOptions) => (await import('./node-process.js')).start(options));
  withExamples(
    command,
    ['start', 'devnet, for trying things out: no key needed on this machine'],
    ['start --port 0 --data /tmp/try --json', 'next to another node, from a script that reads the URL'],
    ['start --network testnet --data /srv/svc', 'with SVC_PASSPHRASE_FILE=/run/secrets/node'],
  );
}
