/**
 * The command line `svc-node`: its commands and usage errors. Commands import heavy modules (store, node, KDF) only when
 * they run, which makes help and light commands three times as fast.
 */
import { Command, CommanderError } from 'commander';
import { version } from '../core/version.js';
import { addApiKey } from './api-key/command.js';
import { addAudit } from './audit.js';
import { addBackup, addRestore } from './backup.js';
import { addChain } from './chain.js';
import { addClock } from './clock.js';
import { addCompletion } from './completion.js';
import { addConsole } from './console.js';
import { addDoctor } from './doctor/command.js';
import { exitCodes, exitReportOf, UsageFault } from './failure.js';
import { withExamples } from './help.js';
import { addIdentity } from './identity/command.js';
import { addKey } from './key/command.js';
import { addMcp } from './mcp.js';
import { addMigrate } from './migrate.js';
import { addModerate } from './moderate.js';
import { note, printable, tellIfLost } from './output.js';
import { addPeers } from './peers.js';
import { addAddresses } from './profile/addresses.js';
import { addConfig } from './profile/command.js';
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
    .description('Run a node, and work with any node: a token ledger and agent marketplace over HTTP.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'explain a command')
    .exitOverride()
    // An option after a command belongs to it: one command has its own --version.
    .enablePositionalOptions()
    .hook('postAction', (_program, command) => {
      if (changesSomething(command)) tellIfLost(`${commandName(command)} was carried out`);
    })
    .configureOutput({
      outputError: (text, write) => write(printable(text.replace(/^error: /, 'svc-node: '), process.stderr)),
    })
    .showHelpAfterError('(--help explains the command)');
  for (const [heading, additions] of local) {
    const before = program.commands.length;
    for (const add of additions) add(program);
    for (const command of program.commands.slice(before)) command.helpGroup(heading);
  }
  return withExamples(
    program,
    ['start', 'a devnet node on http://127.0.0.1:9528, with its data in ~/.svc-node/devnet'],
    ['identity create', 'a DID, and the account that belongs to it'],
    ['transfer --to ben --amount 5', 'pay; svc-node config and svc-node address store who you are, and names'],
    ['escrow list --help', 'every operation of the API is a command'],
  );
}

/** Commands of this machine that change nothing, or run until they are stopped. */
const readers = /^(list|show|evidence|export|start|status|doctor|console|mcp|completion|audit|verify-.+)$/;

/** Whether the effect of a command stands although its output is lost. */
export function changesSomething(command: Command): boolean {
  const has = (name: string) => command.options.some(({ long }) => long === name);
  // Of the API's commands those that read can watch, and those that write can be repeated.
  return has('--idempotency-key') || (!has('--watch') && !readers.test(command.name()));
}

const commandName = (command: Command): string =>
  command.parent?.parent ? `${commandName(command.parent)} ${command.name()}` : command.name();

/** The commands of this machine, in the order of help. */
const local: readonly (readonly [heading: string, additions: readonly ((program: Command) => void)[]])[] = [
  ['A node on this machine:', [addStart, addStatus, addDoctor, addClock, addPeers, addModerate, addConsole]],
  ['Who you are:', [addIdentity, addKey, addApiKey, addConfig, addAddresses]],
  ['Your assistant:', [addMcp]],
  ['The data of a node:', [addBackup, addRestore, addRebuild, addMigrate, addChain]],
  ['Check proofs and signatures:', [addAudit, addVerifyProof, addVerifyEnvelope, addVerifyEquivocation]],
  ['This command line:', [addCompletion]],
];

/** Commands that never need the operations of the API. */
const alone = [
  'start',
  'status',
  'doctor',
  'clock',
  'moderate',
  'backup',
  'restore',
  'migrate',
  'chain',
  'console',
  'config',
  'key',
  'mcp',
  'address',
];
/** Commands that don't need them either, unless `--url` makes them operations of another node. */
const aloneHere = ['audit', 'peers'];

/** Adds the commands of the API when the words may need them, because reading its description takes time. */
async function withApi(program: Command, words: readonly string[]): Promise<string[]> {
  const asked = explained(program, words);
  const [first = '', second = ''] = asked;
  const isElsewhere = asked.some((word) => /^--url(=|$)/.test(word));
  const behindStart = first === 'start' && /^[a-z]/.test(second);
  const isAlone = alone.includes(first) || (aloneHere.includes(first) && !isElsewhere) || first.startsWith('verify-');
  if (!behindStart && isAlone) return asked;
  const { addApi } = await import('./api/commands.js');
  const isWhole = behindStart || ['', 'help', 'completion'].includes(first) || first.startsWith('-');
  addApi(program, { only: isWhole ? undefined : first, isElsewhere });
  // Help of the whole program is no answer about a word that it does not know.
  if (!isWhole && !isCommand(program, first)) return [first];
  return withoutNpmsStart(program, asked);
}

/** Turns `help escrow fund` into `escrow fund --help`, which reports an unknown word. */
function explained(program: Command, words: readonly string[]): string[] {
  const [first, ...rest] = words;
  if (first !== 'help' || rest.length === 0 || rest.some((word) => word.startsWith('-'))) return [...words];
  return isCommand(program, rest[0]!) ? [...rest, '--help'] : rest;
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
  const isBehind = second === 'help' || (second !== undefined && isCommand(program, second));
  return first === 'start' && isBehind ? words.slice(1) : [...words];
}

const isCommand = (program: Command, name: string): boolean =>
  program.commands.some((command) => command.name() === name);

/** Requested help is a success; help shown for a missing command is a usage error. */
function exitCodeOf({ exitCode }: CommanderError): number {
  return exitCode === 0 ? 0 : exitCodes.usage;
}
