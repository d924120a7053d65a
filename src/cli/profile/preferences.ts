/**
 * The user's settings between commands: profiles (a node, a signer, where the secrets are) and an address book. The
 * file contains names of secret files, never a secret.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { NamesAlike } from '../../../packages/client/src/look-alike.js';
import { makeFolder, writeFileDurably } from '../../core/durable-file.js';
import { CommandFailed, UsageFault } from '../failure.js';
import { note, tame } from '../output.js';

export interface Profile {
  readonly url?: string;
  readonly did?: string;
  readonly keyFile?: string;
  readonly signingKey?: string;
  readonly passphraseFile?: string;
  readonly data?: string;
  readonly network?: string;
}

export interface Preferences {
  /** The profile that commands use. */
  readonly current?: string | undefined;
  readonly profiles: { readonly [name: string]: Profile };
  /** DIDs by name. */
  readonly addresses: { readonly [name: string]: string };
}

const mostNames = 1_000;
const empty: Preferences = { profiles: {}, addresses: {} };

export const preferencesFile = (): string =>
  process.env.SVC_NODE_PREFERENCES || join(homedir(), '.svc-node', 'cli.json');

export function readPreferences(): Preferences {
  const file = preferencesFile();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return empty;
    throw error;
  }
  try {
    const { current, profiles = {}, addresses = {} } = JSON.parse(text) as Partial<Preferences>;
    return { ...(current === undefined ? {} : { current }), profiles, addresses };
  } catch {
    throw new CommandFailed(`${file} is not JSON: correct it, or delete it and begin again`);
  }
}

export async function writePreferences(preferences: Preferences): Promise<void> {
  const { profiles, addresses } = preferences;
  for (const names of [profiles, addresses]) {
    if (Object.keys(names).length > mostNames) throw new CommandFailed(`there are ${mostNames} names already`);
  }
  const file = preferencesFile();
  makeFolder(dirname(file));
  await writeFileDurably(file, `${JSON.stringify({ v: 1, ...preferences }, undefined, 2)}\n`);
}

/** @throws UsageFault for a name that could be taken for a DID, an address, or a member of every object */
export function checkedName(text: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,31}$/u.test(text) && !/^svc1/.test(text) && !(text in {})) return text;
  throw new UsageFault([`${text} is not a name: use up to 32 letters, digits, dots, dashes and underscores.`]);
}

const own = <T>(table: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const isDidOrAddress = (text: string): boolean => /^(did:|svc1)/.test(text);

/**
 * The DID of a name in the address book, or of a profile that has one; a DID or an account address is returned
 * unchanged.
 */
export function didNamed(text: string, { addresses, profiles } = readPreferences()): string | undefined {
  return isDidOrAddress(text) ? text : (own(addresses, text) ?? own(profiles, text)?.did);
}

/** @throws UsageFault when no profile has the name */
export function profileNamed(name: string, { profiles } = readPreferences()): Profile {
  const profile = own(profiles, name);
  if (profile) return profile;
  const known = Object.keys(profiles);
  throw new UsageFault([
    `There is no profile ${name}: ${known.length > 0 ? `there ${known.length > 1 ? 'are' : 'is'} ${known.join(', ')}` : `svc-node config set ${name} makes one`}.`,
  ]);
}

/** The user's names for DIDs: those of the address book, and of profiles. */
export function namesGiven(): ReadonlyMap<string, string> {
  const { addresses, profiles } = readPreferences();
  const named = new Map<string, string>();
  for (const [name, { did }] of Object.entries(profiles)) if (did !== undefined) named.set(did, name);
  for (const [name, did] of Object.entries(addresses)) named.set(did, name);
  return named;
}

/** Says so if the name looks like one of another DID: one that the user has given, or one of those that are known elsewhere. */
export function tellIfAlike(name: string, did: string, known: Iterable<readonly [string, string]> = []): void {
  const own = namesGiven();
  const other = new NamesAlike([...own, ...known]).other(did, name);
  if (other === undefined) return;
  const mine = own.get(other);
  const whose = mine === undefined ? `the name of ${other}` : `${mine}, your name for ${other}`;
  note(`“${tame(name)}” looks like ${whose}.`);
}
