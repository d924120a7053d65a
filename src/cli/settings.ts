/**
 * The options of all commands, and the configuration made from them and the environment. A data directory stores its
 * network, so `--network` can be left out.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Command, Option } from 'commander';
import { type Config, loadConfig } from '../node/config/config.js';
import { UsageFault } from './failure.js';

export interface CommonOptions {
  readonly data?: string;
  readonly network?: string;
  readonly json?: boolean;
}

/** Overrides of a start, by variable name. */
export type Overrides = { readonly [name: `SVC_${string}`]: string | undefined };

export interface JsonOption {
  readonly json?: boolean;
}

export const withJson = (command: Command): Command => command.option('--json', 'print one line of JSON for programs');

export const withData = (command: Command): Command =>
  command
    .addOption(new Option('--data <dir>', 'data directory (SVC_DATA_DIR; default ~/.svc-node/<network>)'))
    .addOption(
      new Option('--network <name>', 'network (SVC_NETWORK; default devnet)').choices(['devnet', 'testnet', 'mainnet']),
    );

export const withCommonOptions = (command: Command): Command => withJson(withData(command));

/** @throws UsageFault with one sentence for each error */
export function loadSettings({ data, network }: CommonOptions, overrides: Overrides = {}): Config {
  const environment = process.env;
  const dir = data ?? environment.SVC_DATA_DIR;
  const remembered = dir === undefined ? undefined : networkOf(dir);
  const flags = { ...overrides, SVC_DATA_DIR: data, SVC_NETWORK: network };
  const config = loadConfig(environment, flags, { SVC_NETWORK: remembered });
  if (isFaults(config)) throw new UsageFault(config);
  const owner = networkOf(config.dataDir);
  if (owner !== undefined && owner !== config.network) {
    throw new UsageFault([
      `The data directory ${config.dataDir} belongs to ${owner}, not to ${config.network}: name it with --network ${owner} or SVC_NETWORK, or give another directory with --data or SVC_DATA_DIR.`,
    ]);
  }
  return config;
}

const isFaults = (outcome: Config | readonly string[]): outcome is readonly string[] => Array.isArray(outcome);

/** The network that a data directory was first started for. */
function networkOf(dir: string): string | undefined {
  try {
    const { network } = JSON.parse(readFileSync(join(dir, 'node.json'), 'utf8')) as { network?: unknown };
    return typeof network === 'string' ? network : undefined;
  } catch {
    return undefined; // never started
  }
}
