/** A node in its own process, and requests to it. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { scratch } from '../../support/scratch.js';
import { type Ended, ended, type RunOptions, spawnCommand } from './command.js';

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
): Promise<TestNode> {
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
