import { expect } from 'chai';
import { SystemWriter } from '../../src/actors/system.js';
import { deriveSigner } from '../../src/keys/signing.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { ada, ben, didOf, signer } from '../world/people.js';

const appointments = async (bench: Bench) =>
  (await bench.store.entries({ after: 0, limit: 100, type: 'node.appointed' })).map(({ core }) => core.event.issuer);

describe('the system key', () => {
  it('is appointed by the node’s own key, in the journal’s first entry, once', async () => {
    const bench = await Bench.open();
    expect(await appointments(bench)).to.deep.equal([didOf('node')]);
    const next = await (await bench.restart()).restart();
    expect(await appointments(next)).to.deep.equal([didOf('node')]);
  });

  it('has its own nonces', async () => {
    const bench = await Bench.open({}, { ada: 1, ben: 1 });
    expect((await bench.store.account(bench.system.signer.did))?.nonce).to.equal(2);
    expect((await bench.store.account(didOf('node')))?.nonce).to.equal(1);
  });

  it('is appointed by no one else', async () => {
    const bench = await Bench.open();
    const result = await bench.ask('ada', 'node', didOf('node'), 'appoint', { system: ada });
    expect(codeOf(result)).to.equal('FORBIDDEN');
  });

  it('another key’s system entries are refused by the audit', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    const impostor = new SystemWriter(bench.actors, signer('eve'));
    const { entry } = accepted(
      await bench.world.settle(impostor.execute({ kind: 'account', id: ben, action: 'mint', input: { amount: 1 } })),
    );
    const report = await bench.audit();
    expect(report.flaw).to.include({ seq: entry.seq, eventHash: entry.core.event.hash });
    expect(report.flaw?.what).to.match(/TRANSFER_NOT_ALLOWED/);
  });

  it('a node that got another system key appoints that one, too, and both stay valid', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    const second = new SystemWriter(bench.actors, deriveSigner(signer('node'), 'another purpose'));
    expect(await bench.world.settle(second.appoint(signer('node')))).to.equal(undefined);
    accepted(
      await bench.world.settle(second.execute({ kind: 'account', id: ben, action: 'mint', input: { amount: 1 } })),
    );
    accepted(await bench.mint('cyd', 1));
    expect(await bench.audit()).to.include({ ok: true, supply: 12 });
  });

  it('may not do what is a party’s', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    const create = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }], autoFund: true };
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    for (const [action, input] of [
      ['release', { amount: 10 }],
      ['refund', { amount: 10, reason: 'x' }],
      ['cancel', {}],
    ] as const) {
      expect(codeOf(await bench.operate('escrow', 'esc-1', action, input)), action).to.equal('FORBIDDEN');
    }
  });
});
