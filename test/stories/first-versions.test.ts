/**
 * Journals written under the first release's definitions: they replay, and their resources continue under the current
 * definitions.
 */
import { expect } from 'chai';
import type { JsonObject } from '../../src/core/canonical.js';
import { catalogue, catalogueOf } from '../../src/machines/catalogue.js';
import type { Resource } from '../../src/machines/kernel/definition.js';
import type { AnyDefinition } from '../../src/machines/kernel/resource.js';
import { migrate } from '../../src/machines/kernel/versioning.js';
import { infoListing } from '../../src/machines/listing/info.js';
import { taskListing } from '../../src/machines/listing/task.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { firstVersions } from '../world/first-versions.js';
import { listing as capability } from '../world/lease-story.js';
import { ben } from '../world/people.js';

const byYear = { subscriptionPrice: { period: 'year', price: 100 } };
const buyerPublicKeyHex = '11'.repeat(32);

describe('resources of the first definition versions', () => {
  const publish = async (bench: Bench, kind: string, id: string, offer: JsonObject) =>
    accepted(await bench.ask('ben', kind, id, 'create', offer));
  const lease = (bench: Bench, id: string) =>
    bench.ask('ada', 'lease', id, 'create', { listingId: 'lst-lease', plan: {} }, { ids: { escrow: `esc-${id}` } });
  const buy = (bench: Bench, id: string) => {
    const input = { listingId: 'lst-info', buyerPublicKeyHex };
    return bench.ask('ada', 'info-order', id, 'create', input, { ids: { escrow: `esc-${id}` } });
  };
  const terminate = async (bench: Bench, id: string) =>
    accepted(await bench.ask('ben', 'lease', id, 'terminate', {})).snapshots.find(({ kind }) => kind === 'lease')!
      .context.settled;
  const deliver = (bench: Bench, id: string, input: JsonObject = {}) =>
    bench.ask('ben', 'info-order', id, 'deliver', input);

  it('replay as they were decided, and are decided by the current versions from then on', async () => {
    const bench = await Bench.open({ catalogue: firstVersions }, { ada: 1_000 });
    await publish(bench, 'capability-listing', 'lst-lease', { ...capability, pricing: byYear });
    await publish(bench, 'info-listing', 'lst-info', infoListing.create.example);
    accepted(await bench.ask('ben', 'info-listing', 'lst-info', 'update', { pricing: { price: 30 } }));
    for (const id of ['lease-1', 'lease-2']) accepted(await lease(bench, id));
    for (const id of ['ord-1', 'ord-2']) accepted(await buy(bench, id));
    expect(await terminate(bench, 'lease-1')).to.include({ paid: 100, refunded: 0 });
    accepted(await deliver(bench, 'ord-1'));

    const now = await bench.restart({ catalogue });
    expect(await now.audit()).to.include({ ok: true });
    accepted(await now.ask('ada', 'info-order', 'ord-1', 'confirm', {}));
    expect(codeOf(await deliver(now, 'ord-2'))).to.equal('UNPROCESSABLE');
    accepted(await deliver(now, 'ord-2', { deliveryData: { place: 'shelf 4' } }));
    expect(await terminate(now, 'lease-2')).to.include({ paid: 0, refunded: 100 });
    accepted(await buy(now, 'ord-3'));
    accepted(await now.ask('ben', 'info-listing', 'lst-info', 'update', { pricing: { price: 31 } }));
    expect(codeOf(await buy(now, 'ord-4'))).to.equal('CONFLICT');
    expect(await now.audit()).to.include({ ok: true });
  });

  it('have states for what earlier versions had flags for: how an escrow ended, an award, a consent', async () => {
    const flat = catalogueOf(
      Object.values(catalogue.definitions).map((each) => ((each.past ?? []) as readonly AnyDefinition[])[0] ?? each),
      catalogue.workflows,
    );
    const bench = await Bench.open({ catalogue: flat }, { ada: 1_000 });
    const reserve = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }] };
    for (const id of ['esc-a', 'esc-b', 'esc-c']) accepted(await bench.ask('ada', 'escrow', id, 'create', reserve));
    accepted(await bench.ask('ada', 'escrow', 'esc-b', 'cancel', {}));
    const terms = { provider: ben, terms: { scope: 'x' }, payment: { totalAmount: 60 } };
    for (const id of ['ctr-1', 'ctr-2']) {
      accepted(await bench.ask('ada', 'contract', id, 'create', terms));
      for (const who of ['ada', 'ben']) accepted(await bench.ask(who, 'contract', id, 'sign', {}));
      accepted(await bench.ask('ada', 'contract', id, 'activate', { amount: 60 }, { ids: { escrow: `esc-${id}` } }));
    }
    accepted(await bench.ask('ben', 'contract', 'ctr-2', 'consent', {}));
    accepted(await bench.ask('ada', 'task-listing', 'lst-task', 'create', taskListing.create.example));
    accepted(await bench.ask('ben', 'bid', 'bid-1', 'create', { taskId: 'lst-task', price: 10 }));
    const stored = (of: Bench, kind: string, id: string) => of.store.tables.snapshot(kind, id)!.state;
    expect(stored(bench, 'escrow', 'esc-b')).to.equal('created');
    expect(stored(bench, 'contract', 'ctr-2')).to.equal('active');
    await bench.world.advance(31 * 86_400_000);
    accepted(await bench.operate('escrow', 'esc-c', 'lapse'));

    const now = await bench.restart({ catalogue });
    const shown = (kind: string, id: string) =>
      migrate(catalogue.definitions[kind]!, now.store.tables.snapshot(kind, id) as never) as Resource;
    const seen = (kind: string, ...ids: string[]) => ids.map((id) => shown(kind, id).state);
    expect(seen('escrow', 'esc-a', 'esc-b', 'esc-c', 'esc-ctr-1')).to.deep.equal([
      ...['created.open', 'created.cancelled', 'created.lapsed', 'funded'],
    ]);
    expect(shown('escrow', 'esc-b').context).not.to.have.property('lapsed');
    expect(seen('contract', 'ctr-1', 'ctr-2')).to.deep.equal(['active.ongoing', 'active.consented']);
    expect(seen('task-listing', 'lst-task')).to.deep.equal(['active.open']);
    const resourcePrev = shown('escrow', 'esc-b').lastHash;
    const late = await now.ask('ada', 'escrow', 'esc-b', 'fund', { amount: 10 }, { resourcePrev });
    expect(codeOf(late)).to.equal('ESCROW_INVALID_STATE');
    accepted(await now.ask('ada', 'bid', 'bid-1', 'accept', {}, { ids: { order: 'task-ord-1', escrow: 'esc-1' } }));
    expect(stored(now, 'task-listing', 'lst-task')).to.equal('active.awarded');
    accepted(await now.ask('ada', 'task-listing', 'lst-task', 'pause', {}));
    accepted(await now.ask('ada', 'task-listing', 'lst-task', 'resume', {}));
    expect(stored(now, 'task-listing', 'lst-task')).to.equal('active.awarded');
    const asked = { reason: 'quality' };
    accepted(await now.ask('ada', 'contract', 'ctr-2', 'dispute', asked, { ids: { dispute: 'dsp-1' } }));
    for (const who of ['ada', 'ben']) {
      accepted(await now.ask(who, 'contract', 'ctr-2', 'resolve', { resolution: 'resume' }));
    }
    expect(stored(now, 'contract', 'ctr-2')).to.equal('active.consented');
    accepted(await now.ask('ada', 'contract', 'ctr-2', 'terminate', {}));
    expect(await now.audit()).to.include({ ok: true });
  });
});
