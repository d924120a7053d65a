/** The connection of an API command: the node's URL and the API key. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { realEnvironment } from '../../../packages/client/src/environment.js';
import { Http, type Retry } from '../../../packages/client/src/http.js';
import { mostRetries } from '../../../packages/client/src/retry.js';
import { messageOf } from '../../core/error-message.js';
import { withoutTrailingSlashes } from '../../core/url-text.js';
import type { Config } from '../../node/config/config.js';
import { CommandFailed, UsageFault } from '../failure.js';
import { note } from '../output.js';
import { runningNode } from '../running-node.js';

export interface ApiConnectionOptions {
  readonly profile?: string;
  readonly url?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly timeout?: string;
}

/** @throws UsageFault for an invalid URL, CommandFailed when no node is known */
export function apiRoot({ url }: ApiConnectionOptions, { dataDir }: Config): string {
  const root = url ?? (process.env.SVC_NODE_URL || undefined) ?? runningNode(dataDir)?.url;
  if (root === undefined) {
    throw new CommandFailed(
      `no node runs on ${dataDir}: svc-node start starts one, --url or SVC_NODE_URL names one elsewhere`,
    );
  }
  if (!URL.canParse(root) || !/^https?:$/.test(new URL(root).protocol)) {
    throw new UsageFault([`--url ${root} is not a URL such as http://127.0.0.1:9528.`]);
  }
  return withoutApi(root);
}

/** Accepts the address of the API, as a start prints it, in place of the node's. */
export const withoutApi = (root: string): string => withoutTrailingSlashes(root).replace(/\/api\/v1$/, '');

/** @throws CommandFailed for an empty file */
export function readApiKey({ key, keyFile }: ApiConnectionOptions): string | undefined {
  if (key !== undefined) return key;
  const file = keyFile ?? (process.env.SVC_NODE_KEY ? undefined : process.env.SVC_NODE_KEY_FILE || undefined);
  if (file === undefined) return process.env.SVC_NODE_KEY || undefined;
  const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1);
  if (line === '') throw new CommandFailed(`${file}: its first line is empty, and should be the API key`);
  if (line.startsWith('{')) throw new CommandFailed(`${file} holds no API key: a key that signs is for --signing-key`);
  return line;
}

/** In ms; undefined if the option is not given. */
export function timeoutOf({ timeout }: ApiConnectionOptions): number | undefined {
  if (timeout === undefined) return undefined;
  const seconds = Number(timeout);
  if (seconds > 0 && seconds <= 3_600) return seconds * 1_000;
  throw new UsageFault([`--timeout ${timeout} is not a number of seconds from 0 to 3600.`]);
}

export function connectToApi(options: ApiConnectionOptions, config: Config): Http {
  const timeoutMs = timeoutOf(options);
  return new Http({
    url: apiRoot(options, config),
    key: readApiKey(options),
    readTimeoutMs: timeoutMs ?? 10_000,
    writeTimeoutMs: timeoutMs ?? 30_000,
    environment: realEnvironment,
    onRetry: tellOfWait,
  });
}

/** Says why a command takes its time, where somebody would notice. */
function tellOfWait({ failure, delayMs, attempt }: Retry): void {
  const seconds = Math.round(delayMs / 1_000);
  if (seconds > 0) note(`${messageOf(failure)}: retry ${attempt} of ${mostRetries} in ${seconds} s`);
}
