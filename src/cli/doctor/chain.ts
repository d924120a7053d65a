/** Checks the chain: that it answers, that it belongs to this journal, and that the operator can pay. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractReader } from '../../chain/contracts/contract-reader.js';
import type { Hex } from '../../chain/evm/evm.js';
import { bounds } from '../../core/bounds.js';
import { realEnvironment } from '../../core/environment.js';
import { isRefusal } from '../../core/refusal.js';
import type { Config } from '../../node/config/config.js';
import { askNode, noNodeRunning } from '../../node/control/client.js';
import { openJournal } from '../../node/store-choice.js';
import { askChain, openChain, readerOf } from '../chain-reader.js';
import { count, durationText } from '../output.js';
import type { Check, DoctorContext } from './check.js';
import type { Findings } from './finding.js';
import { compareStream, mostCounted, type SettledCursor, type StreamComparison, settlementRecords } from './stream.js';

type AnchoredCursor = SettledCursor & { readonly anchored: number };

/** Balance below which the operator should add Ether; it pays for about a hundred batches. */
const littleWei = 10n ** 16n;

const chain: Check<DoctorContext> = {
  about: 'chain',
  async look({ config, running }, findings) {
    if (config.chain === 'none') return noChain(config, findings);
    if (config.rpcUrl === undefined) ownChain(config, findings);
    const cursor = running ? await cursorOfNode(config, findings) : await configured(config, findings);
    await journalBeside(config, cursor, findings);
  },
};

function noChain({ network }: Config, findings: Findings): void {
  if (network === 'mainnet') findings.problem('SVC_CHAIN is none on mainnet', 'leave it out, and set SVC_RPC_URL');
  else findings.ok('SVC_CHAIN is none: the journal alone is the ledger');
}

function ownChain({ chain: asked, network, dataDir }: Config, findings: Findings): void {
  if (network === 'mainnet') findings.problem('mainnet needs a chain that others run', 'set SVC_RPC_URL');
  else if (network === 'testnet' && asked !== 'embedded') {
    findings.problem(
      'testnet needs a chain',
      'set SVC_RPC_URL, or SVC_CHAIN=embedded for a local chain, which has no authority',
    );
  }
  const left = join(dataDir, 'chain', 'chain.db.bad');
  if (existsSync(left)) {
    findings.warning('a saved state of the local chain could not be used; it was settled again', `rm ${left}`);
  }
}

/** Checks the chain as the running node reports it. */
async function cursorOfNode({ dataDir }: Config, findings: Findings): Promise<AnchoredCursor | undefined> {
  const answer = await askNode(dataDir, 'chain', {});
  if (answer === noNodeRunning) return undefined;
  if (isRefusal(answer)) {
    findings.problem(`the node has no answer from its chain: ${answer.detail}`, 'look at the log of the node');
    return undefined;
  }
  const { chainId, blockNumber, cursor } = answer as unknown as {
    chainId: number;
    blockNumber: number;
    cursor: AnchoredCursor;
  };
  findings.ok(`chain ${chainId} answers, at block ${count(blockNumber)}`);
  return cursor;
}

/** Checks a configured chain from this process; a local chain runs only with its node. */
async function configured(config: Config, findings: Findings): Promise<AnchoredCursor | undefined> {
  if (config.rpcUrl === undefined) {
    findings.ok('the node runs its own chain, which starts with it');
    return undefined;
  }
  const { contractAddresses, readOperatorKey } = await import('../../node/chain.js');
  const contracts = contractAddresses(config);
  const key = readOperatorKey(config);
  keyFile(config, findings);
  const { evm, close } = await openChain(config.rpcUrl, 'SVC_RPC_URL');
  try {
    if (config.chainId !== undefined && config.chainId !== evm.chainId) {
      findings.problem(
        `SVC_RPC_URL leads to chain ${evm.chainId}, and SVC_CHAIN_ID says ${config.chainId}`,
        'set SVC_RPC_URL to the right chain',
      );
      return undefined;
    }
    const { timestamp, number } = (await askChain(evm.block('latest'))) ?? { timestamp: 0, number: 0 };
    findings.ok(`chain ${evm.chainId} answers, at block ${count(number)}`);
    const aheadMs = timestamp * 1_000 - realEnvironment.now();
    if (aheadMs > bounds.clockSkewMs) {
      findings.problem(
        `its clock is ${durationText(aheadMs / 1_000)} ahead of this one`,
        'set this machine’s clock (NTP)',
      );
    }
    for (const [name, address] of Object.entries(contracts)) {
      if ((await askChain(evm.code(address as Hex))) !== '0x') continue;
      findings.problem(
        `there is no contract at ${address} (${name})`,
        'set SVC_CONTRACTS to what svc-node chain deploy printed for this chain',
      );
      return undefined;
    }
    const reader = await readerOf(evm, contracts);
    await operator(reader, key, findings);
    return await askChain(reader.cursor());
  } finally {
    await close();
  }
}

function keyFile({ operatorKeyFile }: Config, findings: Findings): void {
  if (operatorKeyFile === undefined || (statSync(operatorKeyFile).mode & 0o077) === 0) return;
  findings.problem(`others may read SVC_OPERATOR_KEY_FILE (${operatorKeyFile})`, `chmod 600 ${operatorKeyFile}`);
}

/** Checks the role and the balance of the operator. */
async function operator(reader: ContractReader, key: Uint8Array, findings: Findings): Promise<void> {
  const { Operator } = await import('../../chain/settlement/transaction.js');
  const { address } = new Operator(key);
  const { evm } = reader;
  if (!(await askChain(reader.mayOperate(address)))) {
    findings.problem(
      `${address}, whose key is in SVC_OPERATOR_KEY_FILE, has no OPERATOR_ROLE`,
      'have the admin of Settlement grant it, or use the key that has it',
    );
  }
  const wei = await askChain(evm.balance(address));
  const says = `${address} has ${(Number(wei) / 1e18).toPrecision(3)} Ether for settlement`;
  if (wei === 0n) findings.problem(says, 'send it some Ether');
  else if (wei < littleWei) findings.warning(says, 'send it more before it runs out');
  else findings.ok(says);
}

async function journalBeside(config: Config, cursor: AnchoredCursor | undefined, findings: Findings): Promise<void> {
  const { store, dataDir, network } = config;
  if (store === 'embedded' && !existsSync(join(dataDir, 'journal.db'))) return;
  const { journal } = await openJournal(config);
  try {
    const records = await settlementRecords(journal, network);
    const { halted, point } = records.value;
    if (halted !== null) findings.problem(`settlement has halted: ${halted}`, 'see the finding about it below');
    if (!cursor) return findings.ok(`settled up to operation ${count(point.operation)}, as far as is recorded`);
    reportPlace(await compareStream(journal, network, records, cursor), cursor, findings);
    const { seq } = await journal.head();
    if (cursor.anchored <= seq) return;
    findings.problem(
      `the chain anchors entries up to ${count(cursor.anchored)}, and the journal ends at ${count(seq)}: its end was cut off, or it is an older backup`,
      restoring,
    );
  } finally {
    await journal.close();
  }
}

const restoring =
  'restore a newer backup, or the newest copy of the database: the entries on the chain were acknowledged. ' +
  'Only on a local chain, which has no authority: stop the node and remove <data>/chain, and the journal is settled again from its start';

function reportPlace(place: StreamComparison, { lastSeq }: SettledCursor, findings: Findings): void {
  if (place.is === 'beyond') {
    findings.problem(
      `the chain has ${count(lastSeq)} operations and the journal ${count(place.operations)}: the journal was rolled back, or is another one`,
      restoring,
    );
  } else if (place.is === 'elsewhere') {
    findings.problem(
      `the chain holds another history than the journal: after operation ${count(lastSeq)} the heads differ`,
      'SVC_CONTRACTS may name another ledger’s contracts, or another network’s; else the journal went on after an older backup: restore the right one',
    );
  } else {
    const waiting = place.waiting >= mostCounted ? `${count(mostCounted)} or more` : count(place.waiting);
    findings.ok(`it has ${count(lastSeq)} operations of this journal, with the same head; ${waiting} wait`);
  }
}

export const chainChecks: readonly Check<DoctorContext>[] = [chain];
