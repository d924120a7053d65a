import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { accepted, Bench, codeOf } from '../../world/bench.js';
import { withPayouts } from '../../world/payout.js';
import { ben } from '../../world/people.js';

/** Given an escrow of 100 for Ben that a payout of Ada's created. */
async function owned(autoFund = true): Promise<Bench> {
  const bench = await Bench.open({ catalogue: withPayouts }, { ada: 1_000 });
  const input = { escrowId: 'esc-owned', beneficiary: ben, amount: 100, autoFund };
  accepted(await bench.ask('ada', 'payout', 'payout-1', 'start', input));
  return bench;
}

const drive = (bench: Bench, input: JsonObject) => bench.ask('ada', 'payout', 'payout-1', 'drive', input);
const prevOf = (bench: Bench) => bench.store.tables.snapshot('escrow', 'esc-owned')!.lastHash;

describe('escrow: owned by an order, lease or contract', () => {
  it('is made in its owner’s name, and is not revocable', async () => {
    const bench = await owned();
    const { state, context } = bench.store.tables.snapshot('escrow', 'esc-owned')!;
    expect(state).to.equal('funded');
    expect(context).to.deep.include({ purpose: { kind: 'payout', id: 'payout-1' }, revocable: false });
  });

  for (const who of ['ada', 'ben', 'cyd']) {
    for (const [action, body] of [
      ['fund', { amount: 100 }],
      ['release', { amount: 1 }],
      ['refund', { amount: 1, reason: 'x' }],
      ['expire', {}],
      ['cancel', {}],
    ] as const) {
      it(`a direct ${action} by ${who} is ESCROW_RULE_NOT_MET`, async () => {
        const bench = await owned(action === 'release' || action === 'refund');
        const before = bench.dump();
        const stated = { resourcePrev: prevOf(bench) };
        const result = await bench.ask(who, 'escrow', 'esc-owned', action, body, stated);
        expect(codeOf(result)).to.equal('ESCROW_RULE_NOT_MET');
        expect(bench.dump()).to.equal(before);
      });
    }
  }

  it('moves with its owner’s workflow, in the owner’s entry', async () => {
    const bench = await owned();
    const paid = accepted(await drive(bench, { action: 'release', amount: 60 }));
    expect(paid.entry.core.versions.map(({ kind }) => kind)).to.deep.equal(['payout', 'escrow']);
    accepted(await drive(bench, { action: 'refund', amount: 40 }));
    expect(await bench.balances('ada')).to.deep.equal([940, 0, 0]);
    expect(await bench.balances('ben')).to.deep.equal([60, 0, 0]);
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('still holds to its state and to what remains', async () => {
    const bench = await owned();
    expect(codeOf(await drive(bench, { action: 'release', amount: 101 }))).to.equal('UNPROCESSABLE');
    accepted(await drive(bench, { action: 'release', amount: 100 }));
    expect(codeOf(await drive(bench, { action: 'refund', amount: 1 }))).to.equal('ESCROW_INVALID_STATE');
  });

  it('the clock still lapses one that was never funded', async () => {
    const bench = await owned(false);
    await bench.world.advance(30 * dayMs);
    accepted(await bench.operate('escrow', 'esc-owned', 'lapse'));
    expect(await bench.balances('ada')).to.deep.equal([1_000, 0, 0]);
  });
});
