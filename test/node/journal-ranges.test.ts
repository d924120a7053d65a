/** The journal read from its end, by time and by amount (docs/reference/events-and-entries.md#reading-events). */
import { expect } from 'chai';
import sinon from 'sinon';
import { bounds } from '../../src/core/bounds.js';
import { journalPage } from '../../src/http/routes/journal-page.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { expectInvalid, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('Ranges of the journal', () => {
  const node = nodeForSuite();
  let ada: Person;
  let all: Body[];

  before(async () => {
    ada = await node().rich(1_000);
    const ben = await node().person();
    for (const amount of [5, 50, 7, 70, 5]) await ada.pays(ben.did, amount);
    all = await read('limit=100');
  });

  const page = async (query: string): Promise<Body> => expectStatus(await node().client.get(`/api/v1/events?${query}`));
  const read = async (query: string): Promise<Body[]> => (await page(query)).events;
  const seqs = (entries: readonly Body[]) => entries.map(({ seq }) => seq);
  const moved = ({ postings }: Body) =>
    postings.reduce((sum: number, [, delta]: [string, number]) => sum + Math.max(0, delta), 0);

  async function pages(query: string, place: 'after' | 'before'): Promise<number[]> {
    const found: number[] = [];
    for (let more = ''; ; ) {
      const { events, next, hasMore } = await page(`${query}&limit=2${more}`);
      found.push(...seqs(events));
      expect(hasMore).to.equal(next !== null);
      if (next === null) return found;
      more = `&${place}=${next}`;
    }
  }

  it('pages from the end, as many as from the beginning', async () => {
    expect(await pages('order=newest', 'before')).to.deep.equal(seqs(all).toReversed());
    const own = all.filter(({ event }) => event.issuer === ada.did);
    expect(await pages(`order=newest&issuer=${ada.did}`, 'before')).to.deep.equal(seqs(own).toReversed());
    expect(await pages(`order=newest&resource=account/${ada.did}`, 'before')).to.deep.equal(
      (await pages(`resource=account/${ada.did}`, 'after')).toReversed(),
    );
  });

  it('keeps to two times', async () => {
    for (const { time } of all) {
      expect(await pages(`since=${time}`, 'after')).to.deep.equal(seqs(all.filter((each) => each.time >= time)));
      expect(await pages(`until=${time}&order=newest`, 'before')).to.deep.equal(
        seqs(all.filter((each) => each.time <= time)).toReversed(),
      );
    }
    expect(await read(`since=${all.at(-1)!.time + 1}`)).to.deep.equal([]);
    expect(await read(`until=${all[0]!.time - 1}`)).to.deep.equal([]);
  });

  it('keeps to what moved so much', async () => {
    const some = all.filter((entry) => moved(entry) >= 50 && moved(entry) <= 70);
    expect(some).to.have.length(2);
    expect(await pages('minAmount=50&maxAmount=70', 'after')).to.deep.equal(seqs(some));
    expect(await pages('minAmount=50&maxAmount=70&order=newest', 'before')).to.deep.equal(seqs(some).toReversed());
    expect(await read('minAmount=5000')).to.deep.equal([]);
  });

  it('looks at so many entries at most for one request by amount', async () => {
    const entry = { core: { postings: [['supply', 0]], time: 1 } } as unknown as NumberedEntry;
    const entries = sinon.fake(async ({ after, limit }: { after: number; limit: number }) =>
      Array.from({ length: limit }, (_, at) => ({ ...entry, seq: after + 1 + at })),
    );
    const { items, next } = await journalPage({ entries }, {}, { after: 0, limit: 5, minAmount: 1, head: 1_000_000 });
    expect(items).to.deep.equal([]);
    expect(next).to.equal(bounds.journalScanned);
    expect(entries.callCount).to.equal(bounds.journalScanned / bounds.pageLimit);
  });

  it('refuses before without the order that it belongs to', async () => {
    expectInvalid(await node().client.get('/api/v1/events?before=3'), 'before');
  });
});
