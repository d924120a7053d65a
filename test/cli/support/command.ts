/** Runs `bin/svc-node.mjs` as a user does, in directories that go away with the test. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** From dist/test/cli/support. */
export const checkout = join(dirname(fileURLToPath(import.meta.url)), '../../../..');
const bin = join(checkout, 'bin', 'svc-node.mjs');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** The environment without whatever SVC_ variables the developer has set. */
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))),
  // What the chain does has tests of its own.
  SVC_CHAIN: 'none',
  ...more,
});

const children = new Set<ChildProcessWithoutNullStreams>();
const directories: string[] = [];

/** A new directory, private as data directories are. */
export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'svc-cli-'));
  directories.push(dir);
  return dir;
}

/** For `after`: ends what a failed test left running, and removes what it wrote. */
export async function tidy(): Promise<void> {
  await Promise.all([...children].map((child) => new Promise((ended) => child.on('close', ended).kill('SIGKILL'))));
  for (const dir of directories.splice(0)) rmSync(dir, { recursive: true, force: true });
}

export function spawnCommand(args: readonly string[], { env }: RunOptions = {}): ChildProcessWithoutNullStreams {
  return track(spawn(process.execPath, [bin, ...args], { env: environment(env), cwd: tmpdir() }));
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

/** Runs a command to its end. */
export function svcNode(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawnCommand(args, options);
  child.stdin.end(options.input ?? '');
  return ended(child);
}

/** What `--json` printed: exactly one line. */
export function json<T = Record<string, unknown>>({ stdout }: Ended): T {
  return JSON.parse(stdout) as T;
}
