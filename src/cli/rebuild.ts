/** `svc-node rebuild`: rebuilds everything that is derived from the journal. */
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../node/config/config.js';
import type { RebuiltFile } from '../store/sqlite/rebuild.js';
import { StoreRefused } from '../store/store.js';
import type { AuditReport } from '../verify/audit.js';
import { flawSentence } from './audit.js';
import { CommandFailed } from './failure.js';
import { withExamples } from './help.js';
import { journalFacts } from './journal-facts.js';
import { facts, note, print, printJson } from './output.js';
import { progressOfPhases } from './progress.js';
import { type CommonOptions, loadSettings, withCommonOptions } from './settings.js';

interface RebuildCommandOptions extends CommonOptions {
  readonly dropDamaged?: boolean;
}

const explained = `
The command checks each entry of the journal and derives balances, resources, lists, search and everything else from the entries
again. It repairs all damage that svc-node audit finds, except damage to the journal itself, its contents and its receipts: for
those, restore a backup. API keys, webhooks and the admin log are not derived from anything; the command copies them unchanged.

Stop the node first. To keep it running, rebuild a backup, and stop the node only to restore that backup.

If SVC_STORE names a MongoDB, stop all nodes on it. The command drops everything in that database that is derived from the journal,
and writes it again. No node starts on the database meanwhile. If the command is interrupted, run it again until it prints OK.
`;

export function addRebuild(program: Command): void {
  const command = withCommonOptions(
    program
      .command('rebuild')
      .summary('Rebuild what is derived from the journal')
      .description(
        'Rebuild everything that is derived from the journal, after the database was damaged. No node may run meanwhile.',
      ),
  )
    .argument('[file]', 'a backup to rebuild; without it the database of the data directory, or of SVC_STORE')
    .option('--drop-damaged', 'omit API keys, webhooks and other records that are damaged themselves')
    .addHelpText('after', explained)
    .action(run);
  withExamples(
    command,
    ['rebuild', 'the database of the default data directory'],
    ['rebuild /mnt/backup/ledger.db --json', 'a backup, for a program'],
    ['rebuild --network mainnet', 'the database on MongoDB, with SVC_STORE=mongodb://…'],
  );
}

async function run(file: string | undefined, { dropDamaged = false, ...common }: RebuildCommandOptions): Promise<void> {
  const config = loadSettings(common);
  if (config.store !== 'embedded' && file === undefined) return runOnMongo(config, dropDamaged, common);
  const [{ rebuildFile }, { databaseFile }, { lockDirectory }, { openFrozen }] = await Promise.all([
    import('../store/sqlite/rebuild.js'),
    import('../store/sqlite/durable.js'),
    import('../store/sqlite/lock.js'),
    import('../store/sqlite/frozen-reader.js'),
  ]);
  const [{ rebuild }, { auditWithChain }, { catalogue }] = await Promise.all([
    import('../verify/move/rebuild.js'),
    import('../verify/audit-with-chain.js'),
    import('../machines/catalogue.js'),
  ]);
  const target = file === undefined ? databaseFile(config.dataDir) : resolve(file);
  const lock = file === undefined ? lockDirectory(dirname(target)) : undefined;
  const { network } = config;
  const bar = progressOfPhases({ isQuiet: common.json ?? false });
  let report: AuditReport | undefined;
  try {
    const rebuilt = await rebuildFile({
      file: target,
      dropDamaged,
      fill: (source, store) =>
        rebuild({ source, target: store, catalogue, network, progress: (...at) => bar.update('Rebuild', ...at) }),
      check: async (dir) => {
        const journal = openFrozen(dir);
        const progress = (done: number, of: number) => bar.update('Audit', done, of);
        report = await auditWithChain(journal, { network, progress }).finally(() => journal.close());
        if (report.flaw) throw new StoreRefused(flawSentence(report.flaw));
      },
    });
    bar.end();
    tell(target, report!, rebuilt, common);
  } finally {
    bar.end();
    lock?.release();
  }
}

async function runOnMongo(
  { store: url, network }: Config,
  dropDamaged: boolean,
  { json = false }: CommonOptions,
): Promise<void> {
  if (dropDamaged)
    throw new CommandFailed(
      '--drop-damaged is for the embedded database: on MongoDB records have no hash of their own',
    );
  const [{ Rebuilding }, { rebuildInPlace }, { auditWithChain }, { openJournal }, { catalogue }] = await Promise.all([
    import('../store/mongo/rebuilding.js'),
    import('../verify/move/rebuild.js'),
    import('../verify/audit-with-chain.js'),
    import('../node/store-choice.js'),
    import('../machines/catalogue.js'),
  ]);
  const bar = progressOfPhases({ isQuiet: json });
  const database = await Rebuilding.open({ url, network });
  try {
    const { conclude } = await rebuildInPlace({
      ...{ database, catalogue, network },
      progress: (part, ...at) => bar.update(part === 'check' ? 'Check' : 'Rebuild', ...at),
    });
    const { journal } = await openJournal({ store: url, network, dataDir: '' });
    const report = await auditWithChain(journal, { network, progress: (...at) => bar.update('Audit', ...at) }).finally(
      () => journal.close(),
    );
    bar.end();
    if (report.flaw) throw new CommandFailed(flawSentence(report.flaw));
    await conclude();
    const { entries, resources, accounts, supply, head } = report;
    if (json) return printJson({ place: database.place, entries, resources, accounts, supply, head });
    print(`everything derived from the journal of ${database.place} was rebuilt`);
    print(facts(journalFacts(report), '  '));
    print('OK: it passes the audit.');
    note('The next start derives the reputations by which searches rank owners.');
  } finally {
    bar.end();
    await database.close();
  }
}

function tell(file: string, report: AuditReport, { dropped, before }: RebuiltFile, { json }: CommonOptions): void {
  const { entries, resources, accounts, supply, head } = report;
  if (json) {
    printJson({ file, entries, resources, accounts, supply, head, dropped, before });
    return;
  }
  print(`${file} was rebuilt from its journal`);
  print(facts(journalFacts(report), '  '));
  for (const each of dropped) note(`Left out: ${each}.`);
  print('OK: it passes the audit.');
  note(`The previous database is ${before}: remove it when you are sure that nothing is missing.`);
}
