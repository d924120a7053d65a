/**
 * `GET /api/v1/events/stream` (docs/reference/events-and-entries.md#event-stream): live, resumed, filtered, and ended by a
 * stop.
 */
import { expect } from 'chai';
import sinon from 'sinon';
import { bounds } from '../../src/core/bounds.js';
import { type Environment, pause, realEnvironment } from '../../src/core/environment.js';
import { Feed } from '../../src/core/feed.js';
import { LiveEntries } from '../../src/http/routes/live-entries.js';
import { contract } from '../../src/machines/contract/resource.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { until } from '../support/until.js';
import { elapsed, expectWithin } from '../support/within.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import { nodeForSuite, TestNode } from './support/node.js';
import { EventStream, type StreamedEvent } from './support/stream.js';

describe('The event stream', () => {
  const node = nodeForSuite();
  const open: EventStream[] = [];

  const stream = async (query = '', headers = {}): Promise<EventStream> => {
    const opened = await EventStream.open(`${node().url}/api/v1/events/stream${query}`, headers);
    open.push(opened);
    return opened;
  };
  const ids = (events: readonly StreamedEvent[]) =>
    events.map(({ id, data }) => {
      expect(id).to.equal(`${data.seq}.${data.chainHash.slice(0, 8)}`);
      return Number(data.seq);
    });

  afterEach(() => {
    sinon.restore();
    for (const each of open.splice(0)) each.close();
  });

  it('shows entries as they come, each as the events endpoint shows it', async () => {
    const live = await stream();
    expect(live.response.statusCode).to.equal(200);
    expect(live.response.headers['content-type']).to.match(/^text\/event-stream/);
    const [ada, ben] = [await node().rich(10), await node().person()];
    const { eventHash } = await ada.pays(ben.did, 3);
    const [minted, paid] = await live.take(2);
    expect([minted!.event, paid!.event]).to.deep.equal(['faucet.claimed', 'transfer.sent']);
    expect(paid!.data).to.deep.equal(expectStatus(await node().client.get(`/api/v1/events/${eventHash}`)));
    expect(ids([minted!, paid!])).to.deep.equal([paid!.data.seq - 1, paid!.data.seq]);
  });

  it('resumes after Last-Event-ID, goes over into the live part, and misses nothing', async () => {
    const [ada, ben] = [await node().rich(100), await node().person()];
    const { seq } = await node().store.head();
    for (let i = 0; i < 5; i++) await ada.pays(ben.did, 1);
    const resumed = await stream('', { 'Last-Event-ID': String(seq + 2) });
    for (let i = 0; i < 5; i++) await ada.pays(ben.did, 1);
    expect(ids(await resumed.take(8))).to.deep.equal(Array.from({ length: 8 }, (_, i) => seq + 3 + i));
    const fromStart = await stream('?after=0');
    expect(ids(await fromStart.take(seq + 10))).to.deep.equal(Array.from({ length: seq + 10 }, (_, i) => i + 1));
    const both = await stream('?after=0', { 'Last-Event-ID': String(seq + 9) });
    expect(ids(await both.take(1)), 'the header wins').to.deep.equal([seq + 10]);
  });

  it('loses and repeats nothing while many write at once', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => node().rich(100)));
    const { seq } = await node().store.head();
    const live = await stream();
    await Promise.all(
      people.map(async (who, i) => {
        for (let n = 0; n < 10; n++) await who.pays(people[(i + 1) % 8]!.did, 1);
      }),
    );
    expect(ids(await live.take(80))).to.deep.equal(Array.from({ length: 80 }, (_, i) => seq + 1 + i));
  });

  it('filters like the list', async () => {
    const [ada, ben] = [await node().rich(10), await node().rich(10)];
    const mine = await stream(`?issuer=${ada.did}&type=transfer.sent`);
    await ben.pays(ada.did, 1);
    await ada.pays(ben.did, 2);
    const [only] = await mine.take(1);
    expect(only!.data.event.issuer).to.equal(ada.did);
  });

  it('refuses what it cannot resume from', async () => {
    const { client } = node();
    expectInvalid(await client.get('/api/v1/events/stream', { 'Last-Event-ID': 'yesterday' }), 'Last-Event-ID');
    expectInvalid(await client.get('/api/v1/events/stream?after=-1'), 'after');
    const remote = client.with({ 'X-Forwarded-For': '203.0.113.9' });
    expectProblem(await remote.get('/api/v1/events/stream'), 'UNAUTHORIZED');
  });

  for (const path of ['/api/v1/events', '/api/v1/events/stream']) {
    it(`${path} refuses an entry that the journal does not have, with its head`, async () => {
      await node().rich(10);
      const { seq: head, chainHash: hash } = await node().store.head();
      const absent = [`${head + 1}`, `${head + 1}.${hash.slice(0, 8)}`, `${head}.00000000`, `1.${hash.slice(0, 8)}`];
      const asked = absent.flatMap((after) => [
        node().client.get(`${path}?after=${after}`),
        ...(path.endsWith('stream') ? [node().client.get(path, { 'Last-Event-ID': after })] : []),
      ]);
      for (const reply of await Promise.all(asked)) expectProblem(reply, 'CONFLICT', { head });
      for (const after of ['0', `${head}`, `${head}.${hash.slice(0, 8)}`]) {
        const reply = await EventStream.open(`${node().url}${path}?after=${after}`);
        expect(reply.response.statusCode, after).to.equal(200);
        reply.close();
      }
    });

    it(`${path} waits for an entry that another process may have shown`, async () => {
      const [ada, ben] = [await node().rich(10), await node().person()];
      const { seq: head } = await node().store.head();
      const asked = EventStream.open(`${node().url}${path}?after=${head + 1}`);
      await ada.pays(ben.did, 1);
      const { response, close } = await asked.then((each) => ({ response: each.response, close: () => each.close() }));
      expect(response.statusCode).to.equal(200);
      close();
    });
  }

  it('misses nothing that comes while it is reading', async () => {
    const slow = await TestNode.start({
      async store(dir) {
        const store = await SqliteStore.open({ dir });
        const real = store.entries.bind(store);
        store.entries = async (query) => {
          const page = await real(query);
          await new Promise((resolve) => setTimeout(resolve, 30));
          return page;
        };
        return store;
      },
    });
    const live = await EventStream.open(`${slow.url}/api/v1/events/stream`);
    try {
      const [ada, ben] = [await slow.rich(100), await slow.person()];
      for (let i = 0; i < 40; i++) await ada.pays(ben.did, 1);
      const { seq } = await slow.store.head();
      expect(ids(await live.take(41))).to.deep.equal(Array.from({ length: 41 }, (_, i) => seq - 40 + i));
    } finally {
      live.close();
      await slow.discard();
    }
  });

  it('costs the store one read for all, and none for what a filter leaves out', async () => {
    const counted = await TestNode.start({ store: (dir) => SqliteStore.open({ dir }) });
    const reads = sinon.spy(counted.running.store, 'entries');
    const open = (query: string) => EventStream.open(`${counted.url}/api/v1/events/stream${query}`);
    const all = await Promise.all(Array.from({ length: 20 }, () => open('')));
    const none = await Promise.all(Array.from({ length: 20 }, () => open('?type=clock.corrected')));
    try {
      const [ada, ben] = [await counted.rich(100), await counted.person()];
      await Promise.all(all.map((each) => each.take(1)));
      reads.resetHistory();
      for (let i = 0; i < 20; i++) await ada.pays(ben.did, 1);
      const taken = await Promise.all(all.map((each) => each.take(20)));
      expect(new Set(taken.map((events) => ids(events).join())).size, 'all see the same').to.equal(1);
      expect(reads.callCount).to.be.within(1, 25);
      expect(await none[0]!.take(1, 50).catch(() => 'silent')).to.equal('silent');
    } finally {
      for (const each of [...all, ...none]) each.close();
      await counted.discard();
    }
  });

  it('has a bound for each caller, apart from this machine', async () => {
    const caller = async (address: string) => {
      const { key } = await node().key({ scope: 'read' });
      return (from = address) =>
        EventStream.open(`${node().url}/api/v1/events/stream`, { 'X-Api-Key': key, 'X-Forwarded-For': from });
    };
    const [greedy, other] = [await caller('203.0.113.9'), await caller('203.0.113.10')];
    const open = await Promise.all(Array.from({ length: bounds.streamsPerCaller }, () => greedy()));
    const refused = await greedy();
    const allowed = await other();
    expect(open.every(({ response }) => response.statusCode === 200)).to.equal(true);
    expect(refused.response.statusCode).to.equal(429);
    expect(Number(refused.response.headers['retry-after'])).to.be.greaterThan(0);
    expect(allowed.response.statusCode).to.equal(200);
    const local = await Promise.all(Array.from({ length: bounds.streamsPerCaller + 1 }, () => stream()));
    expect(local.every(({ response }) => response.statusCode === 200)).to.equal(true);
    for (const each of [...open, refused, allowed, ...local]) each.close();
  });

  it('of a consumer that falls behind continues from the store, in order and without a gap', async () => {
    const { store, actors } = node().running;
    const feed = new Feed((await store.head()).seq);
    const unlisten = actors.committer.listen(({ seq }) => feed.advance(seq));
    const live = new LiveEntries({ store, feed, world: node().world, show: async () => ({}) });
    const end = new AbortController();
    const texts = live.follow({ after: feed.head, filter: {}, reader: undefined, isNamed: true, signal: end.signal });
    const first = feed.head + 1;
    const [ada, ben] = [await node().rich(1_000), await node().person()];
    let read = String((await texts.next()).value);
    const draft = { ...contract.create.example, provider: ben.did, terms: { scope: 'x'.repeat(60_000) } };
    for (let i = 0; i < 25; i++) await ada.does('/api/v1/contracts', draft);
    while (!read.includes(`id: ${feed.head}.`)) read += String((await texts.next()).value);
    const numbers = [...read.matchAll(/^id: (\d+)\./gm)].map(([, id]) => Number(id));
    expect(numbers).to.deep.equal(Array.from({ length: feed.head + 1 - first }, (_, i) => first + i));
    end.abort();
    expect((await texts.next()).done).to.equal(true);
    unlisten();
  });

  it('renders entries in turns, so that others do not wait for entries with many texts', async () => {
    const { store } = node().running;
    for (let i = 0; i < 5; i++) await node().rich(1);
    const { seq } = await store.head();
    let [at, turns] = [0, 0];
    const after: Environment['after'] = (delayMs, call) => {
      turns++;
      return realEnvironment.after(delayMs, call);
    };
    const world = { ...realEnvironment, monotonic: () => at, after };
    const show = async () => {
      at += 10;
      return {};
    };
    const end = new AbortController();
    const texts = new LiveEntries({ store, feed: new Feed(seq), world, show }).follow({
      ...{ after: seq - 5, filter: {}, reader: undefined, isNamed: true, signal: end.signal },
    });
    expect(String((await texts.next()).value).match(/^id: /gm)).to.have.length(5);
    expect(turns).to.equal(4);
    end.abort();
    expect((await texts.next()).done).to.equal(true);
  });

  it('renders what is past for one stream at a time, and for those that are left once one is gone', async () => {
    const { store } = node().running;
    for (let i = 0; i < 3; i++) await node().rich(1);
    const { seq } = await store.head();
    let [rendering, most] = [0, 0];
    const show = async () => {
      most = Math.max(most, ++rendering);
      await pause(realEnvironment, 1);
      rendering--;
      return {};
    };
    const live = new LiveEntries({ store, feed: new Feed(seq), world: realEnvironment, show });
    const ends = Array.from({ length: 4 }, () => new AbortController());
    const streams = ends.map(({ signal }) =>
      live.follow({ after: seq - 3, filter: {}, reader: undefined, isNamed: true, signal }),
    );
    const first = streams.map((each) => each.next());
    ends[1]!.abort();
    const texts = (await Promise.all(first)).map(({ value }) => String(value ?? '').match(/^id: /gm)?.length);
    expect(texts).to.deep.equal([3, undefined, 3, 3]);
    expect(most).to.equal(1);
    for (const end of ends) end.abort();
    for (const each of streams) expect((await each.next()).done).to.equal(true);
  });

  it('ends when the node stops, which does not wait for it', async () => {
    await expectWithin(8_000, async () => {
      const stopping = await TestNode.start();
      const live = await EventStream.open(`${stopping.url}/api/v1/events/stream`);
      const tookMs = await elapsed(() => stopping.discard());
      await until('the stream has ended', () => live.ended);
      return tookMs;
    });
  });
});
