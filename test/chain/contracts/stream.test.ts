import { expect } from 'chai';
import { roleOf } from '../../../src/chain/contracts/interfaces.js';
import { genesisHead, nextHead } from '../../../src/chain/operations/operation-batch.js';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { ada, ben } from '../../world/people.js';
import { admin, eventsOf, hexOf, network, operator, Stage, startMs, stranger } from './stage.js';

const mint: Move = { op: 'mint', to: ada, amount: 10 };
const pay: Move = { op: 'transfer', from: ada, to: ben, amount: 1, fee: 0 };
const quarterMs = 15 * 60_000;

describe('Settlement', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await Stage.open();
  });

  it('begins with the head that names the network, and nothing applied', async () => {
    const { lastSeq, head, anchored } = await stage.cursor();
    expect({ lastSeq, head, anchored }).to.deep.equal({ lastSeq: 0, head: hexOf(genesisHead(network)), anchored: 0 });
  });

  it('takes a batch: cursor, head, time and event', async () => {
    const operations = stage.pack([mint, pay], [startMs, startMs + 5]);
    const head = operations.reduce((before, each) => nextHead(before, each), genesisHead(network));
    const at = stage.evm.now;
    const mined = await stage.applies([], { operations });
    expect(eventsOf(mined).at(-1)).to.deep.equal({ name: 'BatchApplied', args: [1, 2, hexOf(head), startMs + 5] });
    expect(await stage.cursor()).to.deep.equal({
      lastSeq: 2,
      head: hexOf(head),
      lastTimeMs: startMs + 5,
      batchAt: at,
      anchored: 0,
    });
  });

  it('has the same head however the stream is cut', async () => {
    const other = await Stage.open();
    const moves = [mint, pay, pay, pay, pay];
    const times = moves.map(() => startMs);
    const operations = stage.pack(moves, times);
    await stage.applies([], { operations });
    for (const operation of operations) await other.applies([], { operations: [operation] });
    expect((await stage.cursor()).head).to.equal((await other.cursor()).head);
    expect(await stage.account(ben)).to.deep.equal(await other.account(ben));
  });

  it('applies nothing twice', async () => {
    const operations = stage.pack([mint, pay]);
    const prevHead = stage.head;
    await stage.applies([], { operations });
    await stage.refusesBatch([], 'AlreadyApplied(2, 1)', { operations, first: 1, prevHead });
    await stage.refusesBatch([], 'AlreadyApplied(2, 2)', { operations: operations.slice(1), first: 2 });
    expect(await stage.account(ben)).to.include({ available: 1 });
  });

  it('leaves no gap', async () => {
    await stage.applies([mint]);
    await stage.refusesBatch([pay], 'GapInStream(1, 3)', { first: 3 });
  });

  it('continues from its own head only', async () => {
    await stage.applies([mint]);
    const prevHead = genesisHead(network);
    await stage.refusesBatch([pay], `WrongHead(${hexOf(stage.head)}, ${hexOf(prevHead)})`, { prevHead });
  });

  it('takes all of a batch, or none', async () => {
    await stage.applies([mint]);
    const before = await stage.cursor();
    await stage.refusesBatch([pay, { ...pay, amount: 10 }], /^InsufficientBalance\(3, /);
    expect(await stage.cursor()).to.deep.equal(before);
    expect(await stage.account(ada)).to.include({ available: 10 });
  });

  it('takes an empty batch as a sign of life', async () => {
    await stage.applies([mint]);
    stage.evm.advance(86_400);
    const { batchAt, ...before } = await stage.cursor();
    const mined = await stage.applies([]);
    expect(eventsOf(mined)).to.deep.equal([{ name: 'BatchApplied', args: [2, 1, before.head, before.lastTimeMs] }]);
    expect(await stage.cursor()).to.deep.equal({ ...before, batchAt: stage.evm.now - 1 });
    expect(stage.evm.now - batchAt).to.be.greaterThan(86_400);
  });

  it('refuses what is no operation', async () => {
    const whole = stage.pack([mint])[0]!;
    const unknown = Buffer.from(whole);
    for (const kind of [0, 14, 31, 32, 255]) {
      unknown[0] = kind;
      await stage.refusesBatch([], `UnknownKind(2, ${kind})`, { operations: [whole, unknown] });
    }
    await stage.refusesBatch([], 'CutOperation(1)', { operations: [whole.subarray(0, -1)] });
    await stage.refusesBatch([], 'CutOperation(2)', { operations: [whole, whole.subarray(0, 1)] });
  });

  it('refuses an operation that goes back in time, within a batch or between two', async () => {
    const [now, before] = [startMs, startMs - 1];
    await stage.refusesBatch([mint, mint], `TimeWentBack(2, ${now}, ${before})`, { times: [now, before] });
    await stage.applies([mint, mint], { times: [before, now] });
    await stage.refusesBatch([mint], `TimeWentBack(3, ${now}, ${before})`, { times: [before] });
    await stage.applies([mint], { times: [now] });
  });

  it('refuses an operation more than 15 minutes ahead of the block', async () => {
    const latest = stage.evm.now * 1000 + quarterMs;
    await stage.refusesBatch([mint], `TimeAhead(${latest + 1}, ${latest})`, { times: [latest + 1] });
    await stage.applies([mint], { times: [stage.evm.now * 1000 + quarterMs] });
  });

  it('is the operator’s to send, not even the admin’s', async () => {
    const role = await roleOf('OPERATOR_ROLE');
    for (const from of [admin, stranger]) {
      await stage.refusesBatch([mint], `AccessControlUnauthorizedAccount(${from}, ${role})`, { from });
    }
    await stage.does(admin, 'Settlement', 'grantRole', [role, stranger]);
    await stage.does(admin, 'Settlement', 'revokeRole', [role, operator]);
    await stage.refusesBatch([mint], `AccessControlUnauthorizedAccount(${operator}, ${role})`);
    await stage.applies([mint], { from: stranger });
  });

  it('is the only way into the vault', async () => {
    for (const from of [operator, admin, stranger]) {
      await stage.refuses(from, 'LedgerVault', 'execute', [1, stage.pack([mint])[0]], `OnlySettlement(${from})`);
    }
  });

  it('anchors each entry of the journal once, in order', async () => {
    const root = hexOf(genesisHead('a root'));
    expect(await stage.does(operator, 'Settlement', 'anchor', [1, 1000, root])).to.deep.equal([
      { name: 'Anchored', args: [1, 1000, root] },
    ]);
    for (const [first, last] of [
      [1, 1000],
      [1000, 1001],
      [1002, 1003],
      [1001, 1000],
    ]) {
      const error = `AnchorOutOfOrder(1000, ${first}, ${last})`;
      await stage.refuses(operator, 'Settlement', 'anchor', [first, last, root], error);
    }
    await stage.does(operator, 'Settlement', 'anchor', [1001, 1001, root]);
    expect(await stage.asks('Settlement', 'anchors', [1000])).to.deep.equal([root]);
    expect((await stage.cursor()).anchored).to.equal(1001);
    await stage.refuses(
      admin,
      'Settlement',
      'anchor',
      [1002, 1002, root],
      `AccessControlUnauthorizedAccount(${admin}, ${await roleOf('OPERATOR_ROLE')})`,
    );
  });
});
