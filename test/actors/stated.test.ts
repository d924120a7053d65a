import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { ada, ben } from '../world/people.js';

const hash = 'ab'.repeat(32);
const minuteMs = 60_000;
const open = () => Bench.open({}, { ada: 1_000, ben: 1_000 });

describe('prev', () => {
  it('is null for the first event and then the hash of the last', async () => {
    const bench = await open();
    const first = accepted(await bench.transfer('ada', 'ben', 1, { prev: null }));
    expect(first.entry.core.event.prev).to.equal(null);
    const { hash: prev } = first.entry.core.event;
    const second = accepted(await bench.transfer('ada', 'ben', 1, { prev }));
    expect(second.entry.core.event.prev).to.equal(prev);
    expect((await bench.account('ada')).lastHash).to.equal(second.entry.core.event.hash);
  });

  it('is filled in where it is not stated', async () => {
    const bench = await open();
    const first = accepted(await bench.transfer('ada', 'ben', 1));
    const second = accepted(await bench.transfer('ada', 'ben', 1));
    expect(second.entry.core.event.prev).to.equal(first.entry.core.event.hash);
  });

  it('CONFLICT where it is not current', async () => {
    const bench = await open();
    expect(codeOf(await bench.transfer('ada', 'ben', 1, { prev: hash }))).to.equal('CONFLICT');
    const { entry } = accepted(await bench.transfer('ada', 'ben', 1));
    for (const prev of [null, hash]) {
      expect(codeOf(await bench.transfer('ada', 'ben', 1, { prev }))).to.equal('CONFLICT');
    }
    accepted(await bench.transfer('ada', 'ben', 1, { prev: entry.core.event.hash, nonce: 2 }));
  });

  it('is not moved by what others do to the account', async () => {
    const bench = await open();
    const { entry } = accepted(await bench.transfer('ada', 'ben', 1));
    accepted(await bench.transfer('ben', 'ada', 1));
    accepted(await bench.operate('account', ada, 'freeze'));
    accepted(await bench.operate('account', ada, 'unfreeze'));
    accepted(await bench.transfer('ada', 'ben', 1, { prev: entry.core.event.hash }));
  });
});

describe('resourcePrev', () => {
  const create = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }], autoFund: true };

  it('two who state the same one: the first wins, the other is CONFLICT', async () => {
    const bench = await open();
    const made = accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    const stated = { resourcePrev: made.entry.core.event.hash };
    const release = bench.start('ada', 'escrow', 'esc-1', 'release', { amount: 1 }, stated);
    const refund = bench.start('ben', 'escrow', 'esc-1', 'refund', { amount: 1, reason: 'x' }, stated);
    expect((await bench.world.settle(Promise.all([release, refund]))).map(codeOf)).to.deep.equal([
      'accepted',
      'CONFLICT',
    ]);
  });

  it('is the identity’s last event, too', async () => {
    const bench = await open();
    const body = { credential: { type: ['x'] } };
    expect(codeOf(await bench.ask('ada', 'identity', ada, 'register', body, { resourcePrev: hash }))).to.equal(
      'CONFLICT',
    );
    const { entry } = accepted(await bench.ask('ada', 'identity', ada, 'register', body, { resourcePrev: null }));
    accepted(await bench.ask('ada', 'identity', ada, 'register', body, { resourcePrev: entry.core.event.hash }));
  });
});

describe('ts', () => {
  for (const [what, offMs, code] of [
    ['ten minutes ago', -10 * minuteMs, 'accepted'],
    ['in ten minutes', 10 * minuteMs, 'accepted'],
    ['longer ago', -10 * minuteMs - 1, 'INVALID_REQUEST'],
    ['later', 10 * minuteMs + 1, 'INVALID_REQUEST'],
  ] as const) {
    it(`${what} is ${code}`, async () => {
      const bench = await open();
      const ts = bench.world.now() + offMs;
      const result = await bench.transfer('ada', 'ben', 1, { ts });
      expect(codeOf(result)).to.equal(code);
      if (isRefusal(result)) expect(result.extras.errors?.[0]).to.include({ field: 'ts' });
      else expect(result.entry.core).to.deep.include({ time: bench.world.now() });
    });
  }

  it('is the signer’s statement; without one it is the entry’s time', async () => {
    const bench = await open();
    const ts = bench.world.now() - minuteMs;
    expect(accepted(await bench.transfer('ada', 'ben', 1, { ts })).entry.core.event.ts).to.equal(ts);
    expect(accepted(await bench.transfer('ada', 'ben', 1)).entry.core.event.ts).to.equal(bench.world.now());
  });
});

describe('most', () => {
  const create = (amount: number, more = {}) => ({
    ...{ beneficiary: ben, amount, releaseRules: [{ type: 'manual' }], autoFund: true, ...more },
  });

  it('bounds what leaves the signer’s available Tokens, with the fee, and nothing is written otherwise', async () => {
    const bench = await open();
    const fee = { fee: 1 };
    const refused = await bench.transfer('ada', 'ben', 4, { most: 4 }, fee);
    expect(refused).to.deep.include({ code: 'CONFLICT', extras: { taken: 5, paid: 0 } });
    expect((await bench.account('ada')).nonce).to.equal(0);
    const { core } = accepted(await bench.transfer('ada', 'ben', 4, { most: 5 }, fee)).entry;
    expect(core.event).to.include({ most: 5 }).and.not.have.property('until');
    expect(codeOf(await bench.ask('ada', 'escrow', 'esc-1', 'create', create(7), { most: 6 }))).to.equal('CONFLICT');
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create(7), { most: 7 }));
  });

  it('bounds what the signer’s escrows pay to others; what comes back costs nothing', async () => {
    const bench = await open();
    const made = accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create(10)));
    const act = (who: string, action: string, input: object, most: number, resourcePrev: string) =>
      bench.ask(who, 'escrow', 'esc-1', action, input as never, { most, resourcePrev });
    const first = made.entry.core.event.hash;
    const refused = await act('ada', 'release', { amount: 3 }, 2, first);
    expect(refused).to.deep.include({ code: 'CONFLICT', extras: { taken: 0, paid: 3 } });
    const released = accepted(await act('ada', 'release', { amount: 3 }, 3, first));
    accepted(await act('ben', 'refund', { amount: 4, reason: 'x' }, 0, released.entry.core.event.hash));
  });

  it('of 0 signs what must cost nothing', async () => {
    const bench = await open();
    const body = { credential: { type: ['x'] } };
    accepted(await bench.ask('ada', 'identity', ada, 'register', body, { most: 0 }));
    expect(codeOf(await bench.transfer('ada', 'ben', 1, { most: 0 }))).to.equal('CONFLICT');
  });
});

describe('until', () => {
  it('is the latest time of the entry', async () => {
    const bench = await open();
    const until = bench.world.now();
    const { core } = accepted(await bench.transfer('ada', 'ben', 1, { until })).entry;
    expect(core.event).to.include({ until }).and.not.have.property('most');
    await bench.world.advance(1);
    expect(codeOf(await bench.transfer('ada', 'ben', 1, { until }))).to.equal('CONFLICT');
    expect((await bench.account('ada')).nonce).to.equal(1);
  });

  it('passes for a request that waits for an earlier nonce', async () => {
    const bench = await open();
    const late = bench.startTransfer('ada', 'ben', 2, { nonce: 2, until: bench.world.now() + 10 });
    await bench.world.advance(20);
    const early = bench.startTransfer('ada', 'ben', 1, { nonce: 1 });
    expect((await bench.world.settle(Promise.all([early, late]))).map(codeOf)).to.deep.equal(['accepted', 'CONFLICT']);
  });
});

describe('the entry’s time', () => {
  it('never decreases, whatever the clock does', async () => {
    const bench = await open();
    const first = accepted(await bench.transfer('ada', 'ben', 1)).entry.core.time;
    bench.world.setWall(-540_000);
    expect(accepted(await bench.transfer('ada', 'ben', 1)).entry.core.time).to.equal(first);
    const next = await bench.restart();
    expect(accepted(await next.transfer('ada', 'ben', 1)).entry.core.time).to.equal(first);
    next.world.setWall(540_001);
    expect(accepted(await next.transfer('ada', 'ben', 1)).entry.core.time).to.equal(first + 1);
    expect(await next.audit()).to.include({ ok: true });
  });
});

describe('the order of refusals', () => {
  it('is nonce, ts, prev, resourcePrev, party, state, guard, funds', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    const body = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }] };
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', body));
    const wrong = { nonce: 7_000, ts: 1, prev: hash, resourcePrev: hash };
    const fund = (stated: object) => bench.ask('dan', 'escrow', 'esc-1', 'fund', { amount: 9 }, stated);
    const first = async (stated: object) => {
      const result = await fund(stated);
      return isRefusal(result) ? `${result.code} ${result.detail.split(' ')[0]}` : 'accepted';
    };
    expect(await first(wrong)).to.equal('CONFLICT nonce');
    expect(await first({ ...wrong, nonce: 1 })).to.equal('INVALID_REQUEST ts:');
    expect(await first({ ...wrong, nonce: 1, ts: undefined })).to.equal('CONFLICT prev');
    expect(await first({ resourcePrev: hash })).to.equal('CONFLICT resourcePrev');
    const current = { resourcePrev: bench.store.tables.snapshot('escrow', 'esc-1')!.lastHash };
    expect(await first(current)).to.equal('FORBIDDEN only');
  });

  it('a wrong passphrase is refused before a stale nonce, and after an unknown resource', async () => {
    const bench = await open();
    const command = bench.command('ada', 'account', ada, 'transfer', { to: ben, amount: 1 }, { nonce: 99 });
    if (isRefusal(command)) return expect.fail(command.detail);
    const { refuse } = await import('../../src/core/refusal.js');
    const locked = { ...command, unlock: () => refuse('TRANSFER_NOT_ALLOWED', 'wrong passphrase') };
    expect(codeOf(await bench.world.settle(bench.actors.execute(locked)))).to.equal('TRANSFER_NOT_ALLOWED');
    const missing = { ...locked, kind: 'escrow', id: 'esc-none', action: 'release', input: { amount: 1 } };
    expect(codeOf(await bench.world.settle(bench.actors.execute(missing)))).to.equal('ESCROW_NOT_FOUND');
  });
});
