/** A node in its own process that a test may kill, trace or limit. */
import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../../src/machines/catalogue.js';
import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import { type AuditReport, audit } from '../../../src/verify/audit.js';
import { Client } from '../../node/support/client.js';
import { beforeTidying } from '../../support/scratch.js';

const main = fileURLToPath(new URL('../../../../bin/svc-node.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export type Variables = { readonly [name: `SVC_${string}`]: string; readonly NODE_OPTIONS?: string };

const running = new Set<ChildProcess>();

beforeTidying(() =>
  Promise.all([...running].map((child) => new Promise((over) => child.on('close', over) && killGroup(child)))),
);

/** Each child leads a process group, so that a tracer and the traced process end together. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(-pid!, signal);
  } catch {
    // The process has ended already.
  }
}

export class NodeProcess {
  readonly ended: Promise<Ended>;
  #client: Client | undefined;

  /** @param tracer put before the command: strace and its options */
  constructor(
    readonly dir: string,
    private readonly child: ChildProcess,
  ) {
    running.add(child);
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    this.ended = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        running.delete(child);
        this.#client?.close();
        resolve({ code, signal, stderr });
      });
    });
  }

  /** @param tracer put before the command: strace and its options @param variables SVC_ variables of the node */
  static spawn(dir: string, tracer: readonly string[] = [], variables: Variables = {}): NodeProcess {
    const words = [
      ...tracer,
      process.execPath,
      main,
      'start',
      '--json',
      '--port',
      variables.SVC_PORT ?? '0',
      '--data',
      dir,
    ];
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
    const env = { ...Object.fromEntries(inherited), SVC_CHAIN: 'none', ...variables };
    const child = spawn(words[0]!, words.slice(1), { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    return new NodeProcess(dir, child);
  }

  static async start(dir: string, tracer: readonly string[] = [], variables: Variables = {}): Promise<NodeProcess> {
    const node = NodeProcess.spawn(dir, tracer, variables);
    await node.ready();
    return node;
  }

  /** Resolves once the node listens; rejects if it exits instead. */
  async ready(): Promise<void> {
    let output = '';
    const line = new Promise<string>((resolve) => {
      this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('\n')) resolve(output);
      });
    });
    const over = this.ended.then((end) => Promise.reject(new NodeEnded(JSON.stringify(end))));
    this.#client = new Client((JSON.parse(await Promise.race([line, over])) as { url: string }).url);
  }

  get client(): Client {
    return this.#client!;
  }

  get pid(): number {
    return this.child.pid!;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  kill(): Promise<Ended> {
    killGroup(this.child);
    return this.ended;
  }

  stop(): Promise<Ended> {
    killGroup(this.child, 'SIGTERM');
    return this.ended;
  }
}

class NodeEnded extends Error {
  override name = 'NodeEnded';
}

/** Audits a data directory with `svc-node audit`. */
export async function auditOf(dir: string): Promise<AuditReport> {
  const journal = openFrozen(dir);
  try {
    return await audit(journal, catalogue, 'devnet');
  } finally {
    await journal.close();
  }
}
