/** decisions.md, `GET /api/v1/events/stream`: live, resumed, filtered, ended by a stop. */
import { expect } from 'chai';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import { nodeForSuite, TestNode } from './support/node.js';
import { EventStream } from './support/stream.js';

describe('The event stream', () => {
  const node = nodeForSuite();
  const open: EventStream[] = [];

  const stream = async (query = '', headers = {}): Promise<EventStream> => {
    const opened = await EventStream.open(`${node().url}/api/v1/events/stream${query}`, headers);
    open.push(opened);
    return opened;
  };
  const ids = (events: readonly { id: string | undefined }[]) => events.map(({ id }) => Number(id));

  afterEach(() => {
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

  it('ends when the node stops, which does not wait for it', async () => {
    const stopping = await TestNode.start();
    const live = await EventStream.open(`${stopping.url}/api/v1/events/stream`);
    const begun = Date.now();
    await stopping.discard();
    expect(Date.now() - begun).to.be.below(5_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(live.ended).to.equal(true);
  });
});
