import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import { isRefusal, refuse } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { ada, ben } from '../world/people.js';

const hourMs = 3_600_000;
const open = () => Bench.open({}, { ada: 1_000 });
const create = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }] };

/** Expects the same reply: the same entry and versions, rendered from the stored record. */
function same(again: Accepted, first: Accepted): void {
  expect(again.replayed).to.equal(true);
  expect(again.entry).to.deep.equal(first.entry);
  expect(again.snapshots).to.deep.equal(first.snapshots);
}

async function height(bench: Bench): Promise<number> {
  return (await bench.store.head()).seq;
}

describe('idempotency', () => {
  it('the same key and body give the same reply, and nothing new', async () => {
    const bench = await open();
    const first = accepted(await bench.transfer('ada', 'ben', 1, { key: 'k', nonce: 1 }));
    expect(first.replayed).to.equal(false);
    const before = bench.dump();
    same(accepted(await bench.transfer('ada', 'ben', 1, { key: 'k', nonce: 1 })), first);
    expect(bench.dump()).to.equal(before);
  });

  it('gives the snapshots of then, not of now', async () => {
    const bench = await open();
    const made = accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create, { key: 'k' }));
    const resourcePrev = made.entry.core.event.hash;
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'fund', { amount: 10 }, { resourcePrev }));
    const again = accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create, { key: 'k' }));
    same(again, made);
    expect(again.snapshots[0]).to.include({ state: 'created.open', version: 1 });
  });

  it('is looked at before nonce, prev and resourcePrev: they were current then', async () => {
    const bench = await open();
    const stated = { key: 'k', nonce: 1, prev: null };
    const first = accepted(await bench.transfer('ada', 'ben', 1, stated));
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 2 }));
    same(accepted(await bench.transfer('ada', 'ben', 1, stated)), first);
  });

  it('is looked at only after the key was unlocked', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 1, { key: 'k' }));
    const command = bench.command('ada', 'account', ada, 'transfer', { to: ben, amount: 1 }, { key: 'k' });
    if (isRefusal(command)) return expect.fail(command.detail);
    const locked = { ...command, unlock: () => refuse('TRANSFER_NOT_ALLOWED', 'wrong passphrase') };
    expect(codeOf(await bench.world.settle(bench.actors.execute(locked)))).to.equal('TRANSFER_NOT_ALLOWED');
  });

  it('another body is UNPROCESSABLE, and consumes nothing', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 1, { key: 'k' }));
    const before = bench.dump();
    expect(codeOf(await bench.transfer('ada', 'ben', 2, { key: 'k', body: 'other' }))).to.equal('UNPROCESSABLE');
    expect(bench.dump()).to.equal(before);
  });

  it('a key belongs to its principal', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 5, { key: 'k' }));
    expect(accepted(await bench.transfer('ben', 'ada', 1, { key: 'k', body: 'other' })).replayed).to.equal(false);
  });

  it('a refused write is not recorded: the key is free', async () => {
    const bench = await open();
    expect(codeOf(await bench.transfer('ada', 'ben', 5_000, { key: 'k' }))).to.equal('INSUFFICIENT_BALANCE');
    expect(accepted(await bench.transfer('ada', 'ben', 1, { key: 'k', body: 'other' })).replayed).to.equal(false);
  });

  it('of concurrent ones with one key one is written, and all get its reply', async () => {
    const bench = await open();
    const before = await height(bench);
    const asked = Array.from({ length: 20 }, () => bench.startTransfer('ada', 'ben', 1, { key: 'k', nonce: 1 }));
    const replies = (await bench.world.settle(Promise.all(asked))).map(accepted);
    expect(await height(bench)).to.equal(before + 1);
    expect(replies.filter(({ replayed }) => !replayed)).to.have.length(1);
    expect(new Set(replies.map(({ entry }) => entry.entryHash)).size).to.equal(1);
    expect(new Set(replies.map(({ entry }) => entry.seq)).size).to.equal(1);
  });

  it('also while the first is still on its way to the disk', async () => {
    const world = new FakeWorld();
    const store = new MemoryStore({ world, disturb: () => ({ delayMs: 50 }) });
    const bench = await Bench.open({ world, store }, { ada: 1_000 });
    const first = bench.startTransfer('ada', 'ben', 1, { key: 'k' });
    await world.advance(10);
    const other = bench.startTransfer('ada', 'ben', 2, { key: 'k', body: 'other' });
    const again = bench.startTransfer('ada', 'ben', 1, { key: 'k' });
    await world.advance(10);
    same(accepted(await world.settle(again)), accepted(await world.settle(first)));
    expect(codeOf(await world.settle(other))).to.equal('UNPROCESSABLE');
    expect((await bench.account('ada')).nonce).to.equal(1);
  });

  it('survives a restart', async () => {
    const bench = await open();
    const first = accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create, { key: 'k' }));
    const next = await bench.restart();
    same(accepted(await next.ask('ada', 'escrow', 'esc-1', 'create', create, { key: 'k' })), first);
    expect(codeOf(await next.transfer('ada', 'ben', 2, { key: 'k', body: 'other' }))).to.equal('UNPROCESSABLE');
  });

  it('holds for 24 hours at least', async () => {
    for (const startHour of [0, 12, 23.9]) {
      const world = new FakeWorld('seed', Date.UTC(2026, 0, 1) + startHour * hourMs);
      const bench = await Bench.open({ world }, { ada: 1_000 });
      const first = accepted(await bench.transfer('ada', 'ben', 1, { key: 'k' }));
      await world.advance(24 * hourMs);
      same(accepted(await bench.transfer('ada', 'ben', 1, { key: 'k' })), first);
    }
  });

  it('a key may be used again once it is forgotten', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 1, { key: 'k' }));
    await bench.world.advance(48 * hourMs);
    expect(accepted(await bench.transfer('ada', 'ben', 2, { key: 'k', body: 'other' })).replayed).to.equal(false);
    expect(bench.faults).to.deep.equal([]);
  });

  it('holds where the clock is set back over midnight', async () => {
    const world = new FakeWorld('seed', Date.UTC(2026, 0, 2, 0, 1));
    const bench = await Bench.open({ world }, { ada: 1_000 });
    const first = accepted(await bench.transfer('ada', 'ben', 1, { key: 'k' }));
    world.setWall(-2 * 60_000);
    same(accepted(await bench.transfer('ada', 'ben', 1, { key: 'k' })), first);
    expect(bench.faults, 'no fault').to.deep.equal([]);
  });
});
