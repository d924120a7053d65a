/** Which node is asked, and with which key. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { realEnvironment } from '../../client/environment.js';
import { Http } from '../../client/http.js';
import type { Config } from '../../config.js';
import { CommandFailed, UsageFault } from '../failure.js';
import { runningNode } from '../running-node.js';

export interface DoorOptions {
  readonly url?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly timeout?: string;
}

/** @throws UsageFault where the URL is none, CommandFailed where no node is known */
export function rootOf({ url }: DoorOptions, { dataDir }: Config): string {
  const root = url ?? (process.env.SVC_NODE_URL || undefined) ?? runningNode(dataDir)?.url;
  if (root === undefined) {
    throw new CommandFailed(
      `no node runs on ${dataDir}: svc-node start starts one, --url or SVC_NODE_URL names one elsewhere`,
    );
  }
  if (!URL.canParse(root) || !/^https?:$/.test(new URL(root).protocol)) {
    throw new UsageFault([`--url ${root} is not a URL such as http://127.0.0.1:9528.`]);
  }
  return root;
}

function keyOf({ key, keyFile }: DoorOptions): string | undefined {
  if (key !== undefined) return key;
  const file = keyFile ?? (process.env.SVC_NODE_KEY ? undefined : process.env.SVC_NODE_KEY_FILE || undefined);
  if (file === undefined) return process.env.SVC_NODE_KEY || undefined;
  const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1);
  if (line === '') throw new CommandFailed(`${file}: its first line is empty, and should be the API key`);
  return line;
}

function patienceOf({ timeout }: DoorOptions): number | undefined {
  if (timeout === undefined) return undefined;
  const seconds = Number(timeout);
  if (seconds > 0 && seconds <= 3_600) return seconds * 1_000;
  throw new UsageFault([`--timeout ${timeout} is not a number of seconds from 0 to 3600.`]);
}

export function openDoor(options: DoorOptions, config: Config): Http {
  const patienceMs = patienceOf(options);
  return new Http({
    url: rootOf(options, config),
    key: keyOf(options),
    readTimeoutMs: patienceMs ?? 10_000,
    writeTimeoutMs: patienceMs ?? 30_000,
    environment: realEnvironment,
  });
}
