/** `svc-node key create` and `key show`: a key that its holder keeps, in a file (docs/signing.md#on-the-command-line). */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { createPrivateFile } from '../../core/durable-file.js';
import { realEnvironment } from '../../core/environment.js';
import { CommandFailed, must } from '../failure.js';
import { withExamples } from '../help.js';
import { facts, note, print, printJson, timeText } from '../output.js';
import { type PassphraseOptions, readNewPassphrase } from '../passphrase.js';
import { type CommonOptions, loadSettings, withCommonOptions } from '../settings.js';
import { keyFileAt } from './key-file.js';

export function addKey(program: Command): void {
  const key = program.command('key').description('Keys that you keep yourself: commands sign with them here.');
  const make = withCommonOptions(
    key.command('create').description('Create a key in a new file that only you may read (0600). No node is needed.'),
  )
    .argument('<file>', 'where to write it, encrypted under a passphrase; never overwritten')
    .option('--passphrase-file <file>', 'file whose first line is the passphrase; - reads standard input')
    .action(create);
  withExamples(
    make,
    ['key create ada.json', 'asks for a passphrase, twice'],
    ['key create ada.json --network testnet --passphrase-file pass.txt --json', 'in a script'],
    ['transfer --to ben --amount 5 --signing-key ada.json', 'signs with it'],
  );
  const display = withCommonOptions(key.command('show').description('Show whose key is in a file.'))
    .argument('<file>', 'a key file')
    .action(show);
  withExamples(display, ['key show ada.json', 'its DID, address and network; asks for no passphrase']);
  withExamples(
    key,
    ['key create ada.json', 'a key of your own'],
    ['identity export did:svc:z6Mk… --out ada.json', 'takes a key out of a node’s keystore'],
    ['identity import ada.json', 'hands it to the keystore of a node'],
  );
}

async function create(file: string, { passphraseFile, ...common }: PassphraseOptions): Promise<void> {
  const config = loadSettings(common);
  if (existsSync(file)) throw new CommandFailed(`${file}: it exists already`);
  const passphrase = await readNewPassphrase(passphraseFile, config);
  const [{ newKey }, { argon2Kdf }] = await Promise.all([import('../../keys/new-key.js'), import('../../keys/kdf.js')]);
  const { network } = config;
  const made = must(await newKey(passphrase, { world: realEnvironment, network, derive: argon2Kdf.derive }));
  await createPrivateFile(file, `${JSON.stringify(made, null, 2)}\n`);
  const { did, address } = made;
  if (common.json) return printJson({ did, address, network, file });
  print(facts({ DID: did, Address: address }));
  note(
    `The encrypted key is in ${file}, for ${network}. Keep a copy: without the file or its passphrase, the key is lost.`,
  );
}

async function show(file: string, { json }: CommonOptions): Promise<void> {
  const { did, address, network = null, createdAt } = await keyFileAt(file);
  if (json) return printJson({ did, address, network, createdAt, file });
  print(facts({ DID: did, Address: address, Network: network ?? 'any', Created: timeText(createdAt) }));
}
