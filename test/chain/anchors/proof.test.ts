/** A proof is verified with a chain and without a node; any change in it makes the verification fail. */
import { expect } from 'chai';
import { anchorsOn } from '../../../src/chain/anchors/anchor-chain.js';
import { AnchorRecords } from '../../../src/chain/anchors/anchor-records.js';
import { Anchorer } from '../../../src/chain/anchors/anchorer.js';
import {
  type Proof,
  parseProof,
  proofOf,
  violationOfProof,
  violationOnChain,
} from '../../../src/chain/anchors/proof.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { EntryBuilder } from '../../contract/entries.js';
import { tidy } from '../../support/scratch.js';
import { FakeWorld } from '../../world/fake-world.js';
import { Rig } from '../support/rig.js';

describe('proofs of entries', () => {
  const store = new MemoryStore();
  const records = new AnchorRecords(store);
  const world = new FakeWorld();
  let rig: Rig;
  let proof: Proof;

  const proofFor = async (seq: number): Promise<Proof> => {
    const [entry] = await store.entries({ after: seq - 1, limit: 1 });
    const anchor = await records.covering(seq);
    const at = anchor && { anchor, chainId: rig.evm.chainId, contract: rig.reader.contracts.settlement };
    return JSON.parse(JSON.stringify(await proofOf(entry!, at, store)));
  };

  before(async () => {
    rig = await Rig.open();
    const builder = new EntryBuilder();
    const time = world.now();
    await store.append(Array.from({ length: 1_013 }, (_, n) => builder.mint('did:svc:ada', 1, { time: time + n })));
    const chain = anchorsOn(rig.reader, rig);
    const anchorer = new Anchorer({ chain, records, store, world, log: () => {} });
    await anchorer.look();
    await world.advance(15 * 60_000);
    await anchorer.look();
    proof = await proofFor(1_005);
  });
  after(async () => {
    await rig?.close();
    await tidy();
  });

  it('hold, offline and on chain, for entries of every anchor', async () => {
    for (const seq of [1, 2, 999, 1_000, 1_001, 1_013]) {
      const each = await proofFor(seq);
      expect(parseProof(each), String(seq)).to.deep.equal(each);
      expect(violationOfProof(each), String(seq)).to.equal(undefined);
      expect(await violationOnChain(each, rig.evm), String(seq)).to.equal(undefined);
    }
    expect(proof.anchor).to.include({ firstEntry: 1_001, lastEntry: 1_013 });
  });

  it('do not hold where anything of the entry, its place or its way up was changed', () => {
    const changed: { [what: string]: (copy: Proof & { anchor: object }) => object } = {
      'the entry': (copy) => ({ ...copy, entry: { ...copy.entry, time: 1 } }),
      'the number': (copy) => ({ ...copy, seq: 1_006 }),
      'the entry before': (copy) => ({ ...copy, prevEntry: 'a'.repeat(64) }),
      'the chain hash': (copy) => ({ ...copy, chainHash: 'a'.repeat(64) }),
      'the root': (copy) => ({ ...copy, anchor: { ...copy.anchor, root: 'a'.repeat(64) } }),
      'the first entry': (copy) => ({ ...copy, anchor: { ...copy.anchor, firstEntry: 1_000 } }),
      'the last entry': (copy) => ({ ...copy, anchor: { ...copy.anchor, lastEntry: 1_020 } }),
      'the path': (copy) => ({ ...copy, anchor: { ...copy.anchor, path: copy.anchor!.path.slice(1) } }),
      'no anchor': (copy) => ({ ...copy, anchor: null }),
    };
    for (const [what, change] of Object.entries(changed)) {
      const parsed = parseProof(change(structuredClone(proof) as never));
      expect(parsed, what).to.be.an('object');
      expect(violationOfProof(parsed as Proof), what).to.be.a('string');
    }
  });

  it('do not hold where the chain says something else', async () => {
    const at = (more: object): Proof => ({ ...proof, anchor: { ...proof.anchor!, ...more } });
    const flaw = (more: object) => violationOnChain(at(more), rig.evm);
    expect(await flaw({ root: 'a'.repeat(64) })).to.match(/anchors something else/);
    expect(await flaw({ lastEntry: 1_014 })).to.match(/anchors something else/);
    expect(await flaw({ contract: rig.reader.contracts.vault })).to.match(/anchors something else/);
    expect(await flaw({ txHash: `0x${'12'.repeat(32)}` })).to.match(/there is no transaction/);
    expect(await flaw({ chainId: 1 })).to.match(/is on chain 1/);
    const other = await proofFor(1);
    expect(await flaw({ txHash: other.anchor!.txHash })).to.match(/anchors something else/);
  });

  it('are asked for by name where a file is none', () => {
    for (const [value, says] of [
      [{}, /v/],
      [[], /object/],
      ['x', /object/],
      [null, /object/],
      [{ ...proof, seq: 0 }, /seq/],
      [{ ...proof, entry: {} }, /another network/],
      [{ ...proof, anchor: { ...proof.anchor, path: Array(11).fill('a'.repeat(64)) } }, /path/],
    ] as const)
      expect(parseProof(value), JSON.stringify(value)?.slice(0, 40)).to.match(says);
  });
});
