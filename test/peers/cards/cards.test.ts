import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { publicKeyHexOf } from '../../../src/core/codecs/did.js';
import { leavesIn, withTexts } from '../../../src/core/leaf.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { docHashOf } from '../../../src/machines/identity/identity.js';
import { infoListing } from '../../../src/machines/listing/info.js';
import { type ListingContext, unchangedIn } from '../../../src/machines/listing/machine.js';
import { cardId, textKey, withTextKeys } from '../../../src/peers/cards/foreign-cards.js';
import { everything, words } from '../../contract/shelf.js';
import { tidy } from '../../support/scratch.js';
import { accepted, Bench } from '../../world/bench.js';
import { resigned } from '../../world/history.js';
import { ada, ben } from '../../world/people.js';
import { IndexOfBench, linesOf } from './journal.js';

const rain = {
  ...infoListing.create.example,
  ...{ title: 'Rainfall', description: 'Hourly, of forty stations', pricing: { price: 25 }, tags: ['rain'] },
};

// biome-ignore lint/suspicious/noExplicitAny: lines are changed at will
type Line = any;

describe('Cards of another home', function () {
  this.timeout(60_000);
  let bench: Bench;
  let reader: IndexOfBench;

  beforeEach(async () => {
    bench = await Bench.open({}, { ada: 1_000 });
    reader = await IndexOfBench.open(bench);
  });
  afterEach(() => reader.close());
  after(tidy);

  const publish = async (id: string, more: JsonObject = {}) =>
    accepted(await bench.ask('ada', 'info-listing', id, 'create', { ...rain, ...more }));
  const act = async (id: string, action: string, input: JsonObject = {}) => {
    const { lastHash, context } = bench.store.tables.snapshot('info-listing', id)!;
    const listing = context as unknown as ListingContext;
    const command = bench.command('ada', 'info-listing', id, action, input, { resourcePrev: lastHash });
    if (isRefusal(command)) expect.fail(command.detail);
    // What the API's transformer adds.
    const isShownAgain = listing.visibility === 'private' && input.visibility === 'public';
    const restated = isShownAgain ? { restated: unchangedIn(listing, command.input) } : {};
    accepted(await bench.world.settle(bench.actors.execute({ ...command, input: { ...command.input, ...restated } })));
  };
  const found = async (query = {}) =>
    (await reader.index.reader.search({ ...everything, ...query })).items.map(({ id }) => id.replace(/~.*/, '')).sort();
  const card = (id: string, kind = 'info-listing') => reader.index.reader.load(kind, cardId(id, reader.home));
  const told = async (id: string) => {
    const { context } = (await card(id))!;
    const { texts } = reader.index.reader;
    const { title, description } = context as unknown as ListingContext;
    const keyed = withTextKeys({ title, description } as unknown as JsonObject, reader.home);
    const all = await texts([...leavesIn(keyed)]);
    return withTexts(keyed, (hash) => all.get(hash));
  };

  it('are what its own store has, with texts and statistics', async () => {
    await publish('lst-1');
    await publish('lst-2', { title: 'Sunshine', stock: 3, tags: ['sun'] });
    await act('lst-2', 'update', { title: 'More sunshine', pricing: { price: 7 } });
    await act('lst-1', 'pause');
    expect(await reader.read()).to.equal(undefined);
    for (const id of ['lst-1', 'lst-2']) {
      const { context, state, version, lastHash, machine } = bench.store.tables.snapshot('info-listing', id)!;
      expect(await card(id)).to.deep.include({ state, version, lastHash, machine });
      expect({ ...(await card(id))?.context, repricedAt: null }).to.deep.equal({ ...context, repricedAt: null });
    }
    expect(await told('lst-2')).to.deep.equal({ title: 'More sunshine', description: rain.description });
    expect(await found(words('sunshine'))).to.deep.equal(['lst-2']);
    expect(await found(words('rainfall'))).to.deep.equal([]);
    expect(await found({ ...words('rainfall'), statuses: ['paused'] })).to.deep.equal(['lst-1']);
    expect((await card('lst-1', 'listing-stats'))?.context).to.include({ orders: 0, ratingCount: 0, bidCount: 0 });
  });

  it('are the same, whether read at once or entry by entry', async () => {
    await publish('lst-1');
    await act('lst-1', 'update', { title: 'Drizzle' });
    await act('lst-1', 'update', { visibility: 'private' });
    await act('lst-1', 'update', { visibility: 'public', tags: ['wet'] });
    const stepwise = await IndexOfBench.open(bench);
    for (const line of await linesOf(bench)) expect(await stepwise.take([line])).to.equal(undefined);
    await reader.read();
    const { createdAt: _, ...one } = (await card('lst-1'))!;
    const { createdAt: __, ...other } = (await stepwise.index.reader.load(
      'info-listing',
      cardId('lst-1', reader.home),
    ))!;
    expect(one).to.deep.equal(other);
    expect(await found(words('drizzle'))).to.deep.equal(['lst-1']);
    await stepwise.close();
  });

  it('of a private listing do not exist, and its texts are in no line', async () => {
    await publish('lst-1', { visibility: 'private', title: 'Canary' });
    await publish('lst-2');
    await reader.read();
    await act('lst-2', 'update', { visibility: 'private', title: 'Canaries' });
    expect((await linesOf(bench)).join('\n')).to.not.match(/Canar|Rainfall|Hourly/);
    await reader.read();
    expect([await card('lst-1'), await card('lst-2')]).to.deep.equal([undefined, undefined]);
    expect(await found()).to.deep.equal([]);
    const { title } = bench.store.tables.snapshot('info-listing', 'lst-2')!.context as unknown as ListingContext;
    expect((await reader.index.reader.texts([textKey(reader.home, title.leaf)])).size).to.equal(0);
    await act('lst-2', 'update', { visibility: 'public' });
    await reader.read();
    expect(await found(words('canaries'))).to.deep.equal(['lst-2']);
  });

  it('of a removed listing are withdrawn, with their texts', async () => {
    await publish('lst-1');
    await reader.read();
    await act('lst-1', 'remove');
    await reader.read();
    expect(await card('lst-1')).to.equal(undefined);
    expect(await found(words('rainfall'))).to.deep.equal([]);
    const late = await IndexOfBench.open(bench);
    await late.read();
    expect(await late.index.reader.load('info-listing', cardId('lst-1', reader.home))).to.equal(undefined);
    await late.close();
  });

  it('lose a text that was erased, and the words that only it had', async () => {
    await publish('lst-1');
    await reader.read();
    expect(await found(words('stations'))).to.deep.equal(['lst-1']);
    const { description } = bench.store.tables.snapshot('info-listing', 'lst-1')!.context as unknown as ListingContext;
    const resource = { kind: 'info-listing', id: 'lst-1' };
    accepted(
      await bench.operate('leaf', description.leaf, 'redact', { reason: 'asked for', operator: 'op', resource }),
    );
    await reader.read();
    expect(await told('lst-1')).to.include({ title: 'Rainfall', description: null });
    expect(await found(words('stations'))).to.deep.equal([]);
    expect((await linesOf(bench)).join('\n')).to.not.include('stations');
  });

  it('of identities have the document and the credentials', async () => {
    const document = { displayName: 'Ada', bio: 'counts' };
    const prevDocHash = docHashOf(ada, {});
    accepted(await bench.ask('ada', 'identity', ada, 'update', { document, prevDocHash }));
    const credential = { type: ['VerifiableCredential', 'CapabilityCredential'], issuer: ada };
    accepted(await bench.ask('ada', 'identity', ada, 'register', { credential }));
    await reader.read();
    expect((await card(ada, 'identity'))?.context).to.deep.equal(bench.store.tables.snapshot('identity', ada)?.context);
  });

  it('are read again after the index was begun anew', async () => {
    await publish('lst-1');
    await reader.read();
    await reader.index.reset();
    expect(await found()).to.deep.equal([]);
    await reader.read();
    expect(await found()).to.deep.equal(['lst-1']);
  });

  describe('that their owner has not stated', () => {
    const changed = async (change: (line: Line) => void) => {
      await publish('lst-1');
      const lines = await linesOf(bench);
      const at = lines.findIndex((line) => line.includes('"core"'));
      const line = JSON.parse(lines[at]!);
      change(line);
      lines[at] = JSON.stringify(line);
      return reader.read(lines);
    };
    const refusals: { readonly [what: string]: (line: Line) => void } = {
      'whose payload is another': ({ payload }) => (payload.input.category = 'else'),
      'whose event is of another home': ({ core }) => (core.event.home = ada),
      'whose signature is not the owner’s': ({ core }) => (core.event.sig = `A${core.event.sig.slice(1)}`),
      'whose entry did not write it': ({ core }) => (core.versions = []),
      'whose entry has another form': ({ core }) => (core.extra = true),
    };
    for (const [what, change] of Object.entries(refusals)) {
      it(`${what} is named, and nothing is kept`, async () => {
        expect(await changed(change))
          .to.have.property('what')
          .that.is.a('string');
        expect(await found()).to.deep.equal([]);
      });
    }

    it('by an update of another DID is named, and nothing is kept', async () => {
      await publish('lst-1');
      await act('lst-1', 'update', { title: 'Drizzle' });
      const lines = await linesOf(bench);
      const at = lines.findLastIndex((line) => line.includes('"core"'));
      const line = JSON.parse(lines[at]!);
      line.core = resigned(line.core, { issuer: ben, pub: publicKeyHexOf(ben) });
      lines[at] = JSON.stringify(line);
      expect(await reader.read(lines)).to.have.property('what', 'another DID has published it');
      expect(await found()).to.deep.equal([]);
    });

    describe('since', () => {
      /** The lines of a listing, and its first statement once more, behind them. */
      const repeated = async (id: string, change: (line: Line) => void = () => {}) => {
        const lines = await linesOf(bench);
        const line = JSON.parse(lines.find((each) => each.includes(`"id":"${id}"`) && each.includes('"core"'))!);
        change(line);
        return [...lines, JSON.stringify({ ...line, seq: lines.length + 1 })];
      };
      const named = async (lines: readonly string[], what: string) => {
        expect(await reader.read(lines)).to.deep.equal({ seq: lines.length, what });
        expect(await found()).to.deep.equal([]);
      };
      const older = 'its owner has stated something newer';

      it('is named: an older event in a new entry', async () => {
        await publish('lst-1');
        await act('lst-1', 'update', { title: 'Drizzle' });
        await named(await repeated('lst-1'), older);
      });

      it('is named, also after a withdrawal and in a later batch', async () => {
        await publish('lst-1');
        const [first] = (await repeated('lst-1')).slice(-1);
        expect(await reader.read()).to.equal(undefined);
        await act('lst-1', 'update', { visibility: 'private' });
        expect(await reader.read()).to.equal(undefined);
        const { seq } = await bench.store.head();
        const again = JSON.stringify({ ...JSON.parse(first!), seq: seq + 1 });
        expect(await reader.read([again])).to.deep.equal({ seq: seq + 1, what: older });
        await act('lst-1', 'update', { visibility: 'public' });
        expect(await reader.read()).to.equal(undefined);
        expect(await found()).to.deep.equal(['lst-1']);
      });

      it('is named: an identity of before', async () => {
        const state = async (displayName: string) => {
          const before = bench.store.tables.snapshot('identity', ada)?.context.document ?? {};
          const prevDocHash = docHashOf(ada, before as never);
          accepted(await bench.ask('ada', 'identity', ada, 'update', { document: { displayName }, prevDocHash }));
        };
        await state('Ada');
        await state('Ada of A');
        await named(await repeated(ada), older);
      });

      it('is named: another DID that publishes under the same id', async () => {
        await publish('lst-1');
        const byBen = ({ core }: Line) => resigned(core, { issuer: ben, pub: publicKeyHexOf(ben), nonce: 100 });
        const lines = await repeated('lst-1', (line) => {
          line.core = byBen(line);
        });
        await named(lines, 'another DID has published it');
      });

      it('is taken: lines that are read twice', async () => {
        await publish('lst-1');
        await act('lst-1', 'update', { title: 'Drizzle' });
        const lines = await linesOf(bench);
        for (let round = 0; round < 2; round++) expect(await reader.read(lines)).to.equal(undefined);
        expect(await told('lst-1')).to.deep.equal({ title: 'Drizzle', description: rain.description });
      });
    });

    it('of an unknown state leaves the card as it is', async () => {
      const flaw = await changed((line) => (line.status[0].state = 'constructor'));
      expect(flaw).to.equal(undefined);
      expect(await card('lst-1')).to.include({ state: 'active.open' });
      expect(await card('lst-1', 'listing-stats')).to.equal(undefined);
    });

    it('with another text than was signed is no line', async () => {
      const replaced = changed(({ texts }: Line) => (Object.values<Line>(texts)[0].value = 'other'));
      expect(await replaced.catch(({ message }: Error) => message)).to.match(/a text that is not that of its leaf/);
    });
  });
});
