/**
 * The rules of an order of information, without the preparation that a route does: what the entries of other homes must
 * satisfy.
 */
import { expect } from 'chai';
import type { Command } from '../../../src/actors/command.js';
import { dayMs } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { dealRecordIdOf } from '../../../src/machines/reputation/record.js';
import { accepted, Bench, codeOf } from '../../world/bench.js';
import { delivered, envelopeOf } from '../../world/envelope.js';
import { signer } from '../../world/people.js';

const wrapped = { algorithm: 'x', senderPublicKeyHex: '00', nonceHex: '00', ciphertextHex: '00', tagHex: '00' };
const sold = { ciphertextHash: 'ab'.repeat(32), keptKey: wrapped };

/** A command after its request transformers, as an entry contains it. */
async function prepared(bench: Bench, who: string, command: Omit<Command, 'signer' | 'unlock'>) {
  const by = signer(who);
  return bench.world.settle(bench.actors.execute({ ...command, signer: by.did, unlock: () => by }));
}

/** Given that Ada has bought from Ben. */
async function bought(listing: JsonObject = {}): Promise<Bench> {
  const bench = await Bench.open({}, { ada: 1_000 });
  const offer = { ...infoListing.create.example, ...listing };
  accepted(await prepared(bench, 'ben', { kind: 'info-listing', id: 'lst-1', action: 'create', input: offer }));
  const input = { listingId: 'lst-1', buyerPublicKeyHex: '11'.repeat(32) };
  accepted(await bench.ask('ada', 'info-order', 'ord-1', 'create', input, { ids: { escrow: 'esc-1' } }));
  return bench;
}

const deliver = (bench: Bench, input: JsonObject = { sealed: { accessUrlEnvelope: wrapped } }) =>
  prepared(bench, 'ben', { kind: 'info-order', id: 'ord-1', action: 'deliver', input });

describe('info-order: rules without a route', () => {
  it('accepts no delivery of encrypted content without its key', async () => {
    const bench = await bought({ package: sold });
    const before = bench.dump();
    for (const input of [{}, { sealed: {} }, { sealed: { accessUrlEnvelope: wrapped } }]) {
      expect(codeOf(await deliver(bench, input))).to.equal('UNPROCESSABLE');
    }
    expect(bench.dump()).to.equal(before);
    accepted(await deliver(bench, { sealed: { keyEnvelope: wrapped } }));
  });

  it('accepts no empty delivery', async () => {
    const bench = await bought();
    for (const input of [{}, { sealed: {} }, { deliveryData: {} }]) {
      expect(codeOf(await deliver(bench, input))).to.equal('UNPROCESSABLE');
    }
    accepted(await deliver(bench, { deliveryData: { place: 'shelf 4' } }));
  });

  it('accepts only the deliverer’s envelope, signed, for this order', async () => {
    const bench = await bought();
    const sound = envelopeOf('ben', 'ord-1');
    for (const deliveryData of [
      { envelope: sound },
      delivered({ ...sound, signature: undefined }),
      delivered(envelopeOf('ada', 'ord-1')),
      delivered(envelopeOf('ben', 'ord-1', { by: 'ada' })),
      delivered(envelopeOf('ben', 'ord-2')),
    ]) {
      expect(codeOf(await deliver(bench, { deliveryData }))).to.equal('UNPROCESSABLE');
    }
    accepted(await deliver(bench, { deliveryData: delivered(sound) }));
  });

  it('only the clock cancels and settles, and not before it is time', async () => {
    const bench = await bought();
    const clock = (action: string) => bench.operate('info-order', 'ord-1', action);
    expect(codeOf(await clock('lapse'))).to.equal('ORDER_INVALID_STATE');
    for (const who of ['ada', 'ben', 'cyd']) {
      expect(codeOf(await bench.ask(who, 'info-order', 'ord-1', 'lapse', {}))).to.equal('FORBIDDEN');
    }
    accepted(await deliver(bench));
    expect(codeOf(await clock('settle'))).to.equal('ORDER_INVALID_STATE');
    await bench.world.advance(7 * dayMs);
    accepted(await clock('settle'));
    expect(bench.store.tables.snapshot('info-order', 'ord-1')?.state).to.equal('confirmed');
    expect(await bench.balances('ben')).to.deep.equal([25, 0, 0]);
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('accepts a delivery past deliverBy, which counts as late, until the clock has cancelled the order', async () => {
    const bench = await bought();
    await bench.world.advance(8 * dayMs);
    accepted(await deliver(bench));
    expect(codeOf(await bench.operate('info-order', 'ord-1', 'lapse'))).to.equal('ORDER_INVALID_STATE');
    accepted(await bench.ask('ada', 'info-order', 'ord-1', 'confirm', {}));
    const late = bench.store.tables.snapshot('reputation', dealRecordIdOf('ord-1', 'fulfillment', signer('ben').did));
    expect(late?.context.score).to.equal(500);
  });

  it('accepts none once the clock has cancelled the order', async () => {
    const bench = await bought();
    await bench.world.advance(7 * dayMs);
    accepted(await bench.operate('info-order', 'ord-1', 'lapse'));
    expect(codeOf(await deliver(bench))).to.equal('ORDER_INVALID_STATE');
  });

  it('is one entry for all that it writes, and refused whole', async () => {
    const bench = await bought({ stock: 1 });
    const kinds = (entry: { core: { versions: readonly { kind: string }[] } }) =>
      entry.core.versions.map(({ kind }) => kind).sort();
    const [purchase] = (await bench.store.entries({ after: 0, limit: 100, type: 'order.purchased' })) ?? [];
    expect(kinds(purchase!)).to.deep.equal(['escrow', 'info-listing', 'info-order', 'listing-stats']);
    accepted(await deliver(bench));
    const { entry } = accepted(await bench.ask('ada', 'info-order', 'ord-1', 'confirm', {}));
    expect(kinds(entry)).to.deep.equal([
      'escrow',
      'info-order',
      'listing-stats',
      'reputation',
      'reputation',
      'reputation',
    ]);
    expect(entry.core.moves).to.have.length(1);
  });
});
