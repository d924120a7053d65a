import { expect } from 'chai';
import { canonical, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import { publicKeyHexOf } from '../../../src/core/codecs/did.js';
import { withTexts } from '../../../src/core/leaf.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { docHashOf } from '../../../src/machines/identity/identity.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { type ListingContext, unchangedIn } from '../../../src/machines/listing/machine.js';
import { taskListing } from '../../../src/machines/task-order/listing.js';
import { textsIn } from '../../../src/peers/cards/foreign-cards.js';
import { everything, words } from '../../contract/shelf.js';
import { tidy } from '../../support/scratch.js';
import { accepted, Bench } from '../../world/bench.js';
import { resigned as resignedCore } from '../../world/history.js';
import { ada, ben, didOf } from '../../world/people.js';
import { cardIn, IndexOfBench, linesOf } from './journal.js';

const rain = {
  ...infoListing.create.example,
  ...{ title: 'Rainfall', description: 'Hourly, of forty stations', pricing: { price: 25 }, tags: ['rain'] },
};

// biome-ignore lint/suspicious/noExplicitAny: lines are changed at will
type Line = any;

/** With the hashes and signatures of its changed payload. */
function resigned(line: Line): Line {
  const payloadHash = sha256Hex(canonical({ public: line.payload, sealed: null }));
  return { ...line, core: resignedCore(line.core, { payloadHash }) };
}

describe('Cards of another home', () => {
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
  const card = (id: string, kind = 'info-listing') => cardIn(reader.index, id, reader.home, kind);
  const told = async (id: string) => {
    const { context } = (await card(id))!;
    const { title, description } = context as unknown as ListingContext;
    return withTexts({ title, description }, textsIn(context));
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
      const { texts: _, nonce: __, figures: ___, ...stated } = (await card(id))!.context;
      expect({ ...stated, repricedAt: null }).to.deep.equal({ ...context, repricedAt: null });
    }
    expect(await told('lst-2')).to.deep.equal({ title: 'More sunshine', description: rain.description });
    expect(await found(words('sunshine'))).to.deep.equal(['lst-2']);
    expect(await found(words('rainfall'))).to.deep.equal([]);
    expect(await found({ ...words('rainfall'), statuses: ['paused'] })).to.deep.equal(['lst-1']);
    expect((await card('lst-1'))?.context.figures).to.include({ orders: 0, ratingCount: 0, bidCount: 0 });
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
    const { createdAt: __, ...other } = (await cardIn(stepwise.index, 'lst-1', reader.home))!;
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
    await reader.close();
    expect(await reader.bytes()).to.not.match(/Canar|Rainfall|Hourly|canar|rainfall|hourly/);
    reader = await IndexOfBench.open(bench);
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
    expect(await cardIn(late.index, 'lst-1', reader.home)).to.equal(undefined);
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
    const { texts: _, nonce: __, ...stated } = (await card(ada, 'identity'))!.context;
    expect(stated).to.deep.equal(bench.store.tables.snapshot('identity', ada)?.context);
  });

  it('that are too long are not shown, and what follows is no lie', async () => {
    const links = Array.from({ length: 32 }, (_, at) => ({
      platform: `p${at}`,
      url: `https://a.example/${'x'.repeat(2_000)}`,
    }));
    const state = async (document: JsonObject, before: JsonObject) => {
      const prevDocHash = docHashOf(ada, before as never);
      return accepted(await bench.ask('ada', 'identity', ada, 'update', { document, prevDocHash }));
    };
    await state({ displayName: 'Ada', platformLinks: links }, {});
    const { document } = bench.store.tables.snapshot('identity', ada)!.context as { document: JsonObject };
    expect(await reader.read()).to.equal(undefined);
    expect(await card(ada, 'identity')).to.equal(undefined);
    await state({ displayName: 'Ada L.' }, document);
    expect(await reader.read()).to.equal(undefined);
    expect(await card(ada, 'identity')).to.not.equal(undefined);
    await publish('lst-1');
    await reader.read();
    await act('lst-1', 'update', { description: '\u0001'.repeat(10_000) });
    await reader.read();
    expect(await card('lst-1')).to.equal(undefined);
    await act('lst-1', 'update', { pricing: { price: 999 } });
    expect(await reader.read()).to.equal(undefined);
    expect(await card('lst-1')).to.equal(undefined);
  });

  it('are no lie to a late reader of what was hidden meanwhile', async () => {
    await publish('lst-1');
    await act('lst-1', 'update', { title: 'Drizzle' });
    await act('lst-1', 'update', { visibility: 'private' });
    const hidden = await linesOf(bench);
    await act('lst-1', 'update', { visibility: 'public' });
    const lines = await linesOf(bench);
    const created = lines.findIndex((line) => line.includes('"create"'));
    expect(await reader.take([...hidden.slice(0, created + 1), ...lines.slice(created + 1)])).to.equal(undefined);
    expect(await told('lst-1')).to.include({ title: 'Drizzle' });
  });

  it('of one home are not changed by another, which names their texts', async () => {
    await publish('lst-1');
    await reader.read();
    const other = await Bench.open({ node: 'other', world: bench.world }, { ada: 1 });
    accepted(await other.ask('ada', 'info-listing', 'lst-2', 'create', rain));
    const { title } = bench.store.tables.snapshot('info-listing', 'lst-1')!.context as unknown as ListingContext;
    const named = (await linesOf(other)).map((text) => {
      const line: Line = JSON.parse(text);
      if (!line.core) return text;
      delete line.texts[line.payload.input.title.leaf];
      line.payload.input.title = title;
      return JSON.stringify(resigned(line));
    });
    expect(await reader.take(named, didOf('other'))).to.equal(undefined);
    const stolen = await cardIn(reader.index, 'lst-2', didOf('other'));
    expect(withTexts({ title: stolen!.context.title }, textsIn(stolen!.context))).to.include({ title: null });
    const gone = { seq: 99, entryHash: '0'.repeat(64), withdrawn: [{ kind: 'info-listing', id: 'lst-2' }] };
    await reader.take([JSON.stringify(gone)], didOf('other'));
    expect(await told('lst-1')).to.include({ title: 'Rainfall' });
    expect(await found(words('rainfall'))).to.deep.equal(['lst-1']);
  });

  it('are taken once, also where this node reads the same entries again', async () => {
    await publish('lst-1');
    await act('lst-1', 'update', { title: 'Drizzle' });
    const lines = await linesOf(bench);
    expect(await reader.take(lines)).to.equal(undefined);
    const once = await card('lst-1');
    expect(await reader.take(lines)).to.equal(undefined);
    expect(await card('lst-1')).to.deep.equal(once);
  });

  it('of an earlier statement do not replace a later one', async () => {
    await publish('lst-1');
    const [first] = (await linesOf(bench)).filter((line) => line.includes('"create"'));
    await act('lst-1', 'update', { pricing: { price: 500 } });
    await reader.read();
    const replayed = { ...JSON.parse(first!), status: undefined, seq: 99 };
    expect(await reader.take([JSON.stringify(replayed)])).to.have.property(
      'what',
      'its owner has stated something newer',
    );
    expect((await card('lst-1'))!.context.pricing).to.deep.equal({ price: 500 });
    await act('lst-1', 'update', { visibility: 'private' });
    await reader.read();
    expect(await reader.take([JSON.stringify(replayed)])).to.have.property(
      'what',
      'its owner has stated something newer',
    );
    expect(await card('lst-1')).to.equal(undefined);
  });

  it('of one id are of one kind, also once the first is withdrawn', async () => {
    await publish('lst-1');
    accepted(await bench.ask('ada', 'task-listing', 'lst-2', 'create', taskListing.create.example));
    const lines = async (): Promise<readonly Line[]> => (await linesOf(bench)).map((text) => JSON.parse(text));
    const [published, task] = (await lines()).filter(({ core }) => core);
    await act('lst-1', 'update', { visibility: 'private' });
    const hidden = (await lines()).at(-1);
    task.payload.id = task.core.versions[0].id = 'lst-1';
    const another = { ...resigned(task), status: undefined, seq: 99 };
    for (const [line, ids] of [
      [published, ['lst-1']],
      [hidden, []],
    ] as const) {
      expect(await reader.take([JSON.stringify(line)])).to.equal(undefined);
      const flaw = await reader.take([JSON.stringify(another)]);
      expect(flaw).to.have.property('what', 'its id is that of a listing of another kind');
      expect(await found()).to.deep.equal(ids);
    }
  });

  it('are not kept beyond their size, nor with what no request has', async () => {
    await publish('lst-1');
    const changes: readonly ((line: Line) => void)[] = [
      ({ payload: { input } }) =>
        Object.assign(input, { license: Array.from({ length: 900 }, () => input.description) }),
      ({ payload: { input } }) => Object.assign(input, { infoType: { a: 1 } }),
      ({ payload: { input } }) => Object.assign(input, { title: 7 }),
    ];
    for (const change of changes) {
      const lines = (await linesOf(bench)).map((text) => {
        const line: Line = JSON.parse(text);
        if (!line.core) return text;
        change(line);
        return JSON.stringify(resigned(line));
      });
      await reader.index.reset();
      expect(await reader.take(lines)).to.equal(undefined);
      expect(await card('lst-1')).to.equal(undefined);
    }
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
      line.core = resignedCore(line.core, { issuer: ben, pub: publicKeyHexOf(ben) });
      lines[at] = JSON.stringify(line);
      expect(await reader.read(lines)).to.have.property('what', 'another DID has stated it');
      expect(await found()).to.deep.equal([]);
    });

    it('of another home, signed for it, is named, and nothing is kept', async () => {
      const flaw = await changed((line) =>
        Object.assign(line, { core: resignedCore(line.core, { home: didOf('other') }) }),
      );
      expect(flaw).to.have.property('what', 'its event is for another home or network');
      expect(await found()).to.deep.equal([]);
    });

    it('that its home calls removed is withdrawn', async () => {
      expect(await changed((line) => Object.assign(line.status[0], { state: 'removed' }))).to.equal(undefined);
      expect(await card('lst-1')).to.equal(undefined);
      expect(await found({ statuses: ['removed'] })).to.deep.equal([]);
    });

    it('of an unknown state leaves the card as it is', async () => {
      const flaw = await changed((line) => (line.status[0].state = 'constructor'));
      expect(flaw).to.equal(undefined);
      const { state, context } = (await card('lst-1'))!;
      expect({ state, figures: context.figures }).to.deep.equal({ state: 'active.open', figures: undefined });
    });

    it('with an id that could be that of another home is no line', async () => {
      const renamed = changed((line) => Object.assign(line.status[0], { id: `lst-1~${didOf('other')}` }));
      expect(await renamed.catch(({ message }: Error) => message)).to.match(/a card of another form: status\.0\.id/);
    });

    it('with another text than was signed is no line', async () => {
      const replaced = changed(({ texts }: Line) => (Object.values<Line>(texts)[0].value = 'other'));
      expect(await replaced.catch(({ message }: Error) => message)).to.match(/a text that is not that of its leaf/);
    });
  });
});
