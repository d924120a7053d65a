import type { Command } from 'commander';
import type { AuditReport } from '../actors/audit.js';
import type { Config } from '../config.js';
import { CommandFailed } from './failure.js';
import { withExamples } from './help.js';
import { count, facts, note, print, printJson } from './output.js';
import { progressBar } from './progress.js';
import { type CommonOptions, settingsOf, withCommonOptions } from './settings.js';

export function addAudit(program: Command): void {
  const command = withCommonOptions(
    program
      .command('audit')
      .description(
        'Check the whole journal: every hash, chain and signature, every step run again, and that balances and ' +
          'resources are what comes of it. Names the first bad entry. Nodes may run meanwhile.',
      ),
  ).action(run);
  withExamples(
    command,
    ['audit', 'the journal of the default data directory'],
    ['audit --data /mnt/copy --json', 'that of another one, for a program'],
    ['audit --network mainnet', 'that on MongoDB, with SVC_STORE=mongodb://…'],
  );
}

async function run(common: CommonOptions): Promise<void> {
  const config = settingsOf(common);
  const [{ audit }, { catalogue }] = await Promise.all([
    import('../actors/audit.js'),
    import('../machines/catalogue.js'),
  ]);
  const { journal, place } = await openJournal(config);
  const progress = progressBar('Audit', 'entries', { isQuiet: common.json ?? false });
  try {
    const report = await audit(journal, catalogue, config.network, { progress: progress.update });
    progress.end();
    conclude(report, `${config.network} in ${place}`, common);
  } finally {
    progress.end();
    await journal.close();
  }
}

/** What SVC_STORE names. */
async function openJournal({ store, dataDir, network }: Config) {
  if (store === 'embedded') {
    const { openFrozen } = await import('../store/sqlite/frozen-reader.js');
    return { journal: openFrozen(dataDir), place: dataDir };
  }
  const [{ Onlooker }, { placeOf }] = await Promise.all([
    import('../store/mongo/onlooker.js'),
    import('../store/mongo/url.js'),
  ]);
  return { journal: await Onlooker.open({ url: store, network }), place: placeOf(store) };
}

function conclude(report: AuditReport, where: string, { json }: CommonOptions): void {
  const { entries, resources, accounts, supply, head, flaw, note: remark } = report;
  if (json) printJson(report);
  else {
    print(`Journal of ${where}${flaw ? ', up to the first flaw' : ''}`);
    print(
      facts(
        [
          ['entries', count(entries)],
          ['resources', count(resources)],
          ['accounts', count(accounts)],
          ['supply', `${count(supply)} Tokens`],
          ['head', head],
        ],
        '  ',
      ),
    );
  }
  if (remark) note(`Note: ${remark}.`);
  if (flaw) throw new CommandFailed(sentenceOf(flaw));
  if (!json) print('OK: every signature verifies, and everything follows from the journal.');
}

/** A flaw without number is not of one entry, but of what the store made of them all. */
const sentenceOf = ({ seq, eventHash, what }: NonNullable<AuditReport['flaw']>): string =>
  seq === 0 ? `the audit failed: ${what}` : `entry ${seq} is bad (event ${eventHash ?? 'unreadable'}): ${what}`;
