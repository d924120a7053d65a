/** Pages of large resources and entries end before their `limit`, and have a cursor to the next page. */
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const count = 9;

/** As long as a contract may be, so that three fit on a page; or short. */
const milestones = (isLong: boolean) =>
  Array.from({ length: isLong ? 50 : 1 }, (_, index) => ({
    id: `m${index}`,
    title: 'A stage',
    amount: 1,
    ...(isLong ? { description: 'x'.repeat(4_000) } : {}),
  }));

describe('Pages of what is large', () => {
  const node = nodeForSuite();
  let ids: string[] = [];
  let client: Person;

  before(async () => {
    client = await node().rich(1_000);
    const provider = await node().person();
    for (let index = 0; index < count; index++) {
      const isLong = index >= 3;
      const { contractId } = expectStatus(
        await client.write('/api/v1/contracts', {
          provider: provider.did,
          terms: { text: isLong ? 'x'.repeat(65_000) : '' },
          payment: { totalAmount: isLong ? 50 : 1 },
          milestones: milestones(isLong),
        }),
        201,
      );
      ids = [contractId, ...ids];
    }
  });

  async function pagesOf(path: string, next: (page: Body) => string | undefined): Promise<Body[]> {
    const pages: Body[] = [];
    for (let query: string | undefined = ''; query !== undefined; query = next(pages.at(-1)!)) {
      const { text, body } = await sized(`${path}${query}`);
      expect(text.length).to.be.below(bounds.pageCharacters * 1.3);
      pages.push(body);
    }
    return pages;
  }

  async function sized(path: string): Promise<{ text: string; body: Body }> {
    const text = await (await fetch(`${node().url}${path}`)).text();
    return { text, body: JSON.parse(text) as Body };
  }

  const lists: [string, number[]][] = [
    ['/api/v1/contracts?limit=100', [3, 6]],
    ['/api/v1/contracts?limit=4&status=draft', [3, 4, 2]],
  ];
  for (const [path, lengths] of lists) {
    it(`${path} is a few large ones, and all of them with the cursor`, async () => {
      const next = ({ pagination }: Body) => (pagination.after === null ? undefined : `&after=${pagination.after}`);
      const pages = await pagesOf(path, next);
      expect(pages.map(({ contracts }) => contracts.length)).to.deep.equal(lengths);
      const following = lengths.map((_, index) => [index < lengths.length - 1, count]);
      expect(pages.map(({ pagination }) => [pagination.hasMore, pagination.total])).to.deep.equal(following);
      expect(pages.flatMap(({ contracts }) => contracts.map((each: Body) => each.contractId))).to.deep.equal(ids);
    });
  }

  it('by offset what was not shown is skipped to', async () => {
    const { body } = await sized('/api/v1/contracts?limit=100&offset=4');
    expect(body.contracts.map((each: Body) => each.contractId)).to.deep.equal(ids.slice(4));
    expect(body.pagination).to.include({ hasMore: false, total: count });
  });

  for (const filter of ['', `&type=contract.created`]) {
    it(`/events${filter} is a few large entries, and all of them with the cursor`, async () => {
      const path = `/api/v1/events?limit=100${filter}`;
      const pages = await pagesOf(path, ({ next, hasMore }) => (hasMore ? `&after=${next}` : undefined));
      const seqs = pages.flatMap(({ events }) => events.map(({ seq }: Body) => seq));
      const all = await node().store.entries({ after: 0, limit: 100, ...(filter ? { type: 'contract.created' } : {}) });
      expect(seqs).to.deep.equal(all.map(({ seq }) => seq));
      expect(pages.map(({ hasMore }) => hasMore)).to.deep.equal([true, false]);
      expect(pages.at(-1)!.next).to.equal(null);
    });
  }

  it('the history of a machine, and of a wallet, continue too', async () => {
    const history = expectStatus(await node().client.get(`/api/v1/machines/contract/${ids[0]}/history`));
    expect(history).to.include({ hasMore: false, next: null });
    expect(expectStatus(await node().client.get(`/api/v1/wallets/${client.did}/transactions`)).hasMore).to.equal(false);
  });
});
