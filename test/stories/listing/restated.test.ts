/** What a private listing that becomes public says of itself (docs/reference/journal-format.md#confidential-members). */
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { unchangedIn } from '../../../src/machines/listing/machine.js';
import { accepted, Bench, codeOf } from '../../world/bench.js';
import { signer } from '../../world/people.js';

const [kind, id] = ['info-listing', 'lst-1'];

describe('a private listing that becomes public', () => {
  let bench: Bench;
  const context = () => bench.store.tables.snapshot(kind, id)!.context;
  const restated = (changed: JsonObject = {}) => unchangedIn(context() as never, changed);
  /** Executes an update as an entry contains it: with `restated`, which the node adds to a request. */
  const update = (input: JsonObject) => {
    const by = signer('ada');
    return bench.world.settle(
      bench.actors.execute({ kind, id, action: 'update', input, signer: by.did, unlock: () => by }),
    );
  };
  const publish = async (visibility: 'public' | 'private') =>
    accepted(await bench.ask('ada', kind, id, 'create', { ...infoListing.create.example, visibility } as never));

  beforeEach(async () => {
    bench = await Bench.open();
  });

  it('says all of its public members, and exactly as they are', async () => {
    await publish('private');
    const before = bench.dump();
    const { title, ...others } = restated();
    for (const [what, said] of Object.entries<JsonObject>({
      nothing: {},
      'no title': { restated: others },
      'another category': { restated: { ...restated(), category: 'another' } },
      'another title': { restated: { ...restated(), title: others.description! } },
      'a member too many': { restated: { ...restated(), more: 1 } },
      'what it changes': { category: 'new', restated: restated() },
    }))
      expect(codeOf(await update({ visibility: 'public', ...said })), what).to.equal('CONFLICT');
    expect(bench.dump()).to.equal(before);
    const said = { visibility: 'public', category: 'new' };
    const { entry } = accepted(await update({ ...said, restated: restated(said) }));
    expect(entry.payload.input).to.deep.include({ category: 'new' }).and.have.nested.property('restated.title');
    expect(context()).to.deep.include({ visibility: 'public', category: 'new', title });
    expect(context()).to.not.have.property('restated');
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('alone says them: not one that stays private, nor one that is public', async () => {
    await publish('private');
    expect(codeOf(await update({ category: 'new', restated: restated() }))).to.equal('CONFLICT');
    accepted(await update({ category: 'new' }));
    accepted(await update({ visibility: 'public', restated: restated() }));
    expect(codeOf(await update({ visibility: 'public', restated: restated() }))).to.equal('CONFLICT');
    accepted(await update({ visibility: 'public' }));
  });
});
