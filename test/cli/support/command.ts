/** Runs the commands as a user does. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { beforeTidying } from '../../support/scratch.js';
import { runHere } from './here.js';

/** From dist/test/cli/support. */
export const checkout = join(dirname(fileURLToPath(import.meta.url)), '../../../..');
const bin = join(checkout, 'bin', 'svc-node.mjs');

/** A file that does not exist, so that the developer's own preferences have no effect on tests. */
export const nowhere = join(tmpdir(), 'svc-test-no-preferences', 'cli.json');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Forces a separate process, also if the command has run in one before. */
  readonly apart?: boolean;
  /** The file that runs instead of this checkout's program. */
  readonly program?: string;
}

/** No chain, unless the test asks for one: the chain has its own tests. */
export const onlyGiven = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  SVC_CHAIN: 'none',
  SVC_NODE_PREFERENCES: nowhere,
  ...more,
});

/** The environment without the developer's SVC_ variables. */
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))),
  ...onlyGiven(more),
});

const children = new Set<ChildProcessWithoutNullStreams>();

beforeTidying(() =>
  Promise.all([...children].map((child) => new Promise((over) => child.on('close', over).kill('SIGKILL')))),
);

export function spawnCommand(
  args: readonly string[],
  { env, program = bin }: RunOptions = {},
): ChildProcessWithoutNullStreams {
  return track(spawn(process.execPath, [program, ...args], { env: environment(env), cwd: tmpdir() }));
}

export function track(child: ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  children.add(child);
  child.on('close', () => children.delete(child));
  return child;
}

export function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Commands that have run once as `bin/svc-node.mjs`, which showed that they start, print, and exit. */
const seen = new Set<string>();
const commandOf = (args: readonly string[]): string =>
  args
    .filter((word) => /^[a-z-]+$/.test(word))
    .slice(0, 2)
    .join(' ');

/**
 * Runs a command to its end. The first run of a command, and each one that reads standard input, is in a separate process as
 * for a user; others run in this process, at a tenth of the cost.
 */
export function svcNode(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input, env, apart = false } = options;
  const command = commandOf(args);
  const isKnown = seen.has(command);
  seen.add(command);
  if (isKnown && input === undefined && !apart && args[0] !== 'start') return runHere(args, onlyGiven(env));
  const child = spawnCommand(args, options);
  child.stdin.end(input ?? '');
  return ended(child);
}

/** Parses the output of `--json`: exactly one line. */
export function json<T = Record<string, unknown>>({ stdout }: Ended): T {
  return JSON.parse(stdout) as T;
}
