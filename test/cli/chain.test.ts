/** An auditor's commands with a chain: next to a node, and without one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { leafOf } from '../../src/chain/anchors/anchor.js';
import { anchorsOn } from '../../src/chain/anchors/anchor-chain.js';
import { AnchorRecords } from '../../src/chain/anchors/anchor-records.js';
import { Anchorer } from '../../src/chain/anchors/anchorer.js';
import { type Proof, proofOf } from '../../src/chain/anchors/proof.js';
import { hashOf } from '../../src/core/canonical.js';
import { publicKeyHexOf } from '../../src/core/codecs/did.js';
import { chainHashOf, type EntryCore } from '../../src/store/entry.js';
import { anvilBinary } from '../chain/support/anvil-binary.js';
import { PublicChain } from '../chain/support/public-chain.js';
import { Rig } from '../chain/support/rig.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { Bench } from '../world/bench.js';
import { resigned } from '../world/history.js';
import { ada, didOf } from '../world/people.js';
import { json, svcNode } from './support/command.js';
import { faucet, get, startNode, type TestNode } from './support/node.js';

const settledNode = (node: TestNode): Promise<void> =>
  until('everything is settled', async () => (await get(`${node.url}/api/v1/node`)).body.chain, {
    is: ({ connected, lag, blockNumber }) => connected && lag === 0 && blockNumber > 0,
  });

describe('svc-node audit --chain', () => {
  after(tidy);

  it('asks the node that runs, also one whose chain is inside of it', async () => {
    const node = await startNode(scratch(), [], { env: { SVC_CHAIN: 'embedded' } });
    for (let n = 0; n < 3; n++) await faucet(node, node.did);
    await settledNode(node);
    const end = await svcNode(['audit', '--chain', '--data', node.dataDir]);
    expect(end, end.stderr).to.include({ code: 0, stderr: '' });
    expect(end.stdout)
      .to.match(/^ +settled +3 operations$/m)
      .and.match(/^OK: it is the journal that the chain/m);
    const report = json<{ ok: boolean; chain: { cursor: { lastSeq: number }; holdings: { owed: number } } }>(
      await svcNode(['audit', '--chain', '--data', node.dataDir, '--json']),
    );
    expect(report.ok).to.equal(true);
    expect(report.chain.cursor.lastSeq).to.equal(3);
    expect(report.chain.holdings.owed).to.equal(300);
    await node.stop();
    const alone = await svcNode(['audit', '--chain', '--data', node.dataDir]);
    expect(alone.code).to.equal(1);
    expect(alone.stderr).to.match(/^svc-node: no node runs on .*--rpc and SVC_CONTRACTS\n$/);
  });

  it('of a node that settles on no chain says so', async () => {
    const node = await startNode();
    const end = await svcNode(['audit', '--chain', '--data', node.dataDir]);
    expect(end.code).to.equal(1);
    expect(end.stderr).to.equal('svc-node: this node settles on no chain\n');
    await node.stop();
  });

  const whereAnvilRuns = anvilBinary() === undefined ? it.skip : it;
  whereAnvilRuns('asks the chain itself, and finds out a journal that came from an older backup', async () => {
    const others = await PublicChain.start();
    const rpcUrl = others.url;
    const node = await startNode(scratch(), [], { env: others.variables() });
    await faucet(node, node.did);
    const backup = join(scratch(), 'old.db');
    expect((await svcNode(['backup', backup, '--data', node.dataDir])).code).to.equal(0);
    await faucet(node, node.did);
    await settledNode(node);
    const { chain } = json<{ chain: { contracts: object } }>(
      await svcNode(['audit', '--chain', '--data', node.dataDir, '--json']),
    );
    const env = { SVC_CONTRACTS: JSON.stringify(chain.contracts) };
    const sound = await svcNode(['audit', '--rpc', rpcUrl, '--data', node.dataDir], { env });
    expect(sound, sound.stderr).to.include({ code: 0 });
    const old = scratch();
    const restored = await svcNode(['restore', backup, '--data', old]);
    expect(restored.code, restored.stderr).to.equal(0);
    const end = await svcNode(['audit', '--rpc', rpcUrl, '--data', old], { env });
    expect(end.code).to.equal(1);
    expect(end.stderr).to.match(/the chain has settled 2 operations, and the journal has 1: its end was cut off/);
    const silent = await svcNode(['audit', '--rpc', 'http://127.0.0.1:1', '--data', old], { env });
    expect(silent.stderr).to.match(/^svc-node: --rpc was asked for its chain id and gave no answer: [^\n]+\n$/);
    await node.stop();
    await others.stop();
  });
});

describe('svc-node verify-proof', () => {
  let rig: Rig;
  let proof: Proof;
  let early: Proof;
  let first: Proof;

  before(async () => {
    rig = await Rig.open(anvilBinary() === undefined ? 'embedded' : 'anvil');
    const bench = await Bench.open({}, { ada: 100 });
    const { store, world } = bench;
    const records = new AnchorRecords(store);
    await bench.transfer('ada', 'ben', 5);
    const [entry] = await store.entries({ after: 2, limit: 1 });
    early = await proofOf(entry!, undefined, store);
    await world.advance(11 * 60_000);
    const anchorer = new Anchorer({ chain: anchorsOn(rig.reader, rig), records, store, world, log: () => {} });
    await anchorer.look();
    const anchor = (await records.covering(3))!;
    const at = { anchor, chainId: rig.evm.chainId, contract: rig.reader.contracts.settlement };
    proof = await proofOf(entry!, at, store);
    const [one] = await store.entries({ after: 0, limit: 1 });
    first = await proofOf(one!, at, store);
  });
  after(async () => {
    await rig?.close();
    await tidy();
  });

  const verify = (what: unknown, ...words: string[]) => {
    const file = join(scratch(), 'proof.json');
    writeFileSync(file, typeof what === 'string' ? what : JSON.stringify(what));
    return svcNode(['verify-proof', file, ...words]);
  };

  it('says what can be said without a chain', async () => {
    const end = await verify(proof);
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout)
      .to.include(`signed by    ${ada}`)
      .and.include('transfer.sent')
      .and.include('OK as far as it goes');
    const piped = await svcNode(['verify-proof', '-', '--json'], { input: JSON.stringify(proof) });
    const { hash: eventHash, home } = proof.entry.event;
    expect(end.stdout).to.include(`home         ${home}`);
    expect(json(piped)).to.deep.equal({ ok: true, onChain: false, seq: 3, eventHash, home, journal: null });
  });

  it('refuses what is no proof, or one that does not hold', async () => {
    const forged = structuredClone(proof) as { entry: { event: { sig: string } } };
    forged.entry.event.sig = `${forged.entry.event.sig.slice(0, -2)}11`;
    for (const [what, words, says] of [
      ['{', [], /is not JSON\n$/],
      [{ v: 1 }, [], /is not a proof: /],
      [early, [], /does not hold: the entry is not anchored yet\n$/],
      [{ ...proof, seq: 4 }, [], /does not hold: chainHash does not fit/],
      [forged, [], /does not hold: entryHash is not the hash/],
      [proof, ['--contract', rig.reader.contracts.vault], /does not hold: it is about the contract/],
    ] as const) {
      const end = await verify(what, ...words);
      expect(end.code, JSON.stringify(end)).to.equal(1);
      expect(end.stdout).to.equal('');
      expect(end.stderr)
        .to.match(says)
        .and.match(/^svc-node: [^\n]+\n$/);
    }
    expect(json(await verify(early, '--json'))).to.include({ ok: false, onChain: false });
  });

  it('says whose journal it is, by the proof of its first entry', async () => {
    const file = join(scratch(), 'first.json');
    const withFirst = (what: unknown, of: Proof = proof) => {
      writeFileSync(file, JSON.stringify(what));
      return verify(of, '--first', file);
    };
    const home = didOf('node');
    expect((await withFirst(first)).stdout).to.include(`journal      ${home}`);
    expect(json(await verify(proof, '--json', '--first', file))).to.include({ ok: true, journal: home });
    const { entry } = first;
    const proofWith = (core: EntryCore): Proof => {
      const entryHash = hashOf(core);
      const chainHash = chainHashOf(1, first.prevEntry, entryHash);
      // The only leaf of its tree.
      const anchor = { ...first.anchor!, lastEntry: 1, path: [], root: leafOf(chainHash).toString('hex') };
      return { ...first, entry: core, entryHash, chainHash, anchor };
    };
    const stranger = resigned(
      { ...entry, home: didOf('eve') },
      { issuer: didOf('eve'), pub: publicKeyHexOf(didOf('eve')) },
    );
    const elsewhere = resigned(stranger, { home: didOf('eve') });
    for (const [what, of, says] of [
      [proof, proof, /--first is about entry 3/],
      [{ ...first, anchor: { ...first.anchor!, contract: `0x${'ab'.repeat(20)}` } }, proof, /it is about the contract/],
      [{ ...first, anchor: { ...first.anchor!, chainId: 5 } }, proof, /it is anchored on chain 5/],
      [proofWith(stranger), proof, /a journal begins with the node.appointed of its home/],
      [proofWith(elsewhere), proof, /its event is signed for .*, and the home of this journal is/],
    ] as const) {
      const end = await withFirst(what, of);
      expect(end.stderr).to.match(says);
      expect(end.code).to.equal(1);
    }
    expect((await verify(proofWith(stranger))).stderr).to.match(/a journal begins with/);
  });

  const whereAnvilRuns = anvilBinary() === undefined ? it.skip : it;
  whereAnvilRuns('asks the chain, without any node', async () => {
    const rpc = ['--rpc', rig.chain.rpcUrl()!];
    const end = await verify(proof, ...rpc, '--contract', rig.reader.contracts.settlement);
    expect(end, end.stderr).to.include({ code: 0, stderr: '' });
    expect(end.stdout).to.match(/^OK: the signature verifies, and the entry is under a root that is on chain\.$/m);
    const other = { ...proof, anchor: { ...proof.anchor!, txHash: `0x${'12'.repeat(32)}` } };
    expect((await verify(other, ...rpc)).stderr).to.match(/does not hold: there is no transaction 0x1212/);
  });
});
