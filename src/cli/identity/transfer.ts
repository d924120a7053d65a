/** `svc-node identity export` and `import`: moves a key to another keystore in its encrypted file. */
import type { Command } from 'commander';
import { createPrivateFile } from '../../core/durable-file.js';
import { openKeystore, parseDidArgument } from '../accounts.js';
import { must } from '../failure.js';
import { withExamples } from '../help.js';
import { readJson } from '../input.js';
import { facts, note, print, printJson } from '../output.js';
import { type PassphraseOptions, readPassphrase } from '../passphrase.js';
import { type CommonOptions, loadSettings, withCommonOptions } from '../settings.js';

interface ExportOptions extends CommonOptions {
  readonly out?: string;
}

export function addExport(parent: Command): void {
  const command = withCommonOptions(
    parent.command('export').description('Print the encrypted key file of a DID. It is as safe as its passphrase.'),
  )
    .argument('<did>', 'DID or account address')
    .option('--out <file>', 'write it to a new file that only you may read (0600)')
    .action(exportKey);
  withExamples(command, ['identity export did:svc:z6Mk… --out alice.json', 'to carry a key to another node']);
}

async function exportKey(account: string, { out, ...common }: ExportOptions): Promise<void> {
  const did = parseDidArgument(account);
  const keystore = await openKeystore(loadSettings(common));
  const file = must(await keystore.exportKey(did));
  const text = JSON.stringify(file, null, 2);
  if (out === undefined) return print(common.json ? JSON.stringify(file) : text);
  await createPrivateFile(out, `${text}\n`);
  if (common.json) return printJson({ did, address: file.address, file: out });
  note(`The encrypted key of ${did} is in ${out}.`);
}

export function addImport(parent: Command): void {
  const command = withCommonOptions(
    parent.command('import').description('Import an exported key. It keeps its passphrase.'),
  )
    .argument('<file>', 'what identity export wrote; - reads standard input')
    .option('--passphrase-file <file>', 'file whose first line is the passphrase')
    .action(importKey);
  withExamples(
    command,
    ['identity import alice.json', 'asks for the passphrase, to check that the key can be unlocked'],
    ['identity import alice.json --passphrase-file pass.txt --json', 'in a script'],
  );
}

async function importKey(file: string, { passphraseFile, ...common }: PassphraseOptions): Promise<void> {
  const config = loadSettings(common);
  const content = await readJson(file);
  const passphrase = await readPassphrase({ prompt: 'Passphrase of the key', file: passphraseFile, config });
  const keystore = await openKeystore(config, { make: true });
  const { did, address } = must(await keystore.importKey(content, passphrase));
  if (common.json) return printJson({ did, address });
  print(facts({ DID: did, Address: address }));
}
