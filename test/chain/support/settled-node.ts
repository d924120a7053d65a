/** A node that settles, and what must hold of its chain whatever happened before. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect } from 'chai';
import type { Contracts } from '../../../src/chain/deployment.js';
import type { Evm, Hex } from '../../../src/chain/evm/evm.js';
import { interfaceOf } from '../../../src/chain/interfaces.js';
import { SettlementContract } from '../../../src/chain/settlement/settlement-contract.js';
import { JournalTail, streamStart } from '../../../src/chain/settlement/stream.js';
import { didOf, publicKeyOf } from '../../../src/keys/did.js';
import type { StoreReader } from '../../../src/store/store.js';
import type { TestNode } from '../../node/support/node.js';

export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 15_000): Promise<void> {
  for (const end = Date.now() + ms; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 25))) {
    expect(Date.now(), `waited for: ${what}`).to.be.below(end);
  }
}

export const chainOf = async (node: TestNode) => (await node.client.get('/api/v1/node')).body.chain;

/** Nothing is left to settle, and settlement runs. */
export const settled = (node: TestNode, ms?: number): Promise<void> =>
  until(
    'everything is settled',
    async () => {
      // Asked first: what the status said before the chain was looked at is the record's, not the chain's.
      if (node.running.chain?.contracts === undefined) return false;
      const { lag, settlement, connected } = await chainOf(node);
      return lag === 0 && connected && settlement === 'running';
    },
    ms,
  );

export async function vaultCall(evm: Evm, vault: string, name: string, args: readonly unknown[] = []) {
  const calls = await interfaceOf('LedgerVault');
  const data = calls.encodeFunctionData(name, args) as Hex;
  return calls.decodeFunctionResult(name, await evm.call({ to: vault as Hex, data }));
}

/**
 * Each operation of the journal is on the chain once and in order (the head says so), each entry names the transaction
 * that holds it, and every account, the fees and the sums are the same here and there.
 */
export async function expectSettled(store: StoreReader, evm: Evm, contracts: Contracts): Promise<number> {
  const contract = await SettlementContract.at(evm, contracts.settlement);
  const cursor = await contract.cursor();
  const network = 'devnet';
  let point = streamStart(network);
  const dids = new Set<string>();
  for await (const { entry, operations, before, after } of new JournalTail(store, 0).from(point)) {
    point = after;
    if (operations.length === 0) continue;
    for (const [account] of entry.core.postings) {
      if (account.includes('/')) dids.add(account.slice(account.indexOf('/') + 1));
    }
    const receipt = await store.receipt(entry.entryHash);
    expect(receipt, `a receipt of entry ${entry.seq}`).to.include({ status: 'confirmed', seq: entry.seq });
    const mined = await evm.receipt(receipt!.txHash as Hex);
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

/** A DID that nobody has the key of: tests give it Tokens. */
export function someDid(n: number): string {
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, n)]),
    format: 'der',
    type: 'pkcs8',
  });
  return didOf(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
}
