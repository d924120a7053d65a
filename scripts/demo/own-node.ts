/** The node that the demo starts: a process with a temporary data directory and a free port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DemoFailed } from './stage.js';

const main = fileURLToPath(new URL('../../../bin/svc-node.mjs', import.meta.url));

/** A little more than the node's own limit for a stop. */
const stopMs = 12_000;

/** Drops SVC_ variables, which may belong to another node. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));

interface Banner {
  readonly url: string;
  readonly pid: number;
}

export class OwnNode {
  #child: ChildProcess | undefined;
  #banner: Banner | undefined;

  private constructor(
    readonly dir: string,
    private readonly variables: NodeJS.ProcessEnv,
  ) {}

  static async start(variables: NodeJS.ProcessEnv = {}): Promise<OwnNode> {
    const node = new OwnNode(await mkdtemp(join(tmpdir(), 'svc-demo-')), variables);
    await node.start();
    return node;
  }

  get url(): string {
    return this.#banner?.url ?? '';
  }

  get pid(): number {
    return this.#banner?.pid ?? 0;
  }

  /** Of the node's own key, which devnet has created. */
  async passphrase(): Promise<string> {
    return (await readFile(join(this.dir, 'passphrase'), 'utf8')).trim();
  }

  /** Starts or restarts the process, and waits until its API answers. @param variables besides those of the first start */
  async start(variables: NodeJS.ProcessEnv = {}): Promise<void> {
    // Nodes with peers log lost connections as warnings, which are expected here.
    const level = this.variables.SVC_LISTEN === undefined ? 'warn' : 'error';
    const words = ['start', '--port', '0', '--data', this.dir, '--json', '--log-level', level];
    const child = spawn(process.execPath, [main, ...words], {
      env: { ...environment, ...this.variables, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => undefined)]);
    if (!first) throw new DemoFailed(`the node ended before it answered, with exit code ${child.exitCode}`);
    this.#banner = JSON.parse(String(first[0])) as Banner;
  }

  /** Resolves once the process ends, by whatever. */
  async ended(): Promise<void> {
    if (this.#child) await once(this.#child, 'exit');
  }

  /** @returns how it ended: exit code, or name of the signal */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.signalCode ?? child.exitCode;
  }

  /** Runs a command of `svc-node` on the node's directory. @returns its exit code and what it printed */
  async command(...words: readonly string[]): Promise<{ readonly exitCode: number | null; readonly output: string }> {
    const child = spawn(process.execPath, [main, ...words, '--data', this.dir], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    await once(child, 'close');
    return { exitCode: child.exitCode, output };
  }

  /** Asks the node to stop first, so that it also ends its local chain; no process outlives an aborted demo. */
  async discard(): Promise<void> {
    await Promise.race([this.end('SIGTERM'), new Promise((late) => setTimeout(late, stopMs).unref())]);
    await this.end('SIGKILL');
    await rm(this.dir, { recursive: true, force: true });
  }
}
