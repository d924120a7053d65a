/** A version that the code does not know is refused with a clear word, never silently reinterpreted (design.md). */
import { expect } from 'chai';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import { isRefusal } from '../../src/machines/kernel/refusal.js';
import { accepted, Bench } from '../world/bench.js';
import { ben } from '../world/people.js';

const newer = catalogueOf([...Object.values(everyKind.definitions), { ...escrow, revision: escrow.revision + 1 }]);
const create = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }], autoFund: true };

describe('a resource under a law that this node does not know', () => {
  it('is not acted upon, and says which law it is under', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    const next = await bench.restart({ catalogue: newer });
    const before = next.dump();
    const result = await next.ask('ada', 'escrow', 'esc-1', 'release', { amount: 10 });
    if (!isRefusal(result)) return expect.fail('it was to be refused');
    expect(result.code).to.equal('INTERNAL_ERROR');
    expect(result.detail).to.match(/under law escrow-\d+-[0-9a-f]{12}; this node knows escrow-\d+-[0-9a-f]{12} only/);
    expect(next.dump()).to.equal(before);
  });

  it('new ones are made under the new law', async () => {
    const bench = await Bench.open({ catalogue: newer }, { ada: 100 });
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'release', { amount: 10 }));
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('the audit names the first entry that another law gave', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    const { entry } = accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    const next = await bench.restart({ catalogue: newer });
    const { flaw } = await next.audit();
    expect(flaw).to.include({ seq: entry.seq });
    expect(flaw?.what).to.match(/^it was decided by escrow-2-[0-9a-f]{12}, and this program knows escrow-3-/);
  });
});
