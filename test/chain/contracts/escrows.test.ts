import { expect } from 'chai';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { ada, ben, cyd } from '../../world/people.js';
import { accountOf, escrowKey, Stage, startMs, states } from './stage.js';

type EscrowMove = Extract<Move, { readonly escrow: string }>;
const hourMs = 3_600_000;
const expiresAt = startMs + hourMs;
const key = escrowKey('esc-1');

const parties = { escrow: 'esc-1', from: ada, to: ben };
const reserve: Move = { op: 'reserve', ...parties, amount: 60, expiresAt };
const lock: Move = { op: 'lock', ...parties, amount: 60 };
const release = (amount: number): Move => ({ op: 'release', ...parties, amount });
const back = (op: 'refund' | 'expire' | 'unreserve', amount: number): Move => ({
  op,
  escrow: 'esc-1',
  from: ada,
  amount,
});

/** Moves that bring an escrow of 60 Tokens into each state. */
const histories: { readonly [state: string]: readonly Move[] } = {
  none: [],
  reserved: [reserve],
  funded: [reserve, lock],
  released: [reserve, lock, release(60)],
  refunded: [reserve, lock, back('refund', 60)],
  expired: [reserve, lock, back('expire', 60)],
  cancelled: [reserve, back('unreserve', 60)],
};
const allowed: { readonly [state: string]: readonly EscrowMove['op'][] } = {
  none: ['reserve'],
  reserved: ['lock', 'unreserve'],
  funded: ['release', 'refund', 'expire'],
};
const attempts: { readonly [O in EscrowMove['op']]: Move } = {
  reserve,
  lock,
  unreserve: back('unreserve', 60),
  release: release(60),
  refund: back('refund', 60),
  expire: back('expire', 60),
};

describe('escrows on chain', () => {
  let stage: Stage;
  /** The seq of the next operation, which errors contain. */
  const next = () => stage.seq + 1;
  const balances = async (did = ada) => {
    const { available, reserved, escrowed } = await stage.account(did);
    return [available, reserved, escrowed];
  };

  beforeEach(async () => {
    stage = await Stage.open();
    await stage.applies([{ op: 'mint', to: ada, amount: 100 }]);
    stage.evm.advance(2 * 3600);
  });

  it('reserve, lock, release: the money goes from available to reserved, escrowed, and to the beneficiary', async () => {
    await stage.applies([reserve]);
    expect(await balances()).to.deep.equal([40, 60, 0]);
    expect(await stage.escrow('esc-1')).to.include({
      state: 'reserved',
      amount: 60,
      remaining: 60,
      expiryMs: expiresAt,
    });
    await stage.applies([lock]);
    expect(await balances()).to.deep.equal([40, 0, 60]);
    await stage.applies([release(60)]);
    expect([await balances(), await balances(ben)]).to.deep.equal([
      [40, 0, 0],
      [60, 0, 0],
    ]);
    expect(await stage.escrow('esc-1')).to.include({ state: 'released', remaining: 0 });
  });

  it('parts of it can be released and refunded; the one that empties it names the end', async () => {
    await stage.applies([reserve, lock, release(10), back('refund', 20), release(5)]);
    expect(await stage.escrow('esc-1')).to.include({ state: 'funded', amount: 60, remaining: 25 });
    await stage.applies([back('refund', 25)]);
    expect(await stage.escrow('esc-1')).to.include({ state: 'refunded', remaining: 0 });
    expect([await balances(), await balances(ben)]).to.deep.equal([
      [85, 0, 0],
      [15, 0, 0],
    ]);
  });

  it('what its time gives back is all that is left', async () => {
    await stage.applies([reserve, lock, release(10)]);
    await stage.refusesBatch([back('expire', 49)], `WrongEscrowAmount(${next()}, ${key}, 50, 49)`);
    await stage.applies([back('expire', 50)]);
    expect(await stage.escrow('esc-1')).to.include({ state: 'expired', remaining: 0 });
    expect(await balances()).to.deep.equal([90, 0, 0]);
  });

  for (const state of Object.keys(histories)) {
    it(`${state}: takes ${allowed[state]?.join(', ') ?? 'nothing any more'}`, async () => {
      await stage.applies(histories[state]!);
      for (const [op, move] of Object.entries(attempts)) {
        if (allowed[state]?.includes(op as EscrowMove['op'])) continue;
        const refusal =
          op === 'reserve'
            ? `EscrowExists(${next()}, ${key})`
            : `WrongEscrowState(${next()}, ${key}, ${states.indexOf(state)})`;
        await stage.refusesBatch([move], refusal);
      }
      expect((await stage.escrow('esc-1')).state).to.equal(state);
    });
  }

  it('no more than it holds is released or refunded', async () => {
    await stage.applies([reserve, lock, release(10)]);
    await stage.refusesBatch([release(51)], `WrongEscrowAmount(${next()}, ${key}, 50, 51)`);
    await stage.refusesBatch([back('refund', 51)], `WrongEscrowAmount(${next()}, ${key}, 50, 51)`);
    await stage.refusesBatch([release(26), back('refund', 25)], `WrongEscrowAmount(${next() + 1}, ${key}, 24, 25)`);
  });

  it('what is locked or given back unfunded is what was reserved', async () => {
    await stage.applies([reserve]);
    for (const amount of [59, 61]) {
      await stage.refusesBatch([{ ...lock, amount } as Move], `WrongEscrowAmount(${next()}, ${key}, 60, ${amount})`);
      await stage.refusesBatch([back('unreserve', amount)], `WrongEscrowAmount(${next()}, ${key}, 60, ${amount})`);
    }
  });

  it('only its own beneficiary is paid, and only its own depositor gets back', async () => {
    await stage.applies([{ op: 'mint', to: cyd, amount: 100 }, reserve, lock]);
    const wrong = (did: string) => `WrongEscrowParty(${next()}, ${key}, ${accountOf(did)})`;
    await stage.refusesBatch([{ op: 'release', ...parties, to: cyd, amount: 1 }], wrong(cyd));
    await stage.refusesBatch([{ op: 'release', ...parties, to: ada, amount: 1 }], wrong(ada));
    await stage.refusesBatch([{ op: 'release', ...parties, from: cyd, amount: 1 }], wrong(cyd));
    await stage.refusesBatch([{ op: 'refund', escrow: 'esc-1', from: cyd, amount: 1 }], wrong(cyd));
    await stage.refusesBatch([{ op: 'refund', escrow: 'esc-1', from: ben, amount: 1 }], wrong(ben));
    await stage.refusesBatch([{ op: 'expire', escrow: 'esc-1', from: cyd, amount: 60 }], wrong(cyd));
  });

  it('only its own depositor funds or gives up', async () => {
    await stage.applies([{ op: 'mint', to: cyd, amount: 100 }, reserve]);
    const wrong = `WrongEscrowParty(${next()}, ${key}, ${accountOf(cyd)})`;
    await stage.refusesBatch([{ op: 'lock', ...parties, from: cyd, amount: 60 }], wrong);
    await stage.refusesBatch([{ op: 'unreserve', escrow: 'esc-1', from: cyd, amount: 60 }], wrong);
  });

  it('no account reserves more than is available', async () => {
    const error = `InsufficientBalance(${next()}, ${accountOf(ada)}, 100, 101)`;
    await stage.refusesBatch([{ op: 'reserve', ...parties, amount: 101 }], error);
  });

  it('does not expire before its time, by the time of the operation', async () => {
    const fresh = await Stage.open();
    await fresh.applies([{ op: 'mint', to: ada, amount: 100 }, reserve, lock], { times: [startMs, startMs, startMs] });
    fresh.evm.advance(3600);
    const early = { times: [expiresAt - 1] };
    await fresh.refusesBatch(
      [back('expire', 60)],
      `EscrowNotExpired(4, ${key}, ${expiresAt}, ${expiresAt - 1})`,
      early,
    );
    await fresh.applies([back('expire', 60)], { times: [expiresAt] });
  });

  it('one without an expiry never expires', async () => {
    const endless: Move = { op: 'reserve', ...parties, amount: 60 };
    await stage.applies([endless, lock]);
    const now = stage.evm.now * 1000;
    await stage.refusesBatch([back('expire', 60)], `EscrowNotExpired(${next()}, ${key}, 0, ${now})`);
  });

  it('stays releasable and refundable after its time, until the stream says that it expired', async () => {
    await stage.applies([reserve, lock, release(1), back('refund', 1)]);
    expect(stage.evm.now * 1000).to.be.greaterThan(expiresAt);
  });

  it('an escrow to oneself keeps the sums', async () => {
    const self = { escrow: 'self', from: ada, to: ada };
    await stage.applies([
      { op: 'reserve', ...self, amount: 60 },
      { op: 'lock', ...self, amount: 60 },
      { op: 'release', ...self, amount: 60 },
    ]);
    expect(await balances()).to.deep.equal([100, 0, 0]);
  });
});
