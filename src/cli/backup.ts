/** `backup` and `restore`: the database in one file, and beside it the key files, if they are asked for. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import type { Config } from '../node/config/config.js';
import { askNode, noNodeRunning } from '../node/control/client.js';
import type { Redactions } from '../store/sqlite/backup.js';
import type { JournalHead } from '../store/store.js';
import { CommandFailed, must } from './failure.js';
import { withExamples } from './help.js';
import { readJson } from './input.js';
import { count, note, print, printJson } from './output.js';
import { progressBar } from './progress.js';
import { type CommonOptions, loadSettings, withCommonOptions } from './settings.js';

/** Refuses MongoDB. A database file in the data directory would then be an old one, from before it was moved. */
function refuseMongo({ store }: Config): void {
  if (store === 'embedded') return;
  throw new CommandFailed(
    'SVC_STORE names a MongoDB: its own tools back it up (mongodump, mongorestore), and svc-node audit checks what they restored',
  );
}

interface BackupCommandOptions extends CommonOptions {
  readonly keystore?: boolean;
}

interface RestoreCommandOptions extends BackupCommandOptions {
  readonly force?: boolean;
  readonly redactions?: string;
}

export function addBackup(program: Command): void {
  const command = withCommonOptions(
    program
      .command('backup')
      .summary('Copy the database to a file')
      .description('Copy the database to a file, as of now. A node may run meanwhile.'),
  )
    .argument('<file>', 'a file that does not exist yet')
    .option('--keystore', 'also copy the key files, encrypted as they are, into keystore/ beside it')
    .action(runBackup);
  withExamples(
    command,
    ['backup /mnt/backup/ledger.db --keystore', 'with the keys; their passphrases are not in it'],
    ['audit --data DIR', 'after restoring to DIR, proves that a backup is complete'],
  );
}

async function runBackup(file: string, { keystore = false, ...common }: BackupCommandOptions): Promise<void> {
  const config = loadSettings(common);
  refuseMongo(config);
  const target = resolve(file);
  const progress = progressBar('Backup', 'bytes', { isQuiet: common.json ?? false });
  try {
    const [{ backup }, { segmentsFolder }] = await Promise.all([
      import('../store/sqlite/backup.js'),
      import('../store/sqlite/segment.js'),
    ]);
    // A running node makes the copy and logs it in its admin log; otherwise this process does.
    const answer = await askNode(config.dataDir, 'backup', { file: target }, progress.update);
    const head =
      answer === noNodeRunning
        ? await backup(config.dataDir, target, { onProgress: progress.update })
        : (must(answer) as unknown as JournalHead);
    progress.end();
    // Copied after the database, so that each DID that has signed in it has its key here.
    const keys = keystore ? await copyKeys(config.dataDir, dirname(target), { replaces: true }) : undefined;
    if (common.json) return printJson({ file: target, entries: head.seq, head: head.chainHash, keys });
    print(`${target} holds ${count(head.seq)} entries, up to ${head.chainHash}.`);
    const segments = segmentsFolder(target);
    if (existsSync(segments)) note(`Old entries are not in it, but in the files of ${segments}: keep both.`);
    if (keys === undefined)
      note(`Keys are not in it: keep a copy of ${keystoreIn(config.dataDir)} as well, or add --keystore.`);
    else note(`${count(keys)} key files are in ${keystoreIn(dirname(target))}. Keep their passphrases elsewhere.`);
  } finally {
    progress.end();
  }
}

export function addRestore(program: Command): void {
  const command = withCommonOptions(
    program
      .command('restore')
      .summary('Restore a backup of the database')
      .description('Restore a backup of the database. No node may run meanwhile.'),
  )
    .argument('<file>', 'a file that backup wrote')
    .option('--keystore', 'also take the key files from keystore/ beside it; keys of the same DIDs are not replaced')
    .option('--force', 'replace the existing database: everything in it that the backup does not have is lost')
    .option('--redactions <file>', 'also erase what this output of event list --type leaf.redacted --all --json names')
    .action(runRestore);
  withExamples(
    command,
    ['restore /mnt/backup/ledger.db', 'into an empty data directory'],
    ['restore /mnt/backup/ledger.db --redactions erased.json', 'and texts that were erased since then stay erased'],
    ['restore /mnt/backup/ledger.db --force', 'over an existing database'],
  );
}

async function runRestore(
  file: string,
  { force = false, keystore = false, redactions, ...common }: RestoreCommandOptions,
): Promise<void> {
  const config = loadSettings(common);
  refuseMongo(config);
  const { dataDir, segmentsDir } = config;
  const { restore } = await import('../store/sqlite/backup.js');
  const known = redactions === undefined ? undefined : await redactionsOf(redactions);
  const options = { force, redactions: known, segmentsDir };
  // Copied before the database, because a directory that has one is not restored to again.
  const keys = keystore ? await copyKeys(dirname(resolve(file)), dataDir, { replaces: false }) : undefined;
  const { head, redactions: kept, knowsAll } = await restore(resolve(file), dataDir, options);
  if (common.json)
    return printJson({ dataDir, entries: head.seq, head: head.chainHash, redactions: kept, knowsAll, keys });
  print(`${dataDir} holds ${count(head.seq)} entries, up to ${head.chainHash}.`);
  note(
    keys === undefined
      ? `Keys are not in it: the node needs those that go with it in ${keystoreIn(dataDir)}.`
      : `${keystoreIn(dataDir)} has its ${count(keys)} key files.`,
  );
  if (kept > 0) note(`It lacks ${count(kept)} erasures: the next start applies them before it answers.`);
  if (!knowsAll)
    note('The replaced database is damaged: texts that it had erased may come back. Check your list of them.');
}

const keystoreIn = (folder: string): string => join(folder, 'keystore');

/**
 * Copies the usable key files of one folder's keystore to another's. Without `replaces` it copies none if one of the
 * DIDs has another file there.
 */
async function copyKeys(from: string, to: string, { replaces }: { readonly replaces: boolean }): Promise<number> {
  const { KeyFolder } = await import('../keys/keyfile.js');
  if (!existsSync(keystoreIn(from))) throw new CommandFailed(`there is no keystore in ${from}`);
  const open = (folder: string) =>
    KeyFolder.open(keystoreIn(folder), (path, reason) => note(`${path} is left out: ${reason}`));
  const [source, target] = [await open(from), await open(to)];
  const files = await source.list();
  if (!replaces)
    for (const file of files) {
      const known = await target.read(file.did);
      if (known && !isDeepStrictEqual(known, file))
        throw new CommandFailed(`${target.pathOf(file.did)} is another key file of this DID: move one of them away`);
    }
  for (const file of files) await target.write(file);
  return files.length;
}

/** @param file output of `svc-node event list --type leaf.redacted --all --json` */
async function redactionsOf(file: string): Promise<Redactions> {
  const [is, { erasureInput }] = await Promise.all([
    import('../core/schema/scalar.js'),
    import('../machines/leaf/leaf.js'),
  ]);
  const event = is.object({ payload: is.object({ id: is.hash, input: erasureInput }) });
  const form = is.object({ events: is.list(event, 0, Number.MAX_SAFE_INTEGER) });
  const { events } = must(is.parse(form, await readJson(file)));
  return new Map(events.map(({ payload: { id, input } }) => [id, input]));
}
