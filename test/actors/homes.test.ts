/**
 * An event or attestation is valid only in the journal of the home that it names
 * (docs/reference/events-and-entries.md#home).
 */
import { expect } from 'chai';
import { buildEntry } from '../../src/actors/build-entry.js';
import { JournalHome } from '../../src/actors/journal-home.js';
import { canonical, sha256Hex } from '../../src/core/canonical.js';
import { publicKeyHexOf } from '../../src/core/codecs/did.js';
import { eventMessage } from '../../src/core/codecs/event-message.js';
import { signerOf } from '../../src/keys/signing.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { type EntryCore, entryOf, type NumberedEntry } from '../../src/store/entry.js';
import { payloadHashOf, storedPayloadOf } from '../../src/store/payload.js';
import { beginningOf, violationInText } from '../../src/verify/entry-text.js';
import { Replay, replayOne } from '../../src/verify/replay.js';
import { contracts } from '../histories/contracts.js';
import { accepted, Bench, network } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { coreOf, forge, life, overwrite, rechain, resigned } from '../world/history.js';
import { ada, didOf, signer } from '../world/people.js';

const entriesOf = ({ store }: Pick<Bench, 'store'>): NumberedEntry[] =>
  store.tables.journal.map(({ coreText, payloadText, entryHash, prevEntry, chainHash }, index) => ({
    ...{ seq: index + 1, prevEntry, chainHash },
    ...entryOf(coreText, payloadText, entryHash),
  }));

/** The first violation of a replay, with the number of its entry. */
function flawOf(bench: Pick<Bench, 'store'>): { seq: number; what: string } | undefined {
  const replay = new Replay(catalogue, network);
  for (const entry of entriesOf(bench)) {
    const what = replay.apply(entry);
    if (what !== undefined) return { seq: entry.seq, what };
  }
  return undefined;
}

const lastOf = (bench: Bench): number => bench.store.tables.journal.length;

/** Ada pays Ben 500 Tokens at home A, and home B writes the same event into its own journal, where she has as many. */
async function theft(): Promise<{ a: Bench; b: Bench; seq: number }> {
  const a = await Bench.open({ node: 'node' }, { ada: 500 });
  accepted(await a.transfer('ada', 'ben', 500));
  // B's entry has everything as if Ada had signed for B, except the event.
  const b = await Bench.open({ node: 'dishonest' }, { ada: 500 });
  accepted(await b.transfer('ada', 'ben', 500));
  const seq = lastOf(b);
  const stolen = a.store.tables.journal[lastOf(a) - 1]!;
  const { event } = coreOf(stolen);
  overwrite(b, seq, { payloadText: stolen.payloadText });
  forge(b, seq, { ...coreOf(b.store.tables.journal[seq - 1]!), event });
  const account = b.store.tables.accounts.get(ada)!;
  b.store.tables.accounts.set(ada, { ...account, lastHash: event.hash });
  return { a, b, seq };
}

describe('an event that was signed for another home, with all hashes made anew', () => {
  const says = `its event is signed for ${didOf('node')}, and the home of this journal is ${didOf('dishonest')}`;

  it('is refused by replay and by the audit, and is all that is wrong', async () => {
    const { b, seq } = await theft();
    expect(flawOf(b)).to.deep.equal({ seq, what: says });
    expect((await b.audit()).flaw).to.include({ seq, check: 'sequence', what: says });
  });

  it('is refused where the entry pretends that the other node has sequenced it', async () => {
    const { b, seq } = await theft();
    forge(b, seq, { ...coreOf(b.store.tables.journal[seq - 1]!), home: didOf('node') });
    expect(flawOf(b)).to.deep.equal({ seq, what: says });
  });

  it('does not verify once its home is changed', async () => {
    const { b, seq } = await theft();
    const core = coreOf(b.store.tables.journal[seq - 1]!);
    const { hash: _, sig, ...body } = { ...core.event, home: didOf('dishonest') };
    forge(b, seq, { ...core, event: { ...body, hash: sha256Hex(canonical(body)), sig } });
    expect(flawOf(b)).to.deep.equal({ seq, what: 'the signature does not verify' });
  });

  it('is refused where one resource alone is replayed', async () => {
    const bench = await life();
    const pages = async function* () {
      yield entriesOf(bench).filter(({ core }) => core.versions.some(({ kind }) => kind === 'identity'));
    };
    const one = { catalogue: bench.catalogue, network, kind: 'identity', id: ada };
    const inHome = (home: string) => replayOne({ ...one, home }, pages());
    expect(await inHome(didOf('node'))).to.include({ kind: 'identity', id: ada });
    const failed = await inHome(didOf('dishonest')).catch(String);
    expect(failed).to.match(/signed for .*, and the home of this journal is/);
  });
});

describe('a journal that begins in the name of another home', () => {
  const says = new RegExp(`^a journal begins with the node.appointed of its home ${didOf('node')}, and this is a `);
  /** The first entry, changed and signed again with the operator's own key. */
  const begun = async (change: (core: EntryCore) => EntryCore) => {
    const bench = await Bench.open({ node: 'dishonest' }, { ada: 10 });
    forge(bench, 1, change(coreOf(bench.store.tables.journal[0]!)));
    return bench;
  };

  for (const [how, change] of [
    ['by its own appointment', (core: EntryCore) => resigned(core, { home: didOf('node') })],
    [
      'as an entry of that home',
      (core: EntryCore) => ({ ...resigned(core, { home: didOf('node') }), home: didOf('node') }),
    ],
  ] as const) {
    it(`${how} is refused at entry 1, by replay, audit and a read of a part`, async () => {
      const bench = await begun(change);
      expect(flawOf(bench)?.seq).to.equal(1);
      expect(flawOf(bench)?.what).to.match(says);
      expect((await bench.audit()).flaw).to.include({ seq: 1, check: 'sequence' });
      expect(await beginningOf(bench.store)).to.match(says);
    });
  }

  it('with an entry of that home which does not appoint is refused', async () => {
    const home = await Bench.open({}, { ada: 10 });
    accepted(await home.transfer('ada', 'ben', 1));
    const bench = await begun(() => coreOf(home.store.tables.journal.at(-1)!));
    overwrite(bench, 1, { payloadText: home.store.tables.journal.at(-1)!.payloadText });
    expect(flawOf(bench)?.what).to.match(says);
  });

  it('with that home’s own appointment, sequenced elsewhere, is refused', async () => {
    const home = await Bench.open();
    const bench = await begun(() => ({ ...coreOf(home.store.tables.journal[0]!), home: didOf('dishonest') }));
    overwrite(bench, 1, { payloadText: home.store.tables.journal[0]!.payloadText });
    expect(flawOf(bench)?.what).to.match(says);
  });
});

describe('the form of an event', () => {
  const bare = didOf('node').replace(/^did:svc:z.*/, (did) => `${did} `);
  for (const [what, change, says] of [
    ['a home that is no DID', { home: 'home' }, /event.home: /],
    ['a home with a blank behind it', { home: bare }, /event.home: /],
    ['a home that is null', { home: null }, /event.home: /],
    ['no home', { home: undefined }, /event.home: is required/],
    ['an earlier version', { v: 2 }, /version 2, which this node does not know/],
    ['a later version', { v: 4 }, /version 4, which this node does not know/],
    ['one member more', { zzz: 1 }, /members that an entry does not have/],
  ] as const) {
    it(`with ${what} is refused, though it is signed`, async () => {
      // In the first entry no other rule checks the home.
      const bench = await Bench.open();
      forge(bench, 1, resigned(coreOf(bench.store.tables.journal[0]!), change as never));
      expect(flawOf(bench)?.seq).to.equal(1);
      expect(flawOf(bench)?.what).to.match(says);
    });
  }

  it('with a key that is not its issuer’s is refused, though that key has signed', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    accepted(await bench.transfer('ada', 'ben', 1));
    const seq = lastOf(bench);
    const core = coreOf(bench.store.tables.journal[seq - 1]!);
    const { hash: _, sig: __, ...event } = core.event;
    const body = { ...event, pub: publicKeyHexOf(didOf('eve')) };
    const text = canonical(body);
    const sig = signer('eve').sign(eventMessage(text));
    forge(bench, seq, { ...core, event: { ...body, hash: sha256Hex(text), sig } });
    expect(flawOf(bench)).to.deep.equal({ seq, what: 'pub is not the key inside issuer' });
    expect(violationInText(entriesOf(bench)[seq - 1]!)).to.equal('pub is not the key inside issuer');
  });
});

describe('an attestation', () => {
  it('that was made for another home is refused by replay, and so is one that names none', async () => {
    const bench = await Bench.open({}, { ada: 10_000, ben: 500 });
    await contracts(bench);
    const seq = bench.store.tables.journal.findIndex((row) => coreOf(row).event.type === 'contract.signed') + 1;
    const row = bench.store.tables.journal[seq - 1]!;
    const stored = storedPayloadOf(row.payloadText);
    const { id } = stored.public;
    const by = coreOf(row).event.issuer;
    const replay = new Replay(catalogue, network);
    for (const entry of entriesOf(bench).slice(0, seq - 1)) expect(replay.apply(entry)).to.equal(undefined);
    const { termsHash } = replay.resource('contract', id)!.context as { termsHash: string };
    const journal = [...bench.store.tables.journal];
    for (const [text, what] of [
      [`svc:contract:v2:${network}:${didOf('node')}:${id}:${termsHash}`, undefined],
      [`svc:contract:v2:${network}:${didOf('dishonest')}:${id}:${termsHash}`, 'does not verify'],
      [`svc:contract:v1:${network}:${id}:${termsHash}`, 'does not verify'],
    ] as const) {
      const signature = signer(by === ada ? 'ada' : 'ben').sign(text);
      const changed = { ...stored, confidential: { ...stored.confidential, signature } };
      overwrite(bench, seq, { payloadText: canonical(changed) });
      forge(bench, seq, resigned(coreOf(row), { payloadHash: payloadHashOf(changed) }));
      const found = flawOf(bench);
      if (what) expect(found?.what).to.equal(`the signature of contract ${id} ${what}`);
      else if (found) expect(found.seq, 'what comes later follows from another hash').to.be.above(seq);
      bench.store.tables.journal.splice(0, journal.length, ...journal);
    }
    rechain(bench);
    expect(flawOf(bench)).to.equal(undefined);
  });
});

describe('the home of a journal', () => {
  it('stays when another node continues the journal', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    const next = await bench.restart({ node: 'successor' });
    accepted(await next.transfer('ada', 'ben', 1));
    const core = coreOf(next.store.tables.journal.at(-1)!);
    expect(core.home).to.equal(didOf('successor'));
    expect(core.event.home).to.equal(didOf('node'));
    expect((await next.audit()).flaw).to.equal(undefined);
  });

  /** An empty journal, in a database that the node `one` has claimed. */
  function claimed() {
    const written: NumberedEntry[] = [];
    const shared = { claimHome: async () => didOf('one') };
    const world = new FakeWorld();
    const store = { entries: async () => written, shared } as never;
    return { written, world, homeFor: (name: string) => new JournalHome(store, didOf(name), world) };
  }

  it('is known to the process that claimed it, and to others once the first entry is written', async () => {
    const { written, world, homeFor } = claimed();
    expect(await homeFor('one').find()).to.equal(didOf('one'));
    const other = homeFor('other');
    let found: string | undefined;
    const finding = other.find().then((did) => {
      found = did;
    });
    await world.advance(1_000);
    expect(found, 'it waits').to.equal(undefined);
    const bench = await Bench.open({ node: 'one' });
    written.push(...entriesOf(bench));
    await world.advance(1_000);
    await finding;
    expect([found, other.known]).to.deep.equal([didOf('one'), didOf('one')]);
  });

  it('is refused to a process that waits for a first entry that does not come', async () => {
    const { world, homeFor } = claimed();
    const failed = homeFor('other').find().catch(String);
    await world.advance(61_000);
    expect(await failed).to.match(/has claimed this journal and writes nothing/);
  });

  it('is not kept by a process that has only claimed it: another may be the first to write', async () => {
    const { written, homeFor } = claimed();
    const own = homeFor('one');
    expect(await own.find()).to.equal(didOf('one'));
    expect(own.did).to.equal(undefined);
    written.push(...entriesOf(await Bench.open({ node: 'other' })));
    expect(await own.find()).to.equal(didOf('other'));
  });
});

describe('the encoding of an event', () => {
  it('is fixed: these members give this text, this hash and this signature', () => {
    const key = signerOf(Buffer.alloc(32, 1));
    const { core } = buildEntry({
      catalogue,
      drawSalt: () => expect.fail('a transfer is public'),
      outcome: {
        ...{ eventType: 'transfer.sent', law: 'account-1-000000000000' },
        ...{ reads: [], written: [], moves: [], postings: [], accounts: [] },
      },
      command: {
        ...{ action: 'transfer', id: key.did, input: { amount: 1 }, kind: 'account', ts: 1_781_524_800_000 },
        ...{ signer: key.did, unlock: () => key },
      },
      signer: key,
      account: { nonce: 6, lastHash: '3'.repeat(64) },
      ...{ time: 1_781_524_800_001, network, node: didOf('node'), home: didOf('node') },
    });
    const { hash, sig, ...body } = core.event;
    const text =
      '{"home":"did:svc:z6MksyHD9VQqwqy3LjA66tCg8DUUCT6n2XHxbXBJVG2K5Jh3","issuer":"did:svc:z6Mkon3Necd6Nkk' +
      'yfoGoHxid2znGc59LU3K7mubaRcFbLfLX","network":"devnet","nonce":7,"payloadHash":"1a718414d8c8d65aadfb7' +
      '63fdd237018e24d0293e8bf49d743c4dc8f74a4fba7","prev":"33333333333333333333333333333333333333333333333' +
      '33333333333333333","pub":"8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c","ts":178' +
      '1524800000,"type":"transfer.sent","v":3}';
    expect(canonical(body)).to.equal(text);
    // Computed with node:crypto from the text above; payloadHash from that of `{ public, sealed }`.
    expect(hash).to.equal('7a32bd5f981bd18c95ebd05da190881686b786d75d793f85429a7ddd1720f2a2');
    expect(sig).to.equal('ucGz_hSNX69vFFTaqcinrzF7S9BwJFt5YQ5AVY6Z89AMLG1H7evQ8OGSdDFmmGXtyBjEVa-Nt6T0zbwbeJYwDg');
  });
});
