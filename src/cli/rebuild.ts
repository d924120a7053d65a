/** `svc-node rebuild`: rebuilds everything that is derived from the journal. */
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { RebuiltFile } from '../store/sqlite/rebuild.js';
import { StoreRefused } from '../store/store.js';
import type { AuditReport } from '../verify/audit.js';
import { sentenceOf } from './audit.js';
import { refuseMongo } from './backup.js';
import { withExamples } from './help.js';
import { journalFacts } from './journal-facts.js';
import { facts, note, print, printJson } from './output.js';
import { progressBar } from './progress.js';
import { type CommonOptions, settingsOf, withCommonOptions } from './settings.js';

interface RebuildCommandOptions extends CommonOptions {
  readonly dropDamaged?: boolean;
}

const explained = `
Balances, resources, lists, search and all else that follows from the journal is made again from its entries, each of which is
checked first. It mends every damage that svc-node audit names outside of the journal, its contents and its receipts; for those
restore a backup. API keys, webhooks and the admin log follow from nothing else, and are taken over as they are.

Stop the node first. To leave it running, rebuild a backup, and stop the node only to restore that.
`;

export function addRebuild(program: Command): void {
  const command = withCommonOptions(
    program
      .command('rebuild')
      .description(
        'Make all that follows from the journal anew, where the database was damaged. No node may run meanwhile.',
      ),
  )
    .argument('[file]', 'a backup to rebuild; without it the database of the data directory')
    .option('--drop-damaged', 'leave out API keys, webhooks and other records that are damaged themselves')
    .addHelpText('after', explained)
    .action(run);
  withExamples(
    command,
    ['rebuild', 'the database of the default data directory'],
    ['rebuild /mnt/backup/ledger.db --json', 'a backup, for a program'],
  );
}

async function run(file: string | undefined, { dropDamaged = false, ...common }: RebuildCommandOptions): Promise<void> {
  const config = settingsOf(common);
  refuseMongo(config);
  const [{ rebuildFile }, { databaseFile }, { lockDirectory }, { openFrozen }] = await Promise.all([
    import('../store/sqlite/rebuild.js'),
    import('../store/sqlite/durable.js'),
    import('../store/sqlite/lock.js'),
    import('../store/sqlite/frozen-reader.js'),
  ]);
  const [{ rebuild }, { auditBeside }, { catalogue }] = await Promise.all([
    import('../verify/move/rebuild.js'),
    import('../verify/audit-beside.js'),
    import('../machines/catalogue.js'),
  ]);
  const target = file === undefined ? databaseFile(config.dataDir) : resolve(file);
  const lock = file === undefined ? lockDirectory(dirname(target)) : undefined;
  const { network } = config;
  const bars = [progressBar('Rebuild', 'entries', { isQuiet: common.json ?? false })];
  let report: AuditReport | undefined;
  try {
    const rebuilt = await rebuildFile({
      file: target,
      dropDamaged,
      fill: (source, store) => rebuild({ source, target: store, catalogue, network, progress: bars[0]!.update }),
      check: async (dir) => {
        bars[0]!.end();
        bars.push(progressBar('Audit', 'entries', { isQuiet: common.json ?? false }));
        const journal = openFrozen(dir);
        report = await auditBeside(journal, { network, progress: bars[1]!.update }).finally(() => journal.close());
        if (report.flaw) throw new StoreRefused(sentenceOf(report.flaw));
      },
    });
    for (const bar of bars) bar.end();
    tell(target, report!, rebuilt, common);
  } finally {
    for (const bar of bars) bar.end();
    lock?.release();
  }
}

function tell(file: string, report: AuditReport, { dropped, before }: RebuiltFile, { json }: CommonOptions): void {
  const { entries, resources, accounts, supply, head } = report;
  if (json) {
    printJson({ file, entries, resources, accounts, supply, head, dropped, before });
    return;
  }
  print(`${file} was made anew from its journal`);
  print(facts(journalFacts(report), '  '));
  for (const each of dropped) note(`Left out: ${each}.`);
  print('OK: it passes the audit.');
  note(`The database of before is ${before}: remove it when nothing is missed.`);
}
