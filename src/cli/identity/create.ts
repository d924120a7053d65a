import type { Command } from 'commander';
import { openKeystore } from '../accounts.js';
import { must } from '../failure.js';
import { withExamples } from '../help.js';
import { facts, note, print, printJson } from '../output.js';
import { readNewPassphrase } from '../passphrase.js';
import { type CommonOptions, loadSettings, withCommonOptions } from '../settings.js';

interface CreateIdentityOptions extends CommonOptions {
  readonly passphraseFile?: string;
}

export function addCreate(parent: Command): void {
  const command = withCommonOptions(
    parent.command('create').description('Create a key in the keystore. A running node can use it at once.'),
  )
    .option('--passphrase-file <file>', 'file whose first line is the passphrase; - reads standard input')
    .option('--url <url>', 'call the node at this URL instead, over its API (more options: --url URL --help)')
    .action(create);
  withExamples(
    command,
    ['identity create', 'asks for a passphrase, twice'],
    ['identity create --passphrase-file pass.txt --json', 'prints {"did":…,"address":…} for a script'],
  );
}

async function create({ passphraseFile, ...common }: CreateIdentityOptions): Promise<void> {
  const config = loadSettings(common);
  const passphrase = await readNewPassphrase(passphraseFile, config);
  const keystore = await openKeystore(config, { make: true });
  const { did, address } = must(await keystore.create(passphrase));
  if (common.json) return printJson({ did, address });
  print(facts({ DID: did, Address: address }));
  note(`The encrypted key is in ${config.dataDir}/keystore. It cannot be opened without the passphrase.`);
}
