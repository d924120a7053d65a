/**
 * One anvil: spawned, or found running after a node that was killed. It outlives its parent, so a file names its pid,
 * port and arguments; it is signalled only after its command line was looked at.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { pause, type World } from '../../world.js';
import { HttpTransport } from '../evm/http-transport.js';
import { isAlive, runsWith } from './process-identity.js';

export interface AnvilRecord {
  readonly pid: number;
  readonly port: number;
  readonly args: readonly string[];
}

export interface Spawning {
  readonly binary: string;
  /** The chain's folder in the data directory. */
  readonly folder: string;
  readonly chainId: number;
  readonly world: World;
}

/** anvil could not be started, or ended before it answered. */
export class AnvilFailed extends Error {
  override name = 'AnvilFailed';
}

const startMs = 15_000;
const lookMs = 15;
const termMs = 1_500;
const pingMs = 2_000;
const answerBytes = 1024 * 1024;

const recordFile = (folder: string): string => join(folder, 'anvil.json');
const logFile = (folder: string): string => join(folder, 'anvil.log');

/** What no other anvil is started with. */
const marksOf = (folder: string, chainId: number): string[] => [
  ...['--chain-id', String(chainId), '--cache-path', join(folder, 'cache')],
];

/** Why each: docs/decisions, the local chain. */
const argsOf = ({ chainId, folder, port }: { chainId: number; folder: string; port: number }): string[] => [
  ...marksOf(folder, chainId),
  ...['--quiet', '--host', '127.0.0.1', '--port', String(port), '--hardfork', 'cancun', '--accounts', '0'],
  ...['--no-cors', '--prune-history', '--enable-tx-gas-limit', '--no-request-size-limit'],
];

/** Those of this process: whichever way it exits, they do not outlive it. Only a kill leaves them, to be adopted. */
const ours = new Set<AnvilProcess>();
process.on('exit', () => {
  for (const each of ours) each.endAtOnce();
});

export class AnvilProcess {
  /** Resolves when it ends; never for one that was adopted, which has to be looked at. */
  ended: Promise<void> = new Promise(() => {});
  #child: ChildProcess | undefined;
  #exited = false;

  private constructor(
    readonly record: AnvilRecord,
    private readonly folder: string,
    private readonly world: World,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.record.port}`;
  }

  /** @returns the one that a killed node left running; whatever else the file names is left alone */
  static async adopt({ folder, chainId, world }: Omit<Spawning, 'binary'>): Promise<AnvilProcess | undefined> {
    const record = readRecord(folder);
    const found = record && new AnvilProcess(record, folder, world);
    // A torn or strange file must not make an innocent process look like ours.
    const isOurs = marksOf(folder, chainId).every((word, index) => record?.args[index] === word);
    if (found && isOurs && found.isRunning) {
      const asNow = argsOf({ chainId, folder, port: found.record.port });
      const fits = asNow.every((word, index) => found.record.args[index] === word);
      if (fits && (await found.chainId()) === chainId && found.isRunning) {
        ours.add(found);
        return found;
      }
      await found.end();
    }
    rmSync(recordFile(folder), { force: true });
    return undefined;
  }

  /** Rejects with AnvilFailed when it doesn't answer. */
  static async spawn(spawning: Spawning): Promise<AnvilProcess> {
    const { folder, world, binary, chainId } = spawning;
    const port = await freePort();
    const args = argsOf({ chainId, folder, port });
    const log = openSync(logFile(folder), 'w', 0o600);
    // A session of its own: Ctrl-C in the terminal is for the node, which saves the chain before it ends it.
    const child = spawn(binary, args, { stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    child.unref();
    const failed = new Promise<string>((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.on('exit', (code, signal) => resolve(`it ended with ${signal ?? code}: ${lastWords(folder)}`));
    });
    const process = new AnvilProcess({ pid: child.pid ?? 0, port, args }, folder, world);
    process.#child = child;
    ours.add(process);
    process.ended = failed.then(() => {
      process.#exited = true;
      ours.delete(process);
    });
    if (child.pid !== undefined) writeFileSync(recordFile(folder), JSON.stringify(process.record), { mode: 0o600 });
    const until = world.monotonic() + startMs;
    while (world.monotonic() < until && !process.#exited) {
      if ((await process.chainId(lookMs * 20)) === chainId && !process.#exited) return process;
      await pause(world, lookMs);
    }
    const reason = process.#exited ? await failed : `it did not answer in ${startMs} ms`;
    await process.end();
    throw new AnvilFailed(reason);
  }

  /** By the system's own word, where it gives one. */
  get isRunning(): boolean {
    if (this.#child) return !this.#exited;
    const { pid, args } = this.record;
    // Elsewhere than on Linux nobody tells; what answers on the port with our chain's id is ours then.
    return globalThis.process.platform === 'linux' ? runsWith(pid, args) : isAlive(pid);
  }

  /** What answers on the port says its id is. */
  async chainId(timeoutMs: number = pingMs): Promise<number | undefined> {
    const { world } = this;
    const transport = new HttpTransport({ url: () => this.url, world, timeoutMs, answerBytes });
    try {
      const [answer] = await transport.request([{ method: 'eth_chainId', params: [] }]);
      return 'result' in answer! ? Number(answer.result) : undefined;
    } catch {
      return undefined; // nobody there, or nobody that speaks our language
    } finally {
      transport.close();
    }
  }

  /** Without waiting for it: this process exits. What was not saved of the chain is settled again. */
  endAtOnce(): void {
    this.#signal('SIGKILL');
    rmSync(recordFile(this.folder), { force: true });
  }

  async end(): Promise<void> {
    if (this.#signal('SIGTERM')) {
      // The world's timers hold no process, and this one must not end before what it has started.
      const held = new MessageChannel();
      held.port1.on('message', () => {});
      const until = this.world.monotonic() + termMs;
      while (this.isRunning && this.world.monotonic() < until) await pause(this.world, lookMs);
      this.#signal('SIGKILL');
      held.port1.close();
    }
    ours.delete(this);
    rmSync(recordFile(this.folder), { force: true });
  }

  #signal(signal: NodeJS.Signals): boolean {
    if (!this.isRunning || this.record.pid === 0) return false;
    try {
      globalThis.process.kill(this.record.pid, signal);
      return true;
    } catch {
      return false; // ended in the meantime
    }
  }
}

function readRecord(folder: string): AnvilRecord | undefined {
  try {
    const { pid, port, args } = JSON.parse(readFileSync(recordFile(folder), 'utf8')) as AnvilRecord;
    const isWhole = Number.isInteger(pid) && pid > 1 && Number.isInteger(port) && Array.isArray(args);
    return isWhole ? { pid, port, args } : undefined;
  } catch {
    return undefined; // none, or torn by a crash
  }
}

function lastWords(folder: string): string {
  try {
    return readFileSync(logFile(folder), 'utf8').trim().slice(-500) || 'it said nothing';
  } catch {
    return 'it said nothing';
  }
}

/** Free now; whoever takes it first has it, which the chain's id tells. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
