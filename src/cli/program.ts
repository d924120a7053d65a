/**
 * The command line `svc-node`: its commands and usage errors. Commands import heavy modules (store, node, KDF) only when
 * they run, which makes help and light commands three times as fast.
 */
import { Command, CommanderError } from 'commander';
import { version } from '../core/version.js';
import { addApiKey } from './api-key/command.js';
import { addAudit } from './audit.js';
import { addBackup, addRestore } from './backup.js';
import { addChain } from './chain/command.js';
import { addCompletion } from './completion.js';
import { addConsole } from './console.js';
import { addDoctor } from './doctor/command.js';
import { exitCodes, exitReportOf, UsageFault } from './failure.js';
import { withExamples } from './help.js';
import { addIdentity } from './identity/command.js';
import { addMigrate } from './migrate.js';
import { note } from './output.js';
import { addRebuild } from './rebuild.js';
import { addStart } from './start.js';
import { addStatus } from './status.js';
import { addVerifyEnvelope } from './verify-envelope.js';
import { addVerifyEquivocation } from './verify-equivocation.js';
import { addVerifyProof } from './verify-proof.js';

/** Runs one command line to its end. @returns the exit code */
export async function run(words: readonly string[]): Promise<number> {
  const program = programOf();
  try {
    refusePassphrase(words);
    const asked = await withApi(program, words);
    await program.parseAsync(asked, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error);
    const { exitCode, lines } = exitReportOf(error);
    for (const line of lines) note(`svc-node: ${line}`);
    return exitCode;
  }
}

function programOf(): Command {
  const program = new Command('svc-node')
    .description('A token ledger and agent-marketplace node: signed events, state machines, an HTTP JSON API.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'explain a command')
    .exitOverride()
    // An option after a command belongs to it: one command has its own --version.
    .enablePositionalOptions()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'svc-node: ')) })
    .showHelpAfterError('(--help explains the command)');
  addStart(program);
  addStatus(program);
  addDoctor(program);
  addIdentity(program);
  addApiKey(program);
  addBackup(program);
  addRestore(program);
  addRebuild(program);
  addAudit(program);
  addVerifyProof(program);
  addVerifyEnvelope(program);
  addVerifyEquivocation(program);
  addMigrate(program);
  addChain(program);
  addConsole(program);
  addCompletion(program);
  return withExamples(
    program,
    ['start', 'a devnet node on http://127.0.0.1:9528, with its data in ~/.svc-node/devnet'],
    ['identity create', 'a DID and the account that goes with it'],
    ['escrow list --did did:svc:z6Mk…', 'what the API has, as a table; with --json for programs'],
    ['help identity', 'more about a command'],
  );
}

/** Commands that never need the operations of the API. */
const alone = ['start', 'status', 'doctor', 'api-key', 'backup', 'restore', 'audit', 'migrate', 'chain', 'console'];

/** Adds the commands of the API when the words may need them, because reading its description takes time. */
async function withApi(program: Command, words: readonly string[]): Promise<string[]> {
  const [first = '', second = ''] = words;
  const behindStart = first === 'start' && /^[a-z]/.test(second);
  if (!behindStart && (alone.includes(first) || first.startsWith('verify-'))) return [...words];
  const { addApi } = await import('./api/commands.js');
  const isWhole = behindStart || ['', 'help', 'completion'].includes(first) || first.startsWith('-');
  addApi(program, isWhole ? undefined : first);
  return withoutNpmsStart(program, words);
}

/** Checked first, so that no message repeats a secret that was typed as an argument. */
function refusePassphrase(words: readonly string[]): void {
  if (!words.some((word) => /^--(new-)?passphrase(=|$)/.test(word))) return;
  throw new UsageFault([
    'A passphrase is never an argument, where every user of this machine could read it: use --passphrase-file FILE, SVC_PASSPHRASE_FILE, the prompt, or SVC_PASSPHRASE (which stays readable in /proc/PID/environ).',
  ]);
}

/** Handles `npm start -- identity list`, which arrives as `start identity list`; start takes no arguments. */
function withoutNpmsStart(program: Command, words: readonly string[]): string[] {
  const [first, second] = words;
  const isCommand = second === 'help' || program.commands.some((command) => command.name() === second);
  return first === 'start' && isCommand ? words.slice(1) : [...words];
}

/** Requested help is a success; help shown for a missing command is a usage error. */
function exitCodeOf({ exitCode }: CommanderError): number {
  return exitCode === 0 ? 0 : exitCodes.usage;
}
