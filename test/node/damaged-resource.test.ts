/** One damaged resource does not make lists of the others fail (docs/reference/events-and-entries.md#reading-events). */
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import sinon from 'sinon';
import { createLog } from '../../src/core/log.js';
import { lookedAt } from '../../src/store/journal-end.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { StoreDamaged, StoreFault } from '../../src/store/store.js';
import { expectProblem, expectStatus } from './support/answers.js';
import { FakeChain } from './support/chain.js';
import type { Body, Client } from './support/client.js';
import { DescribedClient, Description } from './support/described.js';
import { TestNode } from './support/node.js';
import { EventStream } from './support/stream.js';

const withLocalStore = { store: (dir: string) => SqliteStore.open({ dir }) };

describe('A resource whose row is damaged', () => {
  const logged: string[] = [];
  const log = createLog({ level: 'error', destination: { write: (line) => void logged.push(line) } });
  const contracts: string[] = [];
  let node: TestNode;
  let described: DescribedClient;
  /** The contracts' client, who may read their texts. */
  let party: Client;
  let sound: Body[];

  const events = async (client: Client, query = ''): Promise<Body[]> =>
    expectStatus(await client.get(`/api/v1/events?limit=100${query}`)).events;

  before(async () => {
    node = await TestNode.start(withLocalStore);
    const [ada, ben] = [await node.rich(1_000), await node.person()];
    for (let i = 0; i < 3; i++) {
      const terms = { words: `for the parties ${i}` };
      const deal = { provider: ben.did, terms, payment: { totalAmount: 10 } };
      contracts.push((await ada.does('/api/v1/contracts', deal)).contractId);
    }
    // A start checks the newest entries and would refuse the damaged ones among them.
    for (let i = 0; i < lookedAt; i++) await ada.pays(ben.did, 1);
    const { key } = await node.key({ did: ada.did });
    sound = await events(node.client.keyed(key));
    await node.stop();
    const database = new Database(join(node.dir, 'journal.db'));
    const damage = database.prepare('UPDATE resources SET context = ?, context_at = NULL WHERE id = ?');
    // One that is not JSON any more, and one that is JSON but not a context.
    expect(damage.run('{"client"', contracts[0]!).changes).to.equal(1);
    expect(damage.run('null', contracts[1]!).changes).to.equal(1);
    database.close();
    node = await TestNode.start({ ...withLocalStore, dir: node.dir, parts: { log } });
    described = new DescribedClient(node.url, new Description((await node.client.get('/openapi.json')).body));
    party = described.keyed(key);
  });
  after(async () => {
    described?.close();
    await node?.discard();
  });

  it('leaves no gap in the journal: its entries are shown without the payload, and say so', async () => {
    const shown = await events(party);
    expect(shown.map(({ seq }) => seq)).to.deep.equal(sound.map(({ seq }) => seq));
    for (const [index, entry] of shown.entries()) {
      const { payload, leaves: _, confidential: __, salt: ___, ...rest } = sound[index]!;
      const isDamaged = contracts.slice(0, 2).includes(payload?.id);
      expect(entry).to.deep.equal(isDamaged ? { ...rest, unreadable: ['payload'] } : sound[index]);
    }
    expect(shown.filter(({ unreadable }) => unreadable)).to.have.length(2);
    expect(shown.find(({ payload }) => payload?.id === contracts[2])?.payload.input).to.have.property('terms');
    expect(logged.join('')).to.contain('an entry is shown without what cannot be read').and.contain(contracts[0]);
  });

  it('does not end a stream', async () => {
    const live = await EventStream.open(`${node.url}/api/v1/events/stream?after=0`);
    const received = await live.take(sound.length);
    live.close();
    expect(received.map(({ data }) => data.seq)).to.deep.equal(sound.map(({ seq }) => seq));
  });

  it('is 503 itself, and so is the list that it would have a place in', async () => {
    expectProblem(await party.get(`/api/v1/contracts/${contracts[0]}`), 'SERVICE_UNAVAILABLE');
    expectProblem(await party.get('/api/v1/contracts'), 'SERVICE_UNAVAILABLE');
    expectStatus(await party.get(`/api/v1/contracts/${contracts[2]}`));
  });
});

describe('A receipt that is damaged', () => {
  const chain = new FakeChain();
  let node: TestNode;
  afterEach(() => node.discard());

  it('is named next to its entry; a store that fails is still 503', async () => {
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain } });
    const [ada, ben] = [await node.rich(100), await node.person()];
    const { eventHash } = await ada.pays(ben.did, 1);
    await ada.pays(ben.did, 2);
    const receipt = sinon.stub(chain, 'receipt').callThrough().withArgs(eventHash);
    receipt.rejects(new StoreDamaged('receipt 1 cannot be read'));
    const { events } = expectStatus(await node.client.get('/api/v1/events'));
    const unreadable = events.filter((entry: Body) => entry.unreadable);
    expect(unreadable.map(({ event }: Body) => event.hash)).to.deep.equal([eventHash]);
    expect(unreadable[0]).to.deep.include({ unreadable: ['receipt'], receipt: null });
    receipt.rejects(new StoreFault('the reader is gone'));
    expectProblem(await node.client.get('/api/v1/events'), 'SERVICE_UNAVAILABLE');
  });
});
