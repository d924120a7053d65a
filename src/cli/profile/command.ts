/** `svc-node config`: profiles of the command line. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageFault } from '../failure.js';
import { withExamples } from '../help.js';
import { keyFileAt } from '../key/key-file.js';
import { facts, note, print, printJson, printTable } from '../output.js';
import { type JsonOption, withJson } from '../settings.js';
import {
  checkedName,
  didNamed,
  type Profile,
  preferencesFile,
  profileNamed,
  readPreferences,
  writePreferences,
} from './preferences.js';

export function addConfig(program: Command): void {
  const config = program
    .command('config')
    .description('Profiles: which node you call, who signs, and where your secrets are.');
  withJson(config.command('list').description('List your profiles; * marks the one in use.')).action(list);
  withJson(config.command('use').argument('<name>').description('Use this profile from now on.')).action(use);
  withJson(
    config.command('set').argument('<name>').description('Create a profile, or change the settings that you give.'),
  )
    .option('--url <url>', 'root of the node’s API')
    .option('--did <did>', 'DID that signs, or its name in the address book')
    .option('--key-file <file>', 'file whose first line is the API key')
    .option('--signing-key <file>', 'file of a key of your own, whose DID then signs')
    .option('--passphrase-file <file>', 'file whose first line unlocks the key of the DID')
    .option('--data <dir>', 'data directory of a node on this machine, instead of a URL')
    .option('--network <name>', 'devnet, testnet or mainnet')
    .action(set);
  withJson(config.command('show').argument('[name]').description('Show a profile, or the one in use.')).action(show);
  withJson(config.command('remove').argument('<name>').description('Forget a profile. Its files stay.')).action(remove);
  for (const command of config.commands) {
    withExamples(command, [
      `config ${command.name()}${command.registeredArguments.length > 0 ? ' ada' : ''}`,
      'for example',
    ]);
  }
  withExamples(
    config,
    ['config set ada --url https://node.example.org --did did:svc:z6Mk… --key-file ada.key', 'who you are, and where'],
    ['config use ada', 'from now on; --profile or SVC_NODE_PROFILE choose another one for a single command'],
    ['config list', 'all profiles'],
  );
}

async function list({ json }: JsonOption): Promise<void> {
  const { current = null, profiles } = readPreferences();
  if (json) return printJson({ current, profiles });
  const rows = Object.entries(profiles).map(([name, { url, data, did, network }]) => [
    name === current ? '*' : '',
    name,
    url ?? data ?? network ?? '–',
    did ?? '–',
  ]);
  if (rows.length === 0) return note('No profiles yet: svc-node config set NAME --url URL --did DID makes one.');
  printTable(['', 'NAME', 'NODE', 'DID'], rows);
}

async function use(name: string, { json }: JsonOption): Promise<void> {
  const preferences = readPreferences();
  const profile = profileNamed(name, preferences);
  await writePreferences({ ...preferences, current: name });
  if (json) return printJson({ current: name, ...profile });
  print(`Commands now use ${name}${profile.did === undefined ? '' : `, which signs as ${profile.did}`}.`);
}

async function set(text: string, { json, did, ...given }: Profile & JsonOption): Promise<void> {
  const name = checkedName(text);
  const preferences = readPreferences();
  const { keyFile, signingKey, passphraseFile, data } = given;
  const stated = did === undefined ? undefined : (didNamed(did, preferences) ?? refuseName(did));
  const signer = signingKey === undefined ? stated : (await keyFileAt(signingKey, stated)).did;
  const files = Object.fromEntries(
    Object.entries({ keyFile, signingKey, passphraseFile, data })
      .filter(([, file]) => file !== undefined)
      .map(([member, file]) => [member, resolve(file!)]),
  );
  if (given.url !== undefined && !/^https?:$/.test(URL.canParse(given.url) ? new URL(given.url).protocol : '')) {
    throw new UsageFault([`--url ${given.url} is not a URL such as http://127.0.0.1:9528.`]);
  }
  const before = Object.hasOwn(preferences.profiles, name) ? preferences.profiles[name] : {};
  const profile: Profile = { ...before, ...given, ...files, ...(signer === undefined ? {} : { did: signer }) };
  const current = preferences.current ?? name;
  await writePreferences({ ...preferences, current, profiles: { ...preferences.profiles, [name]: profile } });
  if (json) return printJson(profile);
  print(
    `Saved ${name} in ${preferencesFile()}.${current === name ? ' Commands use it.' : ` svc-node config use ${name} chooses it.`}`,
  );
}

const refuseName = (did: string): never => {
  throw new UsageFault([`--did ${did} is neither a DID nor a name in the address book.`]);
};

async function show(given: string | undefined, { json }: JsonOption): Promise<void> {
  const preferences = readPreferences();
  const name = given ?? preferences.current;
  if (name === undefined) return note('No profile is in use: svc-node config use NAME chooses one.');
  const profile = profileNamed(name, preferences);
  if (json) return printJson({ name, ...profile });
  print(facts({ name, ...profile }));
}

async function remove(name: string, { json }: JsonOption): Promise<void> {
  const preferences = readPreferences();
  profileNamed(name, preferences);
  const { [name]: _, ...profiles } = preferences.profiles;
  const { current, ...rest } = preferences;
  await writePreferences({ ...rest, ...(current === name ? {} : { current }), profiles });
  if (json) return printJson({ name, removed: true });
  print(`Removed ${name}.`);
}
