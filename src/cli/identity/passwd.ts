import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../node/config/config.js';
import { readNodeDid } from '../../node/identity.js';
import { openKeystore, parseDidArgument } from '../accounts.js';
import { CommandFailed, must } from '../failure.js';
import { withExamples } from '../help.js';
import { note, printJson } from '../output.js';
import { type PassphraseOptions, readPassphrase } from '../passphrase.js';
import { loadSettings, withCommonOptions } from '../settings.js';

interface PasswdOptions extends PassphraseOptions {
  readonly newPassphraseFile?: string;
}

export function addPasswd(parent: Command): void {
  const command = withCommonOptions(
    parent.command('passwd').description('Change the passphrase of a key. A running node forgets the old one in time.'),
  )
    .argument('<did>', 'DID or account address')
    .option('--passphrase-file <file>', 'file whose first line is the current passphrase')
    .option('--new-passphrase-file <file>', 'file whose first line is the new one')
    .action(passwd);
  withExamples(
    command,
    ['identity passwd did:svc:z6Mk…', 'asks for the old passphrase, and twice for the new one'],
    ['identity passwd did:svc:z6Mk… --passphrase-file old.txt --new-passphrase-file new.txt', 'in a script'],
  );
}

async function passwd(account: string, { passphraseFile, newPassphraseFile, ...common }: PasswdOptions): Promise<void> {
  const config = loadSettings(common);
  const did = parseDidArgument(account);
  const keystore = await openKeystore(config);
  if (!(await keystore.has(did))) throw new CommandFailed(`the keystore has no key of ${did}`);
  const before = await readPassphrase({ prompt: 'Current passphrase', file: passphraseFile, config });
  const after = await readPassphrase({
    prompt: 'New passphrase (at least 12 characters)',
    file: newPassphraseFile,
    option: '--new-passphrase-file',
    isNew: true,
  });
  must(await keystore.changePassphrase(did, before, after));
  if (did === readNodeDid(config)) warnOfStart(config);
  if (common.json) return printJson({ did, changed: true });
  note(`The key of ${did} has a new passphrase. Copies exported before still open with the old one.`);
}

/** Checks for the node's own key, whose passphrase the node reads at every start. */
function warnOfStart({ dataDir }: Config): void {
  const generated = join(dataDir, 'passphrase');
  const old = existsSync(generated) ? `; ${generated} still holds the old one` : '';
  note(`This is the node's own key: its next start needs the new passphrase (SVC_PASSPHRASE_FILE)${old}.`);
}
