import type { Command } from 'commander';
import type { ChainFacts } from '../chain/verifier/chain-facts.js';
import type { Config } from '../node/config/config.js';
import type { OpenedJournal } from '../node/store-choice.js';
import type { AuditHow } from '../peers/audit/own-audit.js';
import type { PeersFlaw, PeersReport } from '../peers/audit/peers-audit.js';
import type { AuditReport } from '../verify/audit.js';
import { chainFacts } from './audit-chain.js';
import { CommandFailed } from './failure.js';
import { withExamples } from './help.js';
import { journalFacts } from './journal-facts.js';
import { count, facts, note, print, printJson, printTable } from './output.js';
import { progressBar } from './progress.js';
import { type CommonOptions, settingsOf, withCommonOptions } from './settings.js';

export function addAudit(program: Command): void {
  const command = withCommonOptions(
    program
      .command('audit')
      .summary('Check the whole journal')
      .description(
        'Check the whole journal: verify every hash, chain and signature, run every step again, and compare balances ' +
          'and resources with the result. Names the first bad entry. Nodes may run meanwhile.',
      ),
  )
    .option(
      '--peers',
      'also execute the copies of other homes’ journals again, and compare both ends of each remote request',
    )
    .option('--chain', 'also compare it with the chain: what is settled, what is anchored, what the vault holds')
    .option('--rpc <url>', 'RPC URL of the chain; default: ask the running node, or use SVC_RPC_URL')
    .option('--url <url>', 'call the node at this URL instead, over its API (more options: --url URL --help)')
    .action(run);
  withExamples(
    command,
    ['audit', 'the journal of the default data directory'],
    ['audit --data /mnt/copy --json', 'the journal of another one, for a program'],
    [
      'audit --chain --rpc http://127.0.0.1:8545',
      'compared with its chain, which finds a truncated or rolled-back journal',
    ],
    ['audit --peers', 'with the copies of other homes: both ends of all trade between them'],
    ['audit --network mainnet', 'the journal on MongoDB, with SVC_STORE=mongodb://…'],
  );
}

interface AuditCommandOptions extends CommonOptions {
  readonly peers?: boolean;
  readonly chain?: boolean;
  readonly rpc?: string;
}

async function run(options: AuditCommandOptions): Promise<void> {
  const config = settingsOf(options);
  const [{ auditWithChain }, { openJournal }] = await Promise.all([
    import('../verify/audit-with-chain.js'),
    import('../node/store-choice.js'),
  ]);
  // The chain is read first, so that everything settled by then is in the journal.
  const chain = options.chain || options.rpc !== undefined ? await chainFacts(config, options.rpc) : undefined;
  const { journal, place } = await openJournal(config);
  const progress = progressBar('Audit', 'entries', { isQuiet: options.json ?? false });
  try {
    const how = { network: config.network, chain, progress: progress.update };
    const report = options.peers ? await withPeers(config, journal, how) : await auditWithChain(journal, how);
    progress.end();
    conclude(chain ? { ...report, chain } : report, `${config.network} in ${place}`, options);
  } finally {
    progress.end();
    await journal.close();
  }
}

/** The own journal is open already, so the copies have everything that its entries depend on. */
async function withPeers(config: Config, journal: OpenedJournal, how: AuditHow): Promise<PeersReport> {
  const [{ auditOwn }, { auditPeers }, { copiesFor }, { catalogue }] = await Promise.all([
    import('../peers/audit/own-audit.js'),
    import('../peers/audit/peers-audit.js'),
    import('../node/store-choice.js'),
    import('../machines/catalogue.js'),
  ]);
  const own = await auditOwn(journal, how);
  return auditPeers(own, await copiesFor(config), { ...how, catalogue });
}

type Concluded = (AuditReport | PeersReport) & { readonly chain?: ChainFacts };

function conclude(report: Concluded, where: string, { json }: CommonOptions): void {
  const { flaw, note: remark, chain } = report;
  if (json) printJson(chain ? { ...report, chain: { ...chain, anchors: chain.anchors.length } } : report);
  else {
    print(`Journal of ${where}${flaw ? ', up to the first flaw' : ''}`);
    print(facts([...journalFacts(report), ...(chain ? chainLines(chain) : [])], '  '));
    if ('peers' in report) printPeers(report);
  }
  if (remark) note(`Note: ${remark}.`);
  if (flaw) throw new CommandFailed(sentenceOf(flaw));
  if (json) return;
  print('OK: every signature verifies, and everything follows from the journal.');
  if ('peers' in report)
    print('OK: so are the copies of other homes, and both ends of each request between them agree.');
  if (chain) print('OK: it is the journal that the chain has settled and anchored, and the vault holds what it owes.');
}

function printPeers({ peers, trade, uncompared }: PeersReport): void {
  print('Copies of the journals of other homes');
  printTable(
    ['HOME', 'ENTRIES', 'WITHHELD', 'RESOURCES', 'ACCOUNTS', 'SUPPLY'],
    peers.map(({ home, entries, withheld, resources, accounts, supply }) => [
      home,
      ...[entries, withheld, resources, accounts, supply].map(String),
    ]),
  );
  print('Remote requests between homes');
  printTable(
    ['FROM', 'TO', 'ACCEPTED', 'REFUSED', 'OPEN', 'GIVEN UP', 'PAID', 'IN FLIGHT', 'UNSEEN'],
    trade.map(({ from, to, accepted, refused, open, givenUp, paid, inFlight, unseen }) => [
      ...[from, to],
      ...[accepted, refused, open, givenUp, paid, inFlight, unseen].map(String),
    ]),
  );
  if (uncompared.length === 0) return;
  print('Remote requests that were not compared: there is no copy of the journal at the other end');
  printTable(
    ['FROM', 'TO', 'REQUESTS', 'ANSWERS'],
    uncompared.map(({ from, to, requests, answers }) => [from, to, String(requests), String(answers)]),
  );
}

const chainLines = ({ chainId, blockNumber, cursor, anchors, holdings }: ChainFacts): [string, string][] => [
  ['chain', `${chainId}, block ${count(blockNumber)}`],
  ['settled', `${count(cursor.lastSeq)} operations`],
  ['anchored', `${count(cursor.anchored)} entries, by ${count(anchors.length)} anchors`],
  ['vault', `${count(holdings.holdings)} Tokens, of which ${count(holdings.owed)} are the ledger’s`],
];

/** The violation as a sentence; with number 0 it concerns the store's projections and no single entry. */
export const sentenceOf = ({ seq, eventHash, what, home }: Omit<PeersFlaw, 'check'>): string => {
  const of = home === undefined ? '' : ` of ${home}`;
  return seq === 0
    ? `the audit${of} failed: ${what}`
    : `entry ${seq}${of} is bad (event ${eventHash ?? 'unreadable'}): ${what}`;
};
