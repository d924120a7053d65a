/** `migrate`: copies everything in one store to another. Keys are not copied. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { realEnvironment } from '../core/environment.js';
import { shownUrl } from '../core/url-text.js';
import type { Config } from '../node/config/config.js';
import { StoreRefused } from '../store/store.js';
import type { Phase, Side } from '../verify/move/move.js';
import { UsageFault } from './failure.js';
import { withExamples } from './help.js';
import { journalFacts } from './journal-facts.js';
import { facts, note, print, printJson } from './output.js';
import { progressOfPhases } from './progress.js';
import { type CommonOptions, loadSettings, withCommonOptions } from './settings.js';

interface MigrateOptions extends CommonOptions {
  readonly from: string;
  readonly to?: string;
  readonly giveUp?: boolean;
}

type OpenSide = Side & { close(): Promise<void> };

const explained = `
A place is 'embedded' (the database in the data directory), another data directory, a mongodb:// or mongodb+srv:// URL,
or the word SVC_STORE for the URL in that variable, so that the password does not appear in the list of processes.

First stop all nodes on both stores. The target must be empty, or contain the beginning of the same journal from an interrupted
move. If the command is interrupted, run it again: it continues. It audits the source while it reads it, and the target when
it is complete. Until then no node starts on the target, and afterwards none on the source.
Keys stay where they are: keystore and node.json are in the data directory, even for a node on MongoDB.
`;

export function addMigrate(program: Command): void {
  const command = withCommonOptions(
    program
      .command('migrate')
      .summary('Move the journal to another store')
      .description(
        'Move the journal, and everything else in the store, to another store: from the embedded database to MongoDB or back.',
      ),
  )
    .requiredOption('--from <place>', 'the store to move from')
    .option('--to <place>', 'the store to move to')
    .option('--give-up', 'let nodes start on --from again, after a move that you will not finish')
    .addHelpText('after', explained)
    .action(run);
  withExamples(
    command,
    ['migrate --from embedded --to mongodb://db1,db2,db3/ledger?replicaSet=rs0', 'outgrow one machine'],
    ['migrate --from SVC_STORE --to /srv/svc', 'and back, into a data directory'],
    ['migrate --from embedded --give-up', 'give up a move; never start a node on its target'],
  );
}

async function run({ from, to, giveUp, ...common }: MigrateOptions): Promise<void> {
  if ((giveUp ?? false) === (to !== undefined))
    throw new UsageFault(['Name a target with --to, or give the move up with --give-up.']);
  const data = common.data ?? [from, to].find((place) => place !== undefined && isDirectory(place));
  const config = loadSettings({ ...common, ...(data === undefined ? {} : { data }) });
  const source = await openSide(storePlace(from, '--from', config), config, { mustExist: true });
  try {
    if (to === undefined) return await giveUpOn(source, common);
    const target = storePlace(to, '--to', config);
    if (target === storePlace(from, '--from', config)) throw new UsageFault(['--from and --to name the same place.']);
    await moveTo(await openSide(target, config, { mustExist: false }), source, config, common);
  } finally {
    await source.close();
  }
}

const isUrl = (place: string): boolean => place.includes('://');
const isDirectory = (place: string): boolean => !isUrl(place) && !['embedded', 'SVC_STORE'].includes(place);

/** A data directory's path, or a MongoDB URL. */
function storePlace(text: string, option: string, config: Config): string {
  const place = text === 'SVC_STORE' ? config.store : text;
  if (place === 'embedded') return config.dataDir;
  if (!isUrl(place)) return resolve(place);
  if (/^mongodb(\+srv)?:\/\/\S+$/.test(place)) return place;
  throw new UsageFault([
    `${option} must be embedded, a data directory, or a URL that begins with mongodb:// or mongodb+srv://.`,
  ]);
}

const openSide = (place: string, config: Config, options: { mustExist: boolean }): Promise<OpenSide> =>
  isUrl(place) ? openMongo(place, config.network) : openEmbedded(place, config, options);

async function openEmbedded(dir: string, config: Config, { mustExist }: { mustExist: boolean }): Promise<OpenSide> {
  const [{ SqliteStore }, { openFrozen }, { databaseFile }] = await Promise.all([
    import('../store/sqlite/sqlite-store.js'),
    import('../store/sqlite/frozen-reader.js'),
    import('../store/sqlite/durable.js'),
  ]);
  if (mustExist && !existsSync(databaseFile(dir))) throw new StoreRefused(`there is no journal in ${dir}`);
  const segmentsDir = dir === config.dataDir ? config.segmentsDir : undefined;
  const store = await SqliteStore.open({ dir, segmentsDir, world: realEnvironment });
  return {
    store,
    place: dir,
    // The lock of the directory ensures that no other process uses the store.
    async beAlone() {},
    async read(work) {
      const reader = openFrozen(dir);
      return work(reader).finally(() => reader.close());
    },
    close: () => store.close(),
  };
}

async function openMongo(url: string, network: string): Promise<OpenSide> {
  const [{ MongoStore }, { ReadOnlyClient }] = await Promise.all([
    import('../store/mongo/mongo-store.js'),
    import('../store/mongo/read-only-client.js'),
  ]);
  // Reports only an unreachable server; messages about leases do not matter here.
  const log = (message: string) => message.startsWith('the database') && note(`svc-node: ${message}`);
  const store = await MongoStore.open({ url, network, world: realEnvironment, log });
  return {
    store,
    place: shownUrl(url),
    beAlone: () => store.beAlone(),
    async read(work) {
      const reader = await ReadOnlyClient.open({ url, network });
      return work(reader).finally(() => reader.close());
    },
    close: () => store.close(),
  };
}

async function giveUpOn(source: Side, { json }: CommonOptions): Promise<void> {
  const { giveUp } = await import('../verify/move/move.js');
  await giveUp(source);
  if (json) return printJson({ from: source.place, givenUp: true });
  print(`Nodes may start on ${source.place} again. Remove what was copied, and never start a node on it.`);
}

const labels: { readonly [phase in Phase]: string } = { copy: 'Move', check: 'Audit of the target' };

async function moveTo(target: OpenSide, source: Side, config: Config, { json = false }: CommonOptions): Promise<void> {
  const bar = progressOfPhases({ isQuiet: json });
  const progress = (phase: Phase, done: number, total: number) => bar.update(labels[phase], done, total);
  try {
    const [{ move }, { catalogue }] = await Promise.all([
      import('../verify/move/move.js'),
      import('../machines/catalogue.js'),
    ]);
    const id = Buffer.from(realEnvironment.random(12)).toString('hex');
    const { now, report } = await move({ source, target, catalogue, network: config.network, id, progress });
    bar.end();
    const { entries, resources, accounts, supply, head } = report;
    if (json) {
      return printJson({ from: source.place, to: target.place, now, entries, resources, accounts, supply, head });
    }
    print(`${source.place} ${now ? 'was moved' : 'had been moved already'} to ${target.place}`);
    print(facts(journalFacts(report), '  '));
    print('OK: both pass the audit, with the same journal, resources, accounts and supply.');
    note(`Keys are not in it: start the node with keystore and node.json of its data directory, as before.`);
  } finally {
    bar.end();
    await target.close();
  }
}
