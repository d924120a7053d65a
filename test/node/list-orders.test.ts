/** Sorts and ranges of lists (docs/reference/requests.md#lists). */
import { expect } from 'chai';
import { expectInvalid, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('Lists in another order', () => {
  const node = nodeForSuite();
  let ada: Person;
  let made: Body[];

  before(async () => {
    ada = await node().rich(500);
    const ben = await node().person();
    made = [];
    for (const amount of [30, 10, 20, 10]) {
      const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
      made.push(await ada.does('/api/v1/escrows', { ...rules, amount }));
    }
    expectStatus(await ada.act(made[1]!, 'cancel'));
  });

  const list = (query: string) => node().client.get(`/api/v1/escrows?did=${ada.did}&${query}`);
  const places = async (query: string): Promise<number[]> => {
    const { escrows, total } = expectStatus(await list(query));
    expect(total).to.equal(escrows.length);
    return escrows.map(({ id }: Body) => made.findIndex((each) => each.id === id));
  };

  it('sorts by amount, age and change', async () => {
    expect(await places('sort=amount_desc')).to.deep.equal([0, 2, 3, 1]);
    expect(await places('sort=amount_asc')).to.deep.equal([3, 1, 2, 0]);
    expect(await places('sort=oldest')).to.deep.equal([0, 1, 2, 3]);
    expect((await places('sort=updated'))[0]).to.equal(1);
    expect(await places('')).to.deep.equal([3, 2, 1, 0]);
  });

  it('keeps to amounts and times, written either way', async () => {
    expect(await places('minAmount=20')).to.deep.equal([2, 0]);
    expect(await places('maxAmount=20&sort=amount_asc')).to.deep.equal([3, 1, 2]);
    const [first, last] = [made[0]!.createdAt, made[3]!.createdAt];
    expect(await places(`createdFrom=${first}&createdTo=${last}&minAmount=30`)).to.deep.equal([0]);
    expect(await places(`createdTo=${first - 1}`)).to.deep.equal([]);
    const iso = new Date(last + 1).toISOString();
    expect(await places(`updatedFrom=${encodeURIComponent(iso)}`)).to.deep.equal([1]);
  });

  it('continues after a cursor in the same order', async () => {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { escrows, pagination } = expectStatus(await list(`sort=amount_desc&limit=1${after}`));
      seen.push(...escrows.map(({ amount }: Body) => amount));
      if (pagination.after === null) break;
      after = `&after=${pagination.after}`;
    }
    expect(seen).to.deep.equal([30, 20, 10, 10]);
  });

  it('sorts and narrows the orders of all markets, too', async () => {
    const { orders } = expectStatus(await node().client.get('/api/v1/orders?sort=amount_desc&minAmount=1'));
    expect(orders).to.deep.equal([]);
  });

  it('refuses what is no sort, or no whole number', async () => {
    expectInvalid(await list('sort=price'), 'sort');
    expectStatus(await list('minAmount=1.0'));
    for (const text of ['-1', '0.99999999999999999', '1.5'])
      expectInvalid(await list(`minAmount=${text}`), 'minAmount');
    expectInvalid(await list('limit=1.00000000000000001'), 'limit');
  });
});
