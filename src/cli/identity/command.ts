/** `svc-node identity`: the keys of a keystore. */
import type { Command } from 'commander';
import { askNode, noNodeRunning } from '../../node/control/client.js';
import { readNodeDid } from '../../node/identity.js';
import { openKeystore } from '../accounts.js';
import { must } from '../failure.js';
import { withExamples } from '../help.js';
import { facts, note, print, printJson, printTable, timeText } from '../output.js';
import { type PassphraseOptions, readNewPassphrase } from '../passphrase.js';
import { type CommonOptions, loadSettings, withCommonOptions } from '../settings.js';
import { addPasswd } from './passwd.js';
import { addExport, addImport } from './transfer.js';
import { addLock, addUnlock } from './unlock.js';

export function addIdentity(program: Command): void {
  const identity = program
    .command('identity')
    .description('Keys in the keystore: create, list, export, import, lock and unlock them.');
  addCreate(identity);
  addList(identity);
  addExport(identity);
  addImport(identity);
  addPasswd(identity);
  addUnlock(identity);
  addLock(identity);
  withExamples(
    identity,
    ['identity create', 'creates a key, even while a node runs'],
    ['identity list', 'the keys in the keystore'],
    ['identity unlock did:svc:z6Mk…', 'lets API keys that are bound to this DID sign'],
  );
}

function addCreate(parent: Command): void {
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

async function create({ passphraseFile, ...common }: PassphraseOptions): Promise<void> {
  const config = loadSettings(common);
  const passphrase = await readNewPassphrase(passphraseFile, config);
  const keystore = await openKeystore(config, { make: true });
  const { did, address } = must(await keystore.create(passphrase));
  if (common.json) return printJson({ did, address });
  print(facts({ DID: did, Address: address }));
  note(`The encrypted key is in ${config.dataDir}/keystore. It cannot be opened without the passphrase.`);
}

function addList(parent: Command): void {
  const command = withCommonOptions(
    parent
      .command('list')
      .description('List the keys in the keystore, oldest first, and show which ones a running node keeps unlocked.'),
  ).action(list);
  withExamples(
    command,
    ['identity list', 'the keys of the default data directory'],
    ['identity list --data /srv/svc --json', 'the keys of another one, for a program'],
  );
}

async function list(common: CommonOptions): Promise<void> {
  const config = loadSettings(common);
  const own = readNodeDid(config);
  const held = await askNode(config.dataDir, 'identity.held', {});
  const unlocked = held === noNodeRunning ? [] : (must(held).dids as string[]);
  const keys = await (await openKeystore(config)).list();
  const identities = keys.map((key) => ({ ...key, isNode: key.did === own, unlocked: unlocked.includes(key.did) }));
  if (common.json) return printJson({ identities });
  if (identities.length === 0) return note('No keys yet: svc-node identity create makes one.');
  const rows = identities.map(({ did, address, createdAt, isNode, unlocked }) => [
    did,
    address,
    timeText(createdAt),
    [isNode ? 'the node’s own' : '', unlocked ? 'unlocked' : ''].filter(Boolean).join(', '),
  ]);
  printTable(['DID', 'ADDRESS', 'CREATED', ''], rows);
}
