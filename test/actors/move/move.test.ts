import { expect } from 'chai';
import { sha256Hex } from '../../../src/core/canonical.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { leafKind } from '../../../src/machines/leaf/leaf.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { StoreFault, StoreRefused } from '../../../src/store/store.js';
import { markOf, whyClosed } from '../../../src/verify/move/mark.js';
import { giveUp, move } from '../../../src/verify/move/move.js';
import { rejection } from '../../contract/fixture.js';
import { everything as shelf, words } from '../../contract/shelf.js';
import { scratch, tidy } from '../../support/scratch.js';
import { accepted, Bench, network } from '../../world/bench.js';
import { life, overwrite } from '../../world/history.js';
import { everything, type Kill, Removal } from './support.js';

async function furnished(): Promise<Bench> {
  const bench = await life();
  const { store } = bench;
  for (const text of ['one', 'another']) {
    const bytes = Buffer.from(text);
    accepted(await bench.transfer('ada', 'ben', 1, { contents: [{ hash: sha256Hex(bytes), bytes }] }));
  }
  const [first] = await store.entries({ after: 0, limit: 1 });
  await store.appendReceipts([
    { entryHash: first!.entryHash, seq: 1, status: 'pending', txHash: '0x1', blockNumber: 1 },
    { entryHash: first!.entryHash, seq: 1, status: 'confirmed', txHash: '0x1', blockNumber: 2 },
  ]);
  await store.putLocal('meta', 'network', { network: 'devnet' }, 0);
  await store.putLocal('secrets', 'fingerprint', { key: 'ab' }, 0);
  await store.putLocal('api-keys', 'k1', { label: 'one', nested: { a: [1] } }, 0);
  await store.putLocal('api-keys', 'k1', { label: 'changed', nested: { a: [2] } }, 1);
  return bench;
}

const refused = async (promise: Promise<unknown>): Promise<string> => {
  const error = await rejection(promise);
  expect(error, error.stack).to.be.instanceOf(StoreRefused);
  return error.message;
};

describe('a move', () => {
  after(tidy);
  let bench: Bench;
  let removal: Removal;
  beforeEach(async () => {
    bench = await furnished();
    removal = new Removal(bench);
  });

  it('takes everything along, opens the target, and closes the source', async () => {
    const { now, report } = await removal.move();
    expect(now).to.equal(true);
    expect(report).to.include({ ok: true, supply: 1_000, head: (await removal.from.head()).chainHash });
    expect(await everything(removal.to)).to.deep.equal(await everything(removal.from));
    expect(await whyClosed(removal.to)).to.equal(undefined);
    expect(await whyClosed(removal.from)).to.match(/^The journal of this database was moved to there: start the node/);
  });

  it('is refused where bytes that an entry names are not what they were', async () => {
    const { contents } = removal.from.tables;
    const [text, content] = [[...contents.keys()][0]!, sha256Hex('one')];
    for (const [hash, what] of [
      [text, `here does not pass the audit: the text ${text} was changed`],
      [content, `content ${content} of the source is damaged`],
    ] as const) {
      const whole = contents.get(hash)!;
      contents.set(hash, { ...whole, bytes: Buffer.from('forged') });
      expect(await refused(removal.move())).to.equal(what);
      contents.set(hash, whole);
    }
  });

  it('asked for again says that it was done, and checks the target once more', async () => {
    const { report } = await removal.move();
    expect(await removal.move()).to.deep.equal({ now: false, report });
    removal.to.tables.house.fees += 1;
    expect(await refused(removal.move())).to.match(/^there does not pass the audit: the ledger rows sum/);
  });

  it('goes back with what happened in the meantime, and forth again', async () => {
    await removal.move();
    await removal.to.putLocal('api-keys', 'k2', { label: 'two' }, 0);
    await removal.to.deleteLocal('api-keys', 'k1');
    const entryHash = removal.to.tables.journal[1]!.entryHash;
    await removal.to.appendReceipts([{ entryHash, seq: 1, status: 'confirmed', txHash: '0x2', blockNumber: 3 }]);
    const there = await bench.restart({ store: removal.to });
    await there.mint('dan', 7);
    await there.transfer('ada', 'dan', 3);
    const back = removal.back();
    expect((await back.move()).report).to.include({ ok: true, supply: 1_007 });
    expect(await everything(back.to)).to.deep.equal(await everything(back.from));
    expect(await whyClosed(back.to)).to.equal(undefined);
    expect(await whyClosed(back.from)).to.match(/was moved to there/);
    const here = await bench.restart({ store: back.to });
    await here.mint('dan', 1);
    expect((await back.back().move()).report).to.include({ ok: true, supply: 1_008 });
  });

  it('goes back without the texts and words that were erased in the meantime', async () => {
    const listing = { ...infoListing.create.example, title: 'Zebrafinch songs', description: 'Songs of an axolotl' };
    accepted(await bench.ask('ada', 'info-listing', 'lst-1', 'create', listing as never));
    await removal.move();
    const { leaf } = (await removal.to.load('info-listing', 'lst-1'))!.context.title as { leaf: string };
    const there = await bench.restart({ store: removal.to });
    const input = { reason: 'a test', operator: 'a test', resource: { kind: 'info-listing', id: 'lst-1' } };
    accepted(await there.operate(leafKind, leaf, 'redact', input));
    const back = removal.back();
    expect((await back.move()).report).to.include({ ok: true, erased: 1 });
    for (const store of [back.to, back.from]) {
      const found = async (word: string) => (await store.search({ ...shelf, ...words(word) })).total;
      expect(await store.content(leaf)).to.equal(undefined);
      expect([await found('zebrafinch'), await found('axolotl')]).to.deep.equal([0, 1]);
    }
  });

  it('that was given up and is done after all forgets what was erased in between, on the embedded store', async () => {
    const listing = { ...infoListing.create.example, title: 'Zebrafinch songs', description: 'Songs of an axolotl' };
    accepted(await bench.ask('ada', 'info-listing', 'lst-1', 'create', listing as never));
    const store = await SqliteStore.open({ dir: scratch(), writer: 'inline' });
    try {
      const [source, target] = [removal.side(bench.store, 'here'), removal.side(store, 'there')];
      const options = { source, target, catalogue: bench.catalogue, network, id: 'move-1' };
      const killed = { ...target, read: () => Promise.reject(new StoreFault('killed')) };
      expect(await rejection(move({ ...options, target: killed }))).to.be.instanceOf(StoreFault);
      await giveUp(source);
      const found = async (word: string) => (await store.search({ ...shelf, ...words(word) })).total;
      const { leaf } = (await store.load('info-listing', 'lst-1'))!.context.title as { leaf: string };
      const input = { reason: 'a test', operator: 'a test', resource: { kind: 'info-listing', id: 'lst-1' } };
      accepted(await bench.operate(leafKind, leaf, 'redact', input));
      expect([(await store.content(leaf)) !== undefined, await found('zebrafinch')]).to.deep.equal([true, 1]);
      expect((await move(options)).report).to.include({ ok: true, erased: 1 });
      expect(await store.content(leaf)).to.equal(undefined);
      expect([await found('zebrafinch'), await found('axolotl')]).to.deep.equal([0, 1]);
    } finally {
      await store.close();
    }
  });

  it('killed at any write, before or after it took effect, continues when it is started again', async () => {
    const whole = await everything(bench.store);
    let kills = 0;
    for (const after of [false, true]) {
      for (let at = 1; ; at++) {
        const one = new Removal(bench, bench.store.survivor(), new MemoryStore());
        const kill: Kill = { at, after };
        const outcome = await one.move(kill).catch((error: unknown) => error);
        if (!(outcome instanceof Error)) {
          await giveUp(one.side(one.from, 'here'));
          break;
        }
        expect(outcome).to.be.instanceOf(StoreFault);
        kills++;
        // A node starts neither on both stores nor on a partly written target.
        const isOpen = async (store: MemoryStore) => (await whyClosed(store)) === undefined;
        const entries = (await one.to.head()).seq;
        const isWhole = (await markOf(one.to))?.done === true;
        if (await isOpen(one.to)) expect(isWhole || entries === 0, `write ${at}`).to.equal(true);
        if (entries > 0) expect((await isOpen(one.from)) && (await isOpen(one.to)), `write ${at}`).to.equal(false);
        await one.move();
        expect(await everything(one.to), `write ${at}`).to.deep.equal(whole);
        expect(await whyClosed(one.to)).to.equal(undefined);
        expect(await whyClosed(one.from)).to.match(/was moved/);
        await giveUp(one.side(one.from, 'here'));
      }
    }
    expect(kills).to.be.above(15);
  });

  it('refuses an entry that was tampered with, by number, and what stands behind it', async () => {
    const bad = 5;
    const row = bench.store.tables.journal[bad - 1]!;
    overwrite(bench, bad, { coreText: row.coreText.replace(/"time":(\d)/, '"time":9') });
    expect(await refused(removal.move())).to.match(
      /^here does not pass the audit: entry 5 is bad \(event [0-9a-f]{64}\): /,
    );
    // The source continues as before, and the target stays closed.
    expect(await whyClosed(removal.from)).to.equal(undefined);
    expect(await whyClosed(removal.to)).to.match(/unfinished target of a move from here/);
    overwrite(bench, bad, row);
    bench.store.tables.house.fees += 1;
    expect(await refused(removal.move())).to.match(/^here does not pass the audit: the ledger rows sum/);
    bench.store.tables.house.fees -= 1;
    const { receipts } = bench.store.tables;
    receipts[0] = { ...receipts[0]!, text: receipts[0]!.text.replace('pending', 'reverted') };
    expect(await refused(removal.move())).to.match(/^here does not pass the audit: receipt 1 was changed/);
    receipts[0] = { ...receipts[0]!, text: receipts[0]!.text.replace('reverted', 'pending') };
    expect((await removal.move()).now).to.equal(true);
  });

  it('refuses a target that is not empty, or of another journal', async () => {
    const stranger = new Removal(bench, bench.store, (await life()).store);
    expect(await refused(stranger.move())).to.match(/^there is not empty: it holds \d+ entries/);
    expect(await whyClosed(stranger.to)).to.equal(undefined);
    const keys = new Removal(bench);
    await keys.to.putLocal('api-keys', 'k1', {}, 0);
    expect(await refused(keys.move())).to.match(/^there is not empty/);
    // This holds also for a target that an unfinished move of another journal left.
    const other = new Removal(await Bench.open({}, { ada: 7 }), undefined, removal.to);
    const killed = await other.move({ at: 3, after: true }).catch((error: unknown) => error);
    expect(killed).to.be.instanceOf(StoreFault);
    expect((await removal.to.head()).seq).to.be.above(0);
    expect(await refused(removal.move())).to.match(/^there holds another journal than here/);
    expect(await whyClosed(removal.from)).to.equal(undefined);
  });

  it('refuses another network, an empty source, and a source that is closed', async () => {
    expect(await refused(removal.move(undefined, { network: 'testnet' }))).to.equal(
      'here belongs to devnet, not to testnet: ask for --network devnet',
    );
    expect(await refused(new Removal(bench, new MemoryStore()).move())).to.match(/^here holds no entries/);
    await removal.move({ at: 4, after: true }).catch(() => {});
    const unfinished = removal.back();
    expect(await refused(unfinished.move())).to.match(/^here is itself the unfinished target of a move from here/);
    expect(await whyClosed(removal.from)).to.match(/is being moved to there: finish that .* --give-up/);
    await removal.move();
    const again = new Removal(bench, removal.from);
    expect(await refused(again.move())).to.equal('here was moved to there already: what happened since then is there');
  });

  it('that is given up lets the source continue, and keeps the target closed', async () => {
    await removal.move({ at: 4, after: true }).catch(() => {});
    expect(await refused(giveUp(removal.side(removal.to, 'there')))).to.match(/^there is the unfinished target/);
    await giveUp(removal.side(removal.from, 'here'));
    expect(await whyClosed(removal.from)).to.equal(undefined);
    expect(await whyClosed(removal.to)).to.match(/unfinished target/);
    expect(await refused(giveUp(removal.side(removal.from, 'here')))).to.equal('here is not being moved');
  });
});
