/** The proof of a resource: any change in it is found, without a node. */
import { expect } from 'chai';
import { leafOf } from '../../src/chain/anchors/anchor.js';
import { inclusionPath, merkleRoot } from '../../src/chain/anchors/merkle.js';
import { hashOf } from '../../src/core/canonical.js';
import { isRefusal } from '../../src/core/refusal.js';
import { chainHashOf } from '../../src/store/entry.js';
import {
  isResourceProof,
  type ProvenEntry,
  parseResourceProof,
  type ResourceProof,
  violationInResource,
} from '../../src/verify/resource-proof.js';
import { Deal } from '../stories/contract/stage.js';
import { expectStatus } from './support/answers.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

type Json = { [name: string]: unknown } | unknown[];

/** Paths of all values that are neither objects nor lists. */
function leavesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...at, name]));
}

function changedAt(proof: ResourceProof, path: readonly string[]): ResourceProof {
  const copy = structuredClone(proof);
  const last = path.at(-1)!;
  const holder = path.slice(0, -1).reduce<Json>((part, name) => (part as never)[name], copy as unknown as Json);
  const before = (holder as never)[last] as unknown;
  const after =
    typeof before === 'number'
      ? before + 1
      : typeof before === 'boolean'
        ? !before
        : typeof before === 'string'
          ? before.replace(/.$/, (end) => (end === 'a' ? 'b' : 'a'))
          : 'x';
  (holder as unknown as { [name: string]: unknown })[last] = after;
  return copy;
}

/**
 * Members that no hash of the journal covers: the chain's statement, which `--rpc` verifies, and the position among the pages.
 */
const loose =
  /^(next|hasMore)$|\.receipt\.|^(first|entries\.\d+)\.anchor\.(txHash|blockNumber|lastEntry|chainId|contract)$/;

const anchored = (each: ProvenEntry): ProvenEntry => {
  const { seq, chainHash } = each.entry;
  const leaves = [leafOf('1'.repeat(64)), leafOf(chainHash), leafOf('2'.repeat(64))];
  const anchor = {
    ...{ firstEntry: seq - 1, lastEntry: seq + 1, root: merkleRoot(leaves).toString('hex') },
    ...{ txHash: `0x${'3'.repeat(64)}`, blockNumber: 7, chainId: 31_337, contract: `0x${'4'.repeat(40)}` },
    path: inclusionPath(leaves, 1).map((hash) => hash.toString('hex')),
  };
  return { ...each, anchor };
};

function hashedAnew({ entry, anchor }: ProvenEntry, change: Partial<ProvenEntry['entry']>): ProvenEntry {
  const shown = { ...entry, ...change };
  const { seq, prevEntry, event, home, time, law, versions, reads, accounts, moves, postings, idem } = shown;
  const entryHash = hashOf({ v: 2, event, home, time, law, versions, reads, accounts, moves, postings, idem });
  return { anchor, entry: { ...shown, entryHash, chainHash: chainHashOf(seq, prevEntry, entryHash), receipt: null } };
}

describe('the proof of a resource', () => {
  let node: TestNode;
  let ada: Person;
  let ben: Person;
  before(async () => {
    node = await TestNode.start();
    [ada, ben] = [await node.rich(2_000), await node.person()];
  });
  after(() => node.discard());

  const proofOf = async (kind: string, id: string): Promise<ResourceProof> => {
    const reply = expectStatus(await node.client.get(`/api/v1/machines/${kind}/${id}/proof`));
    const proof = parseResourceProof(reply);
    if (typeof proof === 'string') throw new Error(proof);
    return proof;
  };
  async function escrowProof(): Promise<ResourceProof> {
    const rules = { beneficiary: ben.did, amount: 30, releaseRules: [{ type: 'manual' }], autoFund: true };
    const made = await ada.does('/api/v1/escrows', rules);
    for (const amount of [10, 20]) expectStatus(await ada.act(made, 'release', { amount }));
    return proofOf('escrow', made.escrowId as string);
  }

  it('holds, and has everything in it', async () => {
    const proof = await escrowProof();
    expect(isResourceProof(proof)).to.equal(true);
    expect(violationInResource(proof)).to.equal(undefined);
    expect(proof).to.include({ kind: 'escrow', state: 'released', total: 3 });
    expect(proof.first.entry.seq).to.equal(1);
    expect(Object.keys(proof.definitions)).to.have.length(1);
    const under = { ...proof, entries: proof.entries.map(anchored) };
    expect(violationInResource(under)).to.equal(undefined);
  });

  it('does not hold where any of its values is another one', async () => {
    const found = await escrowProof();
    const proof = { ...found, entries: found.entries.map(anchored) };
    const leaves = leavesOf(proof).filter((path) => !loose.test(path.join('.')));
    expect(leaves.length).to.be.above(250);
    const unnoticed = leaves.filter((path) => {
      const parsed = parseResourceProof(changedAt(proof, path));
      return typeof parsed !== 'string' && violationInResource(parsed) === undefined;
    });
    expect(unnoticed.map((path) => path.join('.'))).to.deep.equal([]);
  });

  it('does not hold where an entry is missing, doubled, or in another place', async () => {
    const proof = await escrowProof();
    const [one, two, three] = proof.entries as readonly [ProvenEntry, ProvenEntry, ProvenEntry];
    for (const [entries, says] of [
      [[one, two], /ends at version 2 of 3/],
      [[one, three], /version 3, and 2 was next/],
      [[two, three], /version 2, and 1 was next/],
      [[one, three, two], /comes after/],
      [[one, two, two, three], /comes after/],
    ] as const) {
      expect(violationInResource({ ...proof, entries })).to.match(says);
    }
    const other = await escrowProof();
    expect(violationInResource({ ...other, id: proof.id })).to.match(/does not change escrow/);
    expect(violationInResource({ ...proof, first: one })).to.match(/not entry 1/);
    expect(violationInResource({ ...proof, definitions: {} })).to.match(/is missing/);
  });

  it('does not hold where what is wrong was hashed anew', async () => {
    const proof = await escrowProof();
    const rehashed = (change: Partial<ProvenEntry['entry']>): ResourceProof => {
      const entries = proof.entries.map((each, at) => (at === 1 ? hashedAnew(each, change) : each));
      return { ...proof, entries };
    };
    const { versions } = proof.entries[1]!.entry;
    expect(violationInResource(rehashed({}))).to.equal(undefined);
    expect(violationInResource(rehashed({ postings: [] }))).to.match(/postings are not those of its moves/);
    const strayed = versions.map((each) => ({ ...each, prev: 'a'.repeat(64) }));
    expect(violationInResource(rehashed({ versions: strayed }))).to.match(/does not follow the version before/);
    const wrong = versions.map((each) => ({ ...each, path: ['expired'] }));
    expect(violationInResource(rehashed({ versions: wrong }))).to.be.a('string');
    const time = proof.entries[0]!.entry.time - 1;
    expect(violationInResource(rehashed({ time }))).to.match(/is older than entry/);
    expect(violationInResource(rehashed({ time, home: ada.did })), 'of another node').to.equal(undefined);
  });

  it('has the corrections of the clock between its entries, without which times would go back', async () => {
    const rules = { beneficiary: ben.did, amount: 30, releaseRules: [{ type: 'manual' }], autoFund: true };
    const made = await ada.does('/api/v1/escrows', rules);
    node.world.outrun(-86_400_000);
    const reason = { reason: 'it was a day ahead', operator: 'a test' };
    expect(isRefusal(await node.operate('node', node.did, 'correct-clock', reason))).to.equal(false);
    expectStatus(await ada.act(made, 'release', { amount: 30 }));
    const proof = await proofOf('escrow', made.escrowId as string);
    expect(proof.corrections.length).to.equal(1);
    expect(violationInResource(proof)).to.equal(undefined);
    expect(violationInResource({ ...proof, corrections: [] })).to.match(/^entry \d+ is older than entry/);
    const others = proof.corrections.map((each) => hashedAnew(each, { home: ada.did }));
    expect(violationInResource({ ...proof, corrections: others })).to.match(/^entry \d+ is older than entry/);
    const [{ entry }] = proof.entries as [ProvenEntry];
    expect(violationInResource({ ...proof, corrections: [{ entry, anchor: null }] })).to.match(/corrects no clock/);
  });

  it('comes in pages, which are joined', async () => {
    const whole = await escrowProof();
    const url = `/api/v1/machines/escrow/${whole.id}/proof`;
    const first = expectStatus(await node.client.get(`${url}?limit=2`));
    expect(first).to.include({ hasMore: true });
    expect(violationInResource(first as never)).to.match(/ends at version 2 of 3/);
    const second = expectStatus(await node.client.get(`${url}?limit=2&after=${first.next}`));
    expect(second).to.include({ hasMore: false, next: null });
    const joined = { ...second, entries: [...(first.entries as []), ...(second.entries as [])] };
    expect(violationInResource(joined as never)).to.equal(undefined);
  });

  it('holds for a contract, of whose requests only a party’s proof has the payloads', async () => {
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    await deal.steps('one', 'submit', 'approve');
    const proof = await proofOf('contract', deal.id);
    expect(violationInResource(proof)).to.equal(undefined);
    for (const { entry } of proof.entries) expect(entry).to.deep.include({ payload: { ...entry.payload, input: {} } });
    expect(proof.entries.every(({ entry }) => entry.sealed && !entry.salt)).to.equal(true);
    const reader = await deal.reader();
    const own = expectStatus(await reader.get(`/api/v1/machines/contract/${deal.id}/proof`));
    expect(violationInResource(own as never)).to.equal(undefined);
    const forged = structuredClone(own) as unknown as { entries: { entry: { payload: { action: string } } }[] };
    forged.entries[4]!.entry.payload.action = 'reject';
    expect(violationInResource(forged as never)).to.match(/payloadHash/);
  });
});
