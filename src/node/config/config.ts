/**
 * Parses environment variables into one frozen Config, or into sentences about their errors
 * (docs/reference/configuration.md#variables).
 */
import { accessSync, constants, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { bounds } from '../../core/bounds.js';
import { isLoopbackHost } from '../../core/urls.js';
import type { NodeSettings } from '../../http/render/node-view.js';
import { type Settings, type Variable, variables } from './variables.js';

export { variables } from './variables.js';

type DerivedSetting =
  | 'passphraseText'
  | 'passphraseFile'
  | 'publicUrlText'
  | 'errorBaseUrlText'
  | 'tlsCert'
  | 'tlsKey'
  | 'loopbackGiven';

export interface Config extends Omit<Settings, DerivedSetting> {
  /** All variables, without secrets. */
  readonly variables: NodeSettings['variables'];
  /** Not enumerable, so that it appears in no dump, log line or NodeConfig. */
  readonly passphrase: string | undefined;
  readonly publicUrl: string | undefined;
  readonly errorBaseUrl: string | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Requests from this machine need no key. */
  readonly loopback: boolean;
}

type Configured = NodeSettings['variables'][number];
type EnvironmentVariables = { readonly [name: string]: string | undefined };

/**
 * @param environment of the process; SVC_PASSPHRASE is deleted from it.
 * @param overrides by variable name, from the command line; they take precedence.
 * @param remembered by variable name, from a file; the environment takes precedence.
 */
export function loadConfig(
  environment: { [name: string]: string | undefined },
  overrides: EnvironmentVariables = {},
  remembered: EnvironmentVariables = {},
): Config | readonly string[] {
  const faults: string[] = [];
  const given: { [name: string]: string | undefined } = { ...environment };
  const origins = new Map<string, Configured['from']>();
  const take = (from: Configured['from'], name: string, text: string | undefined) => {
    given[name] = text;
    origins.set(name, text ? from : 'default');
  };
  for (const [name, text] of Object.entries(environment)) take('environment', name, text);
  for (const [name, text] of Object.entries(remembered)) if (!given[name]) take('file', name, text);
  for (const [name, text] of Object.entries(overrides)) if (text !== undefined) take('flag', name, text);
  delete environment.SVC_PASSPHRASE;
  const known = new Set<string>(Object.values(variables).map((variable) => variable.name));
  for (const name of Object.keys(given)) {
    if (name.startsWith('SVC_') && !known.has(name) && !/^SVC_(TEST|NODE)_/.test(name)) {
      faults.push(`${name} is not a variable of this node; see docs/generated/configuration.md for those that are.`);
    }
  }
  const store = storeFromFile(given, faults);
  if (store) take('file', variables.store.name, store);
  const settings: Record<string, unknown> = {};
  const configured: Configured[] = [];
  for (const [member, variable] of Object.entries<Variable<unknown>>(variables)) {
    const text = given[variable.name] || variable.default;
    const read = text === undefined ? { value: undefined } : variable.read(text);
    if (typeof read === 'string') faults.push(`${variable.name} ${read}.`);
    else settings[member] = read.value;
    const { name, shown = String } = variable;
    configured.push({ name, value: text ? shown(text) : null, from: origins.get(name) ?? 'default' });
  }
  if (faults.length > 0) return faults;
  const config = derive({ ...(settings as unknown as Settings), variables: configured }, faults);
  faults.push(...mainnetFaults(config));
  return faults.length > 0 ? faults : Object.freeze(config);
}

/** The first line of SVC_STORE_FILE, which takes the place of SVC_STORE. */
function storeFromFile(given: EnvironmentVariables, faults: string[]): string | undefined {
  const file = given[variables.storeFile.name];
  if (!file) return undefined;
  const line = firstLine(file);
  if (given[variables.store.name]) faults.push('SVC_STORE and SVC_STORE_FILE are both given; one is enough.');
  else if (!line) faults.push(`SVC_STORE_FILE names ${file}, whose first line cannot be read.`);
  return line;
}

function derive(settings: Settings & Pick<Config, 'variables'>, faults: string[]): Config {
  const {
    passphraseText,
    passphraseFile,
    storeFile: _,
    publicUrlText,
    errorBaseUrlText,
    tlsCert,
    tlsKey,
    loopbackGiven,
    ...rest
  } = settings;
  const config = {
    ...rest,
    dataDir: directory(settings),
    segmentsDir: settings.segmentsDir && resolve(settings.segmentsDir),
    publicUrl: publicUrlText,
    errorBaseUrl: errorBaseUrlText,
    tls: tlsCert && tlsKey ? Object.freeze({ cert: resolve(tlsCert), key: resolve(tlsKey) }) : undefined,
    loopback: loopbackGiven ?? settings.network === 'devnet',
  };
  if (rest.peerCopies > 0 && (rest.store !== 'embedded' || rest.listen.length + rest.peers.length === 0)) {
    faults.push('SVC_PEER_COPIES is for the embedded store, and needs SVC_LISTEN or SVC_PEERS.');
  }
  if (!tlsCert !== !tlsKey) faults.push('SVC_TLS_CERT and SVC_TLS_KEY are given together or not at all.');
  for (const [name, file] of [
    ['SVC_TLS_CERT', tlsCert],
    ['SVC_TLS_KEY', tlsKey],
  ] as const) {
    if (file !== undefined && !isReadable(file)) faults.push(`${name} names ${file}, which cannot be read.`);
  }
  const passphrase = passphraseText ?? (passphraseFile === undefined ? undefined : firstLine(passphraseFile));
  if (passphraseText !== undefined && passphraseFile !== undefined) {
    faults.push('SVC_PASSPHRASE and SVC_PASSPHRASE_FILE are both given; one is enough.');
  } else if (passphraseFile !== undefined && passphrase === undefined) {
    faults.push(`SVC_PASSPHRASE_FILE names ${passphraseFile}, which cannot be read.`);
  } else if (passphrase !== undefined && [...passphrase].length < bounds.passphraseLength) {
    const says =
      passphraseFile === undefined
        ? 'SVC_PASSPHRASE must have'
        : `SVC_PASSPHRASE_FILE: the first line of ${passphraseFile} must have`;
    faults.push(`${says} at least ${bounds.passphraseLength} characters: it unlocks the node's key.`);
  }
  return Object.defineProperty(config, 'passphrase', { value: passphrase, enumerable: false }) as Config;
}

function directory({ dataDir, network }: Settings): string {
  if (dataDir === variables.dataDir.default) return join(homedir(), '.svc-node', network);
  return resolve(dataDir.replace(/^~(?=\/|$)/, homedir()));
}

function mainnetFaults(config: Config): string[] {
  if (config.network !== 'mainnet') return [];
  const faults: string[] = [];
  if (config.loopback) faults.push('SVC_LOOPBACK on is for devnet and testnet; on mainnet every caller needs a key.');
  if (config.chain === 'none') faults.push('SVC_CHAIN none is for tests; on mainnet a chain is needed.');
  if (!isLoopbackHost(config.host) && !config.tls && config.trustedProxies.length === 0) {
    faults.push(
      `SVC_HOST ${config.host} can be reached from outside: on mainnet that needs SVC_TLS_CERT and SVC_TLS_KEY, or SVC_TRUSTED_PROXIES.`,
    );
  }
  return faults;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false; // the caller names the file
  }
}

function firstLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0];
  } catch {
    return undefined; // the caller names the file
  }
}
