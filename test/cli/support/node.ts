/** A node in its own process, or a cheaper one in this process, and requests to it. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startedJson } from '../../../src/cli/banner.js';
import { loadSettings } from '../../../src/cli/settings.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { createLog } from '../../../src/core/log.js';
import { openNode } from '../../../src/node/node.js';
import { beforeTidying, scratch } from '../../support/scratch.js';
import { type Ended, ended, onlyGiven, type RunOptions, spawnCommand } from './command.js';
import { withEnvironment } from './here.js';

interface Started {
  readonly url: string;
  readonly docs: string;
  readonly did: string;
  readonly network: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly isNew: boolean;
  readonly passphraseFile: string | null;
}

export interface TestNode extends Started {
  stop(): Promise<Ended>;
}

export interface NodeProcess extends TestNode {
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of the body
  readonly body: any;
}

/** Starts a node on a free port. Rejects with its output if it exits instead. */
export async function startNode(
  dataDir: string = scratch(),
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<NodeProcess> {
  const child = spawnCommand(['start', '--json', '--port', '0', '--data', dataDir, ...args], options);
  const over = ended(child);
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    over.then((end) => Promise.reject(new StartFailed(JSON.stringify(end)))),
  ])) as [string];
  return {
    ...(JSON.parse(line) as Started),
    ended: over,
    signal: (signal) => void child.kill(signal),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return over;
    },
  };
}

class StartFailed extends Error {
  override name = 'StartFailed';
}

const open = new Set<TestNode>();
beforeTidying(() => Promise.all([...open].map((node) => node.stop())));

/** Starts a node as `svc-node start` does, in this process, which takes a third of the CPU time. */
export async function startHere(dataDir = scratch(), env: NodeJS.ProcessEnv = {}): Promise<TestNode> {
  const undo = withEnvironment(onlyGiven(env));
  const config = loadSettings({ data: dataDir }, { SVC_PORT: '0' });
  undo();
  const lines: string[] = [];
  const log = createLog({ level: config.logLevel, destination: { write: (line) => void lines.push(line) } });
  const onFault = (fault: unknown) => Promise.reject(fault);
  const running = await openNode({ config, world: realEnvironment, log, onFault });
  const started = startedJson(config, running);
  const node = {
    ...started,
    async stop() {
      open.delete(node);
      await running.close();
      return { code: 0, signal: null, stdout: JSON.stringify(started), stderr: lines.join('') };
    },
  };
  open.add(node);
  return node;
}

export async function get(url: string, key?: string): Promise<Answer> {
  const response = await fetch(url, { headers: key ? { 'X-Api-Key': key } : {} });
  return { status: response.status, body: await response.json() };
}

export async function post(url: string, body: object, key?: string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key ? { 'X-Api-Key': key } : {}) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

export const faucet = (node: Started, did: string): Promise<Answer> => post(`${node.url}/api/v1/faucet`, { did });
