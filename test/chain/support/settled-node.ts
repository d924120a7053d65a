/** A node that settles, and checks of its chain. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ContractAddresses } from '../../../src/chain/contracts/deployment.js';
import { contractInterface } from '../../../src/chain/contracts/interfaces.js';
import type { Evm, Hex } from '../../../src/chain/evm/evm.js';
import { SettlementContract } from '../../../src/chain/settlement/settlement-contract.js';
import { JournalTail, streamStart } from '../../../src/chain/settlement/stream.js';
import { didOf, publicKeyOf } from '../../../src/core/codecs/did.js';
import type { StoreReader } from '../../../src/store/store.js';
import { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { scratch } from '../../support/scratch.js';
import { until } from '../../support/until.js';

/**
 * Moves the node's clock step by step until the condition holds. Between steps it waits for real I/O, because requests to the
 * chain have deadlines on the same clock.
 */
export async function untilAsTimePasses(
  what: string,
  { world }: TestNode,
  stepMs: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  await until(what, async () => {
    world.skip(stepMs);
    for (const end = Date.now() + 1_500; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25))) {
      if (await holds()) return true;
    }
    return false;
  });
}

export const chainOf = async (node: TestNode) => (await node.client.get('/api/v1/node')).body.chain;

/** Waits until settlement is running and nothing is left to settle. */
export async function settled(node: TestNode): Promise<void> {
  // Waits for the chain's contracts first: before they are known, the status shows the stored record and not the chain.
  const look = async () => (node.running.chain?.contracts === undefined ? undefined : chainOf(node));
  const is = (chain: Awaited<ReturnType<typeof chainOf>> | undefined) =>
    chain?.lag === 0 && chain.connected && chain.settlement === 'running';
  await until('everything is settled', look, { is });
}

export async function vaultCall(evm: Evm, vault: string, name: string, args: readonly unknown[] = []) {
  const calls = await contractInterface('LedgerVault');
  const data = calls.encodeFunctionData(name, args) as Hex;
  return calls.decodeFunctionResult(name, await evm.call({ to: vault as Hex, data }));
}

/**
 * Each operation of the journal is on chain once and in order (the head proves it), each entry names its transaction, and all
 * accounts, fees and sums are equal in ledger and vault.
 */
export async function expectSettled(store: StoreReader, evm: Evm, contracts: ContractAddresses): Promise<number> {
  const contract = await SettlementContract.at(evm, contracts.settlement);
  const cursor = await contract.cursor();
  const network = 'devnet';
  let point = streamStart(network);
  const dids = new Set<string>();
  /** By transaction, because many entries share one. */
  const minedReceipts = new Map<string, ReturnType<Evm['receipt']>>();
  for await (const { entry, operations, before, after } of new JournalTail(store, 0).from(point)) {
    point = after;
    if (operations.length === 0) continue;
    for (const [account] of entry.core.postings) {
      if (account.includes('/')) dids.add(account.slice(account.indexOf('/') + 1));
    }
    const receipt = await store.receipt(entry.entryHash);
    expect(receipt, `a receipt of entry ${entry.seq}`).to.include({ status: 'confirmed', seq: entry.seq });
    const txHash = receipt!.txHash as Hex;
    if (!minedReceipts.has(txHash)) minedReceipts.set(txHash, evm.receipt(txHash));
    const mined = await minedReceipts.get(txHash)!;
    expect(mined?.blockNumber, `the block of entry ${entry.seq}`).to.equal(receipt!.blockNumber);
    const batch = contract.appliedIn(mined!);
    expect(batch!.first).to.be.at.most(before.operation + 1);
    expect(batch!.last).to.be.at.least(after.operation);
  }
  expect(cursor.operation, 'operations on the chain').to.equal(point.operation);
  expect(cursor.head, 'the head').to.equal(point.head);
  let owed = 0;
  for (const did of dids) {
    const account = await store.account(did);
    const [available, reserved, escrowed] = await vaultCall(evm, contracts.vault, 'accountOf', [publicKeyOf(did)]);
    const { available: a, reserved: r, escrowed: e } = account!;
    expect([Number(available), Number(reserved), Number(escrowed)], did).to.deep.equal([a, r, e]);
    owed += a + r + e;
  }
  const totals = await store.totals();
  const [onChain, fees] = await vaultCall(evm, contracts.vault, 'totals');
  expect(Number(fees), 'fees').to.equal(totals.fees);
  expect(Number(onChain), 'owed').to.equal(owed + totals.fees);
  return point.operation;
}

export async function expectNodeSettled(node: TestNode): Promise<number> {
  await settled(node);
  const { evm, contracts } = node.running.chain!;
  return expectSettled(node.store, evm!, contracts!);
}

/** Starts a node with a local chain before the suite, and audits and removes it afterwards. */
export function nodeOnLocalChain(started: (node: TestNode) => void): void {
  let node: TestNode | undefined;
  before(async () => {
    node = await TestNode.start({ variables: { SVC_CHAIN: 'embedded' } });
    await settled(node);
    started(node);
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what).to.equal(undefined);
  });
}

/** A few transfers between two new identities. */
export async function history(node: TestNode, moves = 5): Promise<[Person, Person]> {
  const [ada, ben] = [await node.rich(1_000), await node.person()];
  for (let n = 1; n <= moves; n++) await ada.pays(ben.did, n);
  return [ada, ben];
}

/** Copies the data directory of a stopped node, then lets the node settle one more operation. @returns the copy */
export async function backupThenSettle(node: TestNode): Promise<string> {
  const [ada, ben] = await history(node, 2);
  await expectNodeSettled(node);
  await node.stop();
  const backup = join(scratch(), 'backup');
  cpSync(node.dir, backup, { recursive: true });
  await node.restart();
  await ada.through(node.client).pays(ben.did, 5);
  expect(await expectNodeSettled(node)).to.equal(4);
  return backup;
}

/** A DID without a known key, to which tests give Tokens. */
export function someDid(n: number): string {
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, n)]),
    format: 'der',
    type: 'pkcs8',
  });
  return didOf(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
}
