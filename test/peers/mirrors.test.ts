/** A mirror's folder and requests, what a home sends to it, and restores from it (docs/reference/mirrors.md). */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { mirrorBounds } from '../../src/core/bounds.js';
import type { Did } from '../../src/core/codecs/did.js';
import { peerIdOf } from '../../src/core/codecs/peer-id.js';
import { realEnvironment } from '../../src/core/environment.js';
import { Feed } from '../../src/core/feed.js';
import { leavesIn } from '../../src/core/leaf.js';
import { createLog } from '../../src/core/log.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { leafKind } from '../../src/machines/leaf/leaf.js';
import { redactAgain } from '../../src/node/redactions.js';
import { MirrorKeeper, type MirrorKeeperOptions } from '../../src/peers/mirrors/mirror-keeper.js';
import { MirrorLink, mirrorHandlers } from '../../src/peers/mirrors/mirror-requests.js';
import { MirrorSender, type MirrorSenderOptions } from '../../src/peers/mirrors/mirror-sender.js';
import { restoreFromMirrors } from '../../src/peers/mirrors/mirrored-journal.js';
import { Mirrors } from '../../src/peers/mirrors/mirrors.js';
import { journalPieceOf, PieceCipher } from '../../src/peers/mirrors/piece.js';
import type { PeerReply, PeerRequest, PeerResponse } from '../../src/peers/transport/transport.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { entryAt, type JournalHead } from '../../src/store/store.js';
import { restoreMarkOf } from '../../src/verify/move/mark.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { Bench, network } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { ada, didOf, signer } from '../world/people.js';

const world = realEnvironment;
const hash = 'ab'.repeat(32);
const pieceNamed = (first: number, last: number, sort = 's') =>
  `${sort}${String(first).padStart(15, '0')}-${String(last).padStart(15, '0')}-${hash}`;
const piece = pieceNamed(1, 9);
const bytes = Buffer.from('ciphertext').toString('base64');
const home = signer('node').did;
const all = { after: 0, limit: 10_000 };

/** A mirror with its records in memory. */
async function keeperIn(
  dir: string,
  options: Partial<MirrorKeeperOptions> = {},
  homes: readonly string[] = [ada, home],
) {
  const store = new MemoryStore({ world: new FakeWorld() });
  const keeper = await MirrorKeeper.open({ store, dir, world, hasRoom: () => true, ...options });
  for (const each of homes) await keeper.add(each as Did);
  return keeper;
}

/** A request to a mirror, without a network. */
async function ask(keeper: MirrorKeeper, did: string, method: string, path: string, body = ''): Promise<PeerResponse> {
  let answer: PeerResponse | undefined;
  const [route = '', query] = path.split('?');
  const request = { did, query: new URLSearchParams(query), body: async () => body };
  const send = async (status: number, text = '') => {
    answer = { status, body: text };
    return true;
  };
  await mirrorHandlers(keeper)[`${method} ${route}`]!(
    request as unknown as PeerRequest,
    { send } as unknown as PeerReply,
  );
  return answer!;
}

const change = (keeper: MirrorKeeper, keep: unknown, drop: unknown = [], did: string = ada) =>
  ask(keeper, did, 'POST', '/mirror', JSON.stringify({ keep, drop }));
const statusOf = async (answer: Promise<PeerResponse>) => (await answer).status;
const read = async (keeper: MirrorKeeper, name: string, did: string = ada) =>
  JSON.parse((await ask(keeper, did, 'GET', `/mirror/piece?name=${name}`)).body).bytes;
const namesOf = async (keeper: MirrorKeeper, did: string = ada) =>
  JSON.parse((await ask(keeper, did, 'GET', '/mirror/names')).body).names;

describe('A mirror', () => {
  after(tidy);

  it('takes names of pieces alone, and makes nothing for others', async () => {
    const dir = join(scratch(), 'mirrors');
    const keeper = await keeperIn(dir, {}, [ada]);
    const bad = ['../../x', 'x', '', `${piece}.0`, `${piece}/../y`, pieceNamed(9, 1), pieceNamed(0, 1), '/etc/passwd'];
    for (const name of [...bad, `b${hash}\n`, `B${hash}`, 7, null, [piece]]) {
      expect(await statusOf(change(keeper, [[name, bytes]])), String(name)).to.equal(400);
      expect(await statusOf(change(keeper, [], [name])), String(name)).to.equal(400);
    }
    for (const name of bad) expect(await statusOf(ask(keeper, ada, 'GET', `/mirror/piece?name=${name}`))).to.equal(400);
    for (const text of ['', 'no base64!', 7, null])
      expect(await statusOf(change(keeper, [[piece, text]]))).to.equal(400);
    expect(await statusOf(change(keeper, 'x'))).to.equal(400);
    const twice = [piece, bytes];
    expect(await statusOf(change(keeper, [twice, twice]))).to.equal(400);
    expect(await statusOf(change(keeper, [twice], [piece]))).to.equal(400);
    expect(await statusOf(change(keeper, [], [piece, piece]))).to.equal(400);
    expect(await statusOf(ask(keeper, ada, 'POST', '/mirror', 'no JSON'))).to.equal(400);
    expect(await readdir(dir)).to.deep.equal([peerIdOf(ada as Did)]);
    for (const folder of ['journal', 'contents']) {
      expect(await readdir(join(dir, peerIdOf(ada as Did), folder))).to.deep.equal([]);
    }
  });

  it('keeps the homes that its operator has named, gives each its own alone, and deletes what the home says', async () => {
    const dir = scratch();
    const store = new MemoryStore({ world: new FakeWorld() });
    const keeper = await keeperIn(dir, { store }, [ada]);
    expect(await change(keeper, [[piece, bytes]], [], didOf('ben'))).to.include({ status: 403 });
    expect(await readdir(dir)).to.deep.equal([peerIdOf(ada as Did)]);
    expect(
      await statusOf(
        change(keeper, [
          [piece, bytes],
          [`b${hash}`, bytes],
        ]),
      ),
    ).to.equal(204);
    expect(await read(keeper, piece)).to.equal(bytes);
    expect([await read(keeper, piece, didOf('ben')), await namesOf(keeper, didOf('ben'))]).to.deep.equal([null, []]);
    const other = Buffer.from('a later seal').toString('base64');
    expect(await statusOf(change(keeper, [[piece, other]]))).to.equal(204);
    expect(await read(keeper, piece)).to.equal(other);
    expect(await namesOf(keeper)).to.deep.equal([piece]);
    expect(await statusOf(change(keeper, [], [piece, `b${hash}`]))).to.equal(204);
    expect([await namesOf(keeper), await read(keeper, `b${hash}`)]).to.deep.equal([[], null]);
    expect(keeper.bytesOf(ada as Did)).to.equal(0);
    await change(keeper, [[piece, bytes]]);
    const deleteLocal = store.deleteLocal.bind(store);
    let left: string[] | undefined;
    store.deleteLocal = async (...record) => {
      left = await readdir(dir);
      return deleteLocal(...record);
    };
    expect(await keeper.remove(ada as Did)).to.equal(undefined);
    expect(left, 'the pieces go before the record').to.deep.equal([]);
    expect(await readdir(dir)).to.deep.equal([]);
    expect(await keeper.remove(ada as Did)).to.include({ code: 'NOT_FOUND' });
    const people = Array.from({ length: mirrorBounds.homes }, (_, index) => didOf(`home ${index}`) as Did);
    for (const did of people) expect(await keeper.add(did)).to.equal(undefined);
    expect(await keeper.add(ada as Did)).to.include({ code: 'CONFLICT' });
  });

  it('keeps no more of a home than its bound, also after a restart, and forgets what a crash left', async () => {
    const dir = scratch();
    const most = { bytesPerHome: 3 * (4096 + 10), pieces: 9 };
    const open = () => keeperIn(dir, { most });
    const name = (index: number) => `b${String(index).padStart(64, '0')}`;
    for (let index = 0; index < 3; index++) {
      expect(await statusOf(change(await open(), [[name(index), bytes]]))).to.equal(204);
    }
    expect(await change(await open(), [[name(4), bytes]])).to.include({ status: 507 });
    expect(await statusOf(change(await open(), [[name(4), bytes]], [], home))).to.equal(204);
    // Deleting makes room; a replaced piece counts once.
    expect(await statusOf(change(await open(), [], [name(0)]))).to.equal(204);
    expect(await statusOf(change(await open(), [[name(1), bytes]]))).to.equal(204);
    const folder = join(dir, peerIdOf(ada as Did), 'contents');
    await writeFile(join(folder, `.${name(5)}.00.tmp`), 'half');
    expect(await statusOf(change(await open(), [[name(4), bytes]]))).to.equal(204);
    expect(await readdir(folder)).to.have.members([name(1), name(2), name(4)]);
    const full = await keeperIn(dir, { hasRoom: () => false });
    expect((await change(full, [[name(6), bytes]])).body).to.include('no room');
    expect(await statusOf(change(full, [], [name(4)]))).to.equal(204);
  });

  it('takes no more in a day than it may keep, also of a home that deletes what it sends', async () => {
    const keeper = await keeperIn(scratch(), { most: { bytesPerHome: 5 * (4096 + 10), pieces: 9 } });
    for (let count = 0; count < 5; count++) expect(await statusOf(change(keeper, [[piece, bytes]]))).to.equal(204);
    expect((await change(keeper, [[piece, bytes]])).body).to.include('in a day');
    expect(await statusOf(change(keeper, [], [piece]))).to.equal(204);
  });

  it('has few messages of a home waiting', async () => {
    const keeper = await keeperIn(scratch());
    const most = mirrorBounds.queuedChanges;
    const changes = Array.from({ length: most + 2 }, () => statusOf(change(keeper, [[piece, bytes]])));
    expect(await Promise.all(changes)).to.deep.equal([...Array.from({ length: most }, () => 204), 429, 429]);
    expect(await statusOf(change(keeper, [[piece, bytes]]))).to.equal(204);
  });

  it('has no more pieces of a journal than its home reads', async () => {
    const keeper = await keeperIn(scratch(), { most: { bytesPerHome: 2 ** 30, pieces: 2 } });
    for (const seq of [1, 2]) expect(await statusOf(change(keeper, [[pieceNamed(seq, seq), bytes]]))).to.equal(204);
    expect(await change(keeper, [[pieceNamed(3, 3), bytes]])).to.include({ status: 507 });
    expect(await statusOf(change(keeper, [[`b${hash}`, bytes]]))).to.equal(204);
    expect(await statusOf(change(keeper, [[pieceNamed(2, 2), bytes]]))).to.equal(204);
    // What a message deletes makes room for what it brings.
    const replaced = [pieceNamed(1, 1), pieceNamed(2, 2)];
    expect(await statusOf(change(keeper, [[pieceNamed(1, 2), bytes]], replaced))).to.equal(204);
    let first = 1;
    const request = async () => {
      const names = Array.from({ length: mirrorBounds.namesAtOnce }, () => pieceNamed(first, first++));
      return { status: 200, body: JSON.stringify({ names, isMore: true }) };
    };
    await linkOver('endless', request)
      .pieces()
      .then(
        () => expect.fail('they are read'),
        (error: Error) => expect(error.message).to.include('is not valid'),
      );
    expect(first).to.equal(1 + mirrorBounds.pieces + mirrorBounds.namesAtOnce);
  });
});

type Ask = (method: string, path: string, body?: string) => Promise<PeerResponse>;
const cipher = new PieceCipher(signer('node'), network, world.random);
const linkOver = (did: string, request: Ask) =>
  new MirrorLink({
    ...{ did, cipher, world },
    link: { address: did, request: (method, path, options) => request(method, path, options?.body) },
  });
const linkTo = (keeper: MirrorKeeper, did: string = home, name = 'mirror') =>
  linkOver(name, (method, path, body) => ask(keeper, did, method, path, body));

describe('A home with a mirror', () => {
  let bench: Bench;
  let feed: Feed;
  let dir: string;
  let keeper: MirrorKeeper;
  let sender: MirrorSender | undefined;
  const logged: string[] = [];
  const log = (message: string, detail: object) => void logged.push(`${message} ${JSON.stringify(detail)}`);
  const others: string[] = [];
  const onOther = (what: string, seq: number) => void others.push(`${what} ${seq}`);

  const send = (options: Partial<MirrorSenderOptions> = {}) => {
    sender = new MirrorSender({
      ...{ link: linkTo(keeper), cipher, store: bench.store, feed, world, log, onOther },
      ...{ onMirrored: () => {}, isDecided: () => false, ...options },
    });
    sender.start();
  };
  const mirrored = async () => {
    const { seq } = await bench.store.head();
    await until(`entry ${seq} is mirrored`, () => sender!.mirrored, { is: (sent) => sent === seq });
  };
  const mints = async (count: number, amount = 1) => {
    for (let each = 0; each < count; each++) await bench.mint('ada', amount);
  };
  const pieces = async () => (await keeper.names(home))!.map((name) => journalPieceOf(name)!);
  const folder = () => join(dir, peerIdOf(home), 'journal');
  const restore = async (
    mirrors: readonly MirrorLink[],
    { store = new MemoryStore({ world: new FakeWorld() }), end }: { store?: MemoryStore; end?: JournalHead } = {},
  ): Promise<MemoryStore> => {
    const to = end ?? (await bench.store.head());
    await restoreFromMirrors({ store, catalogue, network, cipher, mirrors, world, log }, to);
    return store;
  };
  const refused = (work: Promise<unknown>, why: string | RegExp) =>
    work.then(
      () => expect.fail('it is restored'),
      (error: Error) => expect(error.message).to.match(new RegExp(why)),
    );
  /** Opens a journal that continues after the first `count` entries of the present one. */
  const branch = async (count: number) => {
    const fake = new FakeWorld('branch', bench.world.now());
    const store = new MemoryStore({ world: fake });
    const end = (await bench.store.entries({ after: 0, limit: count })).at(-1)!;
    await restore([linkTo(keeper)], { store, end });
    await opens(await Bench.open({ world: fake, store }));
  };
  const opens = async (opened: Bench) => {
    bench = opened;
    feed = new Feed((await bench.store.head()).seq);
    bench.actors.committer.listen(({ seq }) => feed.advance(seq));
  };

  beforeEach(async () => {
    logged.length = 0;
    others.length = 0;
    dir = scratch();
    keeper = await keeperIn(dir);
    await opens(await Bench.open({}, { ada: 10 }));
  });
  afterEach(async () => sender?.close());
  after(tidy);

  it('has the tail in small pieces, which segments replace, and from them the whole journal', async () => {
    send();
    for (let count = 0; count < 70; count++) {
      await mints(1);
      await mirrored();
    }
    const early = await pieces();
    expect(early.filter(({ isSegment }) => isSegment)).to.have.length(0);
    expect(early).to.have.length.below(20);
    await sender!.close();
    await mints(600);
    send();
    await mirrored();
    let end = 0;
    for (const { isSegment, first, last } of await pieces()) {
      if (isSegment) expect(last - first).to.equal(mirrorBounds.pieceEntries - 1);
      if (isSegment || last > end) expect(first).to.equal(end + 1);
      end = Math.max(end, last);
    }
    expect(end).to.equal((await bench.store.head()).seq);
    const other = await restore([linkTo(keeper)]);
    expect(await other.entries(all)).to.deep.equal(await bench.store.entries(all));
    expect(await other.account(ada)).to.deep.equal(await bench.store.account(ada));
  });

  it('marks its store until a restore that was interrupted has ended', async () => {
    await mints(600);
    send();
    await mirrored();
    const store = new MemoryStore({ world: new FakeWorld() });
    const takeOver = store.takeOver.bind(store);
    let pages = 0;
    store.takeOver = async (commits) => {
      if (pages++ === 1) throw new Error('killed');
      await takeOver(commits);
    };
    await refused(restore([linkTo(keeper)], { store }), 'killed');
    expect((await store.head()).seq).to.equal(500);
    const { seq, chainHash } = await bench.store.head();
    expect(await restoreMarkOf(store)).to.deep.equal({ seq, chainHash });
    await restore([linkTo(keeper)], { store });
    expect(await store.head()).to.deep.equal({ seq, chainHash });
    expect(await restoreMarkOf(store)).to.equal(undefined);
    expect(await store.account(ada)).to.deep.equal(await bench.store.account(ada));
  });

  it('names one that returns one piece for another, and takes nothing from it', async () => {
    send();
    await mirrored();
    await mints(1);
    await mirrored();
    await sender!.close();
    const [one, other] = (await readdir(folder())).map((name) => join(folder(), name)) as [string, string];
    const [first, second] = [await readFile(one), await readFile(other)];
    await writeFile(one, second);
    await writeFile(other, first);
    const store = new MemoryStore({ world: new FakeWorld() });
    await refused(restore([linkTo(keeper)], { store }), /no mirror in reach has entry \d+ whole/);
    expect(logged.join()).to.include('a mirror does not return a piece of this journal');
    expect([(await store.head()).seq, await restoreMarkOf(store)]).to.deep.equal([0, undefined]);
  });

  it('names one that has changed a byte, and sends the piece again', async () => {
    send();
    await mirrored();
    await sender!.close();
    const [name] = await readdir(folder());
    const kept = await readFile(join(folder(), name!));
    kept[40]! ^= 1;
    await writeFile(join(folder(), name!), kept);
    send();
    await until('it is named', () => sender!.problem, { is: (problem) => problem?.includes('did not return entry') });
    expect(logged.join()).to.include('other bytes');
    await until('the piece is sent again', pieces, { is: (found) => found.length === 1 });
    expect(sender!.mirrored, 'it does not count').to.equal(undefined);
    sender!.connected();
    await mirrored();
    expect(sender!.problem).to.equal(undefined);
    expect(await (await restore([linkTo(keeper)])).head()).to.deep.equal(await bench.store.head());
  });

  it('sends again what a mirror has lost, and names it', async () => {
    send();
    await mirrored();
    for (const name of await readdir(folder())) await rm(join(folder(), name));
    sender!.connected();
    await until('it is named', () => logged, { is: () => logged.some((line) => line.includes('has lost pieces')) });
    await until('it has all', pieces, { is: (found) => found.length === 1 });
  });

  it('sends all contents again once a mirror lacks one', async () => {
    await mints(20);
    const contents = () => readdir(join(dir, peerIdOf(home), 'contents'));
    const { seq } = await bench.store.head();
    const store: MirrorSenderOptions['store'] = {
      entries: (asked) => bench.store.entries(asked),
      contentsOf: async (entries) => entries.map(({ entryHash }) => ({ hash: entryHash, size: 1 })) as never,
      content: async (asked) => Buffer.from(asked),
      load: async () => undefined,
    };
    send({ store });
    await mirrored();
    expect(await contents()).to.have.length(seq);
    for (const name of await contents()) await rm(join(dir, peerIdOf(home), 'contents', name));
    sender!.connected();
    await until('it has all', contents, { is: (names) => names.length === seq });
  });

  for (const [when, isSentBefore] of [
    ['before it sends the text', false],
    ['after it has sent the text', true],
  ] as const) {
    it(`that erases a text ${when}, and loses the entry that says so, erases it again after a restore`, async () => {
      const [from, to] = [didOf('ada'), didOf('ben')];
      expect(await bench.ask('ada', 'account', from, 'transfer', { to, amount: 1, memo: 'secret' })).to.have.property(
        'entry',
      );
      const end = await bench.store.head();
      const { payload } = (await entryAt(bench.store, end.seq))!;
      const [hash] = leavesIn(payload.input);
      // The mirror ends while it writes a later entry: it has the contents by then.
      const link = linkOver('mirror', async (method, path, body) => {
        const { keep = [], drop = [] } = JSON.parse(body ?? '{}') as { keep?: [string, string][]; drop?: string[] };
        const early = keep.filter(([name]) => (journalPieceOf(name)?.last ?? 0) <= end.seq);
        if (early.length === keep.length) return ask(keeper, home, method, path, body);
        await change(
          keeper,
          early,
          drop.filter((name) => !journalPieceOf(name)),
          home,
        );
        return { status: 500, body: '' };
      });
      const sendsText = async () => {
        send({ link, feed: isSentBefore ? feed : new Feed(end.seq) });
        await until('the entry is mirrored', () => sender!.mirrored, { is: (sent) => sent === end.seq });
      };
      if (isSentBefore) await sendsText();
      const erasure = { reason: 'asked for', operator: 'ann', resource: { kind: 'account', id: from } };
      await bench.system.execute({ kind: leafKind, id: hash!, action: 'redact', input: erasure });
      if (!isSentBefore) await sendsText();
      const piece = cipher.contentPiece(hash!);
      const kept = async () => cipher.open(piece, (await keeper.read(home, piece))!);
      await until('the mirror has no text', kept, { is: (bytes) => bytes !== undefined && !bytes.includes('secret') });
      await opens(await Bench.open({ store: await restore([linkTo(keeper)], { end }) }));
      expect((await bench.store.head()).seq).to.equal(end.seq);
      await redactAgain({ log: createLog({ level: 'silent' }) }, bench.store, bench.system);
      const again = (await bench.store.load(leafKind, hash!))!.context;
      expect(again).to.deep.equal({ ...erasure, reason: 'asked for (applied again after a restore)' });
      expect(await bench.audit()).to.include({ ok: true, erased: 1 });
      await redactAgain({ log: createLog({ level: 'silent' }) }, bench.store, bench.system);
      expect((await bench.store.head()).seq).to.equal(end.seq + 1);
    });
  }

  it('does not compare again what it knows of a mirror that takes nothing', async () => {
    let reads = 0;
    let tries = 0;
    let isOut = false;
    const store: MirrorSenderOptions['store'] = {
      entries: (asked) => {
        reads++;
        return bench.store.entries(asked);
      },
      contentsOf: (entries) => bench.store.contentsOf(entries),
      content: (asked) => bench.store.content(asked),
      load: (kind, id) => bench.store.load(kind, id),
    };
    const link = linkOver('mirror', async (method, path, body) => {
      if (method === 'POST' && isOut) {
        tries++;
        return { status: 500, body: '' };
      }
      return ask(keeper, home, method, path, body);
    });
    send({ store, link });
    for (let count = 0; count < 30; count++) {
      await mints(1);
      await mirrored();
    }
    [isOut, reads] = [true, 0];
    await mints(1);
    await until('it is tried again', () => tries >= 3);
    expect(reads).to.be.below(15);
  });

  it('leaves a newer piece that can not be read where it is, and does not take its word for a longer journal', async () => {
    const name = pieceNamed(1_000, 1_001, 't');
    expect(await statusOf(change(keeper, [[name, bytes]], [], home))).to.equal(204);
    send();
    await until('it says so', () => sender!.problem, { is: (problem) => problem?.includes('up to entry 1001') });
    expect([others, await keeper.names(home)]).to.deep.equal([[], [name]]);
    expect(await linkTo(keeper).newest(5))
      .to.have.property('unread')
      .that.includes('up to entry 1001');
    expect(await linkTo(keeper).newest(1_001)).to.deep.equal({ end: undefined, unread: undefined });
  });

  it('restores without a piece that a mirror shows once', async () => {
    // The same journal in small pieces at one mirror, and in a large one at the other.
    send();
    for (let count = 0; count < 5; count++) {
      await mints(1);
      await mirrored();
    }
    await sender!.close();
    const small = keeper;
    keeper = await keeperIn(scratch());
    const slow = new Feed(3);
    send({ feed: slow });
    await until('it has three', () => sender!.mirrored, { is: (sent) => sent === 3 });
    slow.advance(feed.head);
    await mirrored();
    const large = keeper;
    let isOver = false;
    const once = linkOver('once', (method, path, body) =>
      isOver && path.includes('piece')
        ? Promise.resolve({ status: 200, body: '{"bytes":null}' })
        : ask(large, home, method, path, body),
    );
    const store = new MemoryStore({ world: new FakeWorld() });
    const putLocal = store.putLocal.bind(store);
    store.putLocal = (...record) => {
      isOver = true;
      return putLocal(...record);
    };
    await restore([once, linkTo(small)], { store });
    expect(logged.join(), 'it was chosen').to.include('"mirror":"once"');
    expect(await store.entries(all)).to.deep.equal(await bench.store.entries(all));
  });

  it('says what keeps a mirror from taking its journal, and sends it once that has ended', async () => {
    keeper = await keeperIn(dir, { most: { bytesPerHome: 100, pieces: 9 } });
    send();
    await until('it says so', () => sender!.problem, { is: (problem) => problem?.includes('no room') });
    await sender!.close();
    keeper = await keeperIn(dir, {}, []);
    let largest = 0;
    const link = linkOver('mirror', (method, path, body) => {
      largest = Math.max(largest, body?.length ?? 0);
      return ask(keeper, home, method, path, body);
    });
    send({ link });
    await until('it says so', () => sender!.problem, { is: (problem) => problem?.includes('svc-node peers keep') });
    expect(largest, 'no entry was sent').to.be.below(100);
    await keeper.add(home);
    await mirrored();
    expect(largest).to.be.above(100);
  });

  it('asks a slow mirror, and one that does not answer, last', async () => {
    send();
    for (let count = 0; count < 5; count++) {
      await mints(1);
      await mirrored();
    }
    const asked: string[] = [];
    const named = (name: string, delayMs: number) =>
      linkOver(name, async (method, path, body) => {
        if (path.includes('piece')) asked.push(name);
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (name === 'silent') throw new Error('silent');
        return ask(keeper, home, method, path, body);
      });
    await restore([named('silent', 0), named('slow', 1_000), named('fast', 0)]);
    expect(asked.length).to.be.above(4);
    expect(new Set(asked)).to.deep.equal(new Set(['fast']));
  });

  it('asks one that did not answer again, if no other has the piece', async () => {
    send();
    await mints(3);
    await mirrored();
    let asked = 0;
    const flaky = linkOver('flaky', async (method, path, body) => {
      if (path.includes('piece') && asked++ % 2 === 0) throw new Error('cut');
      return ask(keeper, home, method, path, body);
    });
    await restore([flaky]);
    expect(asked).to.be.at.least(2);
  });

  it('takes the entries that it has checked, whatever else of its key a mirror shows later', async () => {
    // Two journals of this key that differ from entry 6 on, both whole at one mirror.
    await mints(5);
    send();
    await mirrored();
    await sender!.close();
    const first = bench;
    const { seq } = await first.store.head();
    await branch(seq - 3);
    await mints(600, 2);
    const [lies, truth] = [await keeperIn(scratch()), keeper];
    keeper = lies;
    send();
    await mirrored();
    let isSecond = false;
    const two = linkOver('two-faced', async (method, path, body) => {
      if (!path.includes('names')) return ask(isSecond ? lies : truth, home, method, path, body);
      const names = [...new Set([...(await truth.names(home))!, ...(await lies.names(home))!])].sort();
      return { status: 200, body: JSON.stringify({ names, isMore: false }) };
    });
    const store = new MemoryStore({ world: new FakeWorld() });
    const putLocal = store.putLocal.bind(store);
    store.putLocal = (...record) => {
      // The first reading has ended.
      isSecond = true;
      return putLocal(...record);
    };
    const end = await first.store.head();
    const done = await restore([two], { store, end }).then(
      () => 'restored',
      (error: Error) => error.message,
    );
    // It may withhold the rest, and no more than that.
    if (done !== 'restored') expect(done).to.match(/no mirror in reach has entry \d+ whole/);
    const own = await first.store.entries(all);
    for (const entry of await store.entries(all)) expect(entry).to.deep.equal(own[entry.seq - 1]);
  });

  it('does not follow a list with many false names for long', async () => {
    send();
    await mints(3);
    await mirrored();
    let asked = 0;
    const names = Array.from({ length: 1_000 }, (_, index) => pieceNamed(1, 20 + index, 't'));
    const liar = linkOver('liar', async (_, path) => {
      if (!path.includes('names')) asked++;
      const answer = path.includes('names') ? { names, isMore: false } : { bytes: null };
      return { status: 200, body: JSON.stringify(answer) };
    });
    expect(await liar.newest(5_000)).to.deep.equal({ end: undefined, unread: undefined });
    expect(asked).to.equal(mirrorBounds.candidates);
    await restore([liar, linkTo(keeper)]);
    expect(asked).to.be.below(30);
    expect((await linkTo(keeper).newest(0)).end).to.include(await bench.store.head());
  });

  it('is shown to others up to what enough mirrors have, and takes writes while these are in reach', async () => {
    let isAway = true;
    const link = linkOver('mirror', async (method, path, body) => {
      if (isAway) throw new Error('away');
      return ask(keeper, home, method, path, body);
    });
    const mirrors = await Mirrors.open({
      ...{ store: bench.store, copies: 1, cipher, world, log, onOther },
      ...{ linkTo: () => link, isDecided: () => false },
    });
    await mirrors.add('did:svc:mirror' as Did);
    const shown = mirrors.serve(feed);
    await until('it is tried', () => logged.length > 0);
    expect(shown.head).to.equal(0);
    expect(mirrors.refusal()).to.have.property('detail').that.includes('0 mirrors in reach');
    isAway = false;
    await until('all is shown', () => shown.head === feed.head);
    expect(mirrors.refusal()).to.equal(undefined);
    await mirrors.close();
  });

  describe('that has another journal of it', () => {
    let former: Bench;

    beforeEach(async () => {
      await mints(8);
      send();
      await mirrored();
      await sender!.close();
      former = bench;
    });
    const isTold = () => until('it is told', () => others, { is: (told) => told.length > 0 });

    it('stops, and sends and deletes nothing, because that may be the right one', async () => {
      const before = await keeper.names(home);
      await branch(6);
      send();
      await isTold();
      expect(others[0]).to.equal(`ahead ${(await former.store.head()).seq}`);
      await mints(12, 2);
      await until('it contradicts this one', () => others, {
        is: (told) => told.some((each) => each.startsWith('fork')),
      });
      expect(sender!.problem).to.include('which is not in this journal');
      expect(await keeper.names(home)).to.deep.equal(before);
      expect(await (await restore([linkTo(keeper)], { end: await former.store.head() })).head()).to.deep.equal(
        await former.store.head(),
      );
    });

    it('deletes it once its operator has decided, and sends its own', async () => {
      await branch(6);
      await mints(12, 2);
      send({ isDecided: () => true });
      await mirrored();
      expect((await linkTo(keeper).newest(0)).end).to.include(await bench.store.head());
      const chains = new Set((await bench.store.entries(all)).map(({ chainHash }) => chainHash));
      for (const { chainHash } of await pieces()) expect(chains.has(chainHash)).to.equal(true);
      await refused(restore([linkTo(keeper)], { end: await former.store.head() }), 'no mirror in reach');
    });
  });
});
