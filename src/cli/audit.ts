import type { Command } from 'commander';
import type { ChainFacts } from '../chain/verifier/chain-facts.js';
import type { Did } from '../core/codecs/did.js';
import type { Config } from '../node/config/config.js';
import type { AuditFlaw, AuditReport } from '../verify/audit.js';
import type { PrefixFile } from '../verify/verified-prefix.js';
import { openKeystore } from './accounts.js';
import { chainFacts } from './audit-chain.js';
import { CommandFailed, must } from './failure.js';
import { withExamples } from './help.js';
import { journalFacts } from './journal-facts.js';
import { count, type Facts, facts, note, print, printJson } from './output.js';
import { progressBar } from './progress.js';
import { type CommonOptions, loadSettings, withCommonOptions } from './settings.js';
import { asOk } from './terminal.js';

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
    .option('--full', 'verify also the entries that an earlier audit on this data directory has verified')
    .option('--chain', 'also compare it with the chain: what is settled, what is anchored, what the vault holds')
    .option('--rpc <url>', 'RPC URL of the chain; default: ask the running node, or use SVC_RPC_URL')
    .option('--url <url>', 'call the node at this URL instead, over its API (more options: --url URL --help)')
    .action(run);
  withExamples(
    command,
    ['audit', 'the journal of the default data directory'],
    ['audit --full', 'the same, also of what an earlier audit has verified'],
    ['audit --data /mnt/copy --json', 'the journal of another one, for a program'],
    [
      'audit --chain --rpc http://127.0.0.1:8545',
      'compared with its chain, which finds a truncated or rolled-back journal',
    ],
    ['audit --network mainnet', 'the journal on MongoDB, with SVC_STORE=mongodb://…'],
  );
}

interface AuditCommandOptions extends CommonOptions {
  readonly full?: boolean;
  readonly chain?: boolean;
  readonly rpc?: string;
}

async function run(options: AuditCommandOptions): Promise<void> {
  const config = loadSettings(options);
  const [{ auditWithChain }, { openJournal }] = await Promise.all([
    import('../verify/audit-with-chain.js'),
    import('../node/store-choice.js'),
  ]);
  // The chain is read first, so that everything settled by then is in the journal.
  const chain = options.chain || options.rpc !== undefined ? await chainFacts(config, options.rpc) : undefined;
  const { journal, place } = await openJournal(config);
  const progress = progressBar('Audit', 'entries', { isQuiet: options.json ?? false });
  try {
    const how = { network: config.network, chain, progress: progress.update, isFull: options.full ?? false };
    const prefix = await prefixFile(config);
    const report = await auditWithChain(journal, { ...how, prefix });
    progress.end();
    conclude(chain ? { ...report, chain } : report, `${config.network} in ${place}`, options);
  } finally {
    progress.end();
    await journal.close();
  }
}

/** What is verified is remembered if the passphrase of the node's key is at hand. */
async function prefixFile(config: Config): Promise<PrefixFile> {
  const [{ PrefixFile }, { catalogue }, { readNodeDid }] = await Promise.all([
    import('../verify/verified-prefix.js'),
    import('../machines/catalogue.js'),
    import('../node/identity.js'),
  ]);
  const { dataDir: dir, network, passphrase } = config;
  const did = readNodeDid(config) as Did | undefined;
  const sign = async (text: string) => {
    const keystore = await openKeystore(config);
    try {
      return must(await keystore.unlock(did!, passphrase!, 'audit')).sign(text);
    } finally {
      keystore.close();
    }
  };
  const signer = did === undefined || passphrase === undefined ? undefined : { did, sign };
  return new PrefixFile({ dir, network, catalogue, signer });
}

type Concluded = AuditReport & { readonly chain?: ChainFacts };

function conclude(report: Concluded, where: string, { json }: CommonOptions): void {
  const { flaw, note: remark, chain } = report;
  if (json) printJson(chain ? { ...report, chain: { ...chain, anchors: chain.anchors.length } } : report);
  else {
    print(`Journal of ${where}${flaw ? ', up to the first flaw' : ''}`);
    print(facts({ ...journalFacts(report), ...(chain && factsOfChain(chain)) }, '  '));
  }
  if (remark) note(`Note: ${remark}.`);
  if (flaw) throw new CommandFailed(flawSentence(flaw));
  if (json) return;
  const since =
    report.known > 0 ? `, since entry ${count(report.known)}, up to which an earlier audit has verified it` : '';
  print(asOk(`OK: every signature verifies, and everything follows from the journal${since}.`));
  if (chain)
    print(asOk('OK: it is the journal that the chain has settled and anchored, and the vault holds what it owes.'));
}

const factsOfChain = ({ chainId, blockNumber, cursor, anchors, holdings }: ChainFacts): Facts => ({
  chain: `${chainId}, block ${count(blockNumber)}`,
  settled: `${count(cursor.lastSeq)} operations`,
  anchored: `${count(cursor.anchored)} entries, by ${count(anchors.length)} anchors`,
  vault: `${count(holdings.holdings)} Tokens, of which ${count(holdings.owed)} are the ledger’s`,
});

/** The violation as a sentence; with number 0 it concerns the store's projections and no single entry. */
export const flawSentence = ({ seq, eventHash, what }: Omit<AuditFlaw, 'check'>): string =>
  seq === 0 ? `the audit failed: ${what}` : `entry ${seq} is bad (event ${eventHash ?? 'unreadable'}): ${what}`;
