/** `GET /wallets/{address}` and its transactions (docs/reference/accounts-and-nonces.md#balances). */
import { expect } from 'chai';
import { expectInvalid, expectPage, expectProblem, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { addressWith, bareDid, keyIn } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('GET /wallets/{address}', () => {
  const node = nodeForSuite();
  const wallet = (address: string, headers = {}) => node().client.get(`/api/v1/wallets/${address}`, headers);

  it('is the same for the DID, its bare spelling, percent-encoded, and the address', async () => {
    const ada = await node().rich(5);
    expect(ada.address)
      .to.equal(addressWith(keyIn(ada.did)))
      .and.match(/^svc1/);
    const views = await Promise.all(
      [ada.did, bareDid(ada.did), encodeURIComponent(ada.did), ada.address].map((address) => wallet(address)),
    );
    for (const view of views) {
      expect(expectStatus(view)).to.include({ did: ada.did, address: ada.address, balance: 5, availableBalance: 5 });
      expect(view.body).to.include({ reserved: 0, escrowed: 0, nonce: 0, nextNonce: 1 });
      expect(view.text).to.equal(views[0]!.text);
    }
  });

  it('is empty for an unknown account', async () => {
    const view = expectStatus(await wallet('did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH'));
    expect(view).to.include({ balance: 0, availableBalance: 0, nextNonce: 1 });
  });

  it('refuses a bad DID as DID_INVALID, and a bad address as INVALID_REQUEST', async () => {
    const { address, did } = await node().person();
    for (const bad of ['did:svc:z6Mk', `${did.slice(0, -1)}0`, 'did:web:example.org', `did:svc:z${'1'.repeat(32)}`]) {
      expectInvalid(await wallet(bad), 'address', 'DID_INVALID');
    }
    for (const bad of ['svc1', 'ada', `${address.slice(0, -1)}l`, '0x52908400098527886E0F7030069857D2E4169EE7']) {
      expectInvalid(await wallet(bad), 'address');
    }
    const changed = address.endsWith('2') ? '3' : '2';
    expectInvalid(await wallet(address.slice(0, -1) + changed), 'address');
  });

  it('carries an ETag, and answers If-None-Match with 304 until something changes', async () => {
    const ada = await node().rich(5);
    const first = await wallet(ada.did);
    const tag = first.headers.etag!;
    expect(tag).to.match(/^"[^"]+"$/);
    expect((await wallet(ada.address, { 'If-None-Match': tag })).status).to.equal(304);
    const ben = await node().person();
    await ada.pays(ben.did, 1);
    const after = await wallet(ada.did, { 'If-None-Match': tag });
    expect(after.status).to.equal(200);
    await node().fund(ada, 1);
    expect((await wallet(ada.did, { 'If-None-Match': after.headers.etag! })).status).to.equal(200);
  });

  it('distinguishes locked Tokens from available ones', async () => {
    const [ada, ben] = await Promise.all([node().rich(100), node().person()]);
    const rules = { releaseRules: [{ type: 'manual' }], beneficiary: ben.did };
    await ada.does('/api/v1/escrows', { ...rules, amount: 30 });
    await ada.does('/api/v1/escrows', { ...rules, amount: 20, autoFund: true });
    expect(await ada.wallet()).to.include({ balance: 100, availableBalance: 50, reserved: 30, escrowed: 20 });
    expectProblem(await ada.write('/api/v1/transfers', { to: ben.did, amount: 51 }), 'INSUFFICIENT_BALANCE');
  });
});

describe('GET /wallets/{address}/transactions', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;

  const history = async (who: string, query = ''): Promise<Body> =>
    expectStatus(await node().client.get(`/api/v1/wallets/${who}/transactions${query}`));

  before(async () => {
    [ada, ben] = [await node().rich(1_000), await node().person()];
    for (let i = 1; i <= 24; i++) await ada.pays(ben.did, i, { memo: `payment ${i}` });
    await ben.pays(ada.did, 5);
    const escrow = await ada.does('/api/v1/escrows', {
      beneficiary: ben.did,
      amount: 50,
      releaseRules: [{ type: 'manual' }],
      autoFund: true,
    });
    expectStatus(await ada.act(escrow, 'release', { amount: 20 }));
  });

  it('shows 20 a page by default, newest first, with total and hasMore', async () => {
    const page = await history(ada.did);
    expect(page).to.have.all.keys('transactions', 'total', 'hasMore', 'pagination');
    expect(page.transactions).to.have.length(20);
    expect(page.total).to.equal(29);
    expect(page.hasMore).to.equal(true);
    expectPage(page.pagination, { total: 29, limit: 20, offset: 0, hasMore: true, page: 1 });
    const times = page.transactions.map((each: Body) => each.seq);
    expect(times).to.deep.equal([...times].sort((a, b) => b - a));
  });

  it('filters by type', async () => {
    const of = async (who: string, type: string) => {
      const { transactions, total } = await history(who, `?type=${type}&limit=100`);
      expect(transactions).to.have.length(total);
      return transactions as Body[];
    };
    const sent = await of(ada.did, 'sent');
    expect(sent.map(({ amount }) => amount)).to.deep.equal(Array.from({ length: 24 }, (_, i) => 24 - i));
    for (const each of sent) expect(each).to.include({ type: 'sent', from: ada.did, to: ben.did });
    const received = await of(ada.did, 'received');
    expect(received.map(({ amount }) => amount)).to.deep.equal([5, 1_000]);
    const escrow = await of(ada.did, 'escrow');
    expect(escrow.map(({ op, amount }) => `${op} ${amount}`)).to.deep.equal(['release 20', 'lock 50', 'reserve 50']);
    expect((await of(ben.did, 'escrow')).map(({ amount }) => amount)).to.deep.equal([20]);
    expect((await of(ada.did, 'all')).length).to.equal(29);
    expectInvalid(await node().client.get(`/api/v1/wallets/${ada.did}/transactions?type=lost`), 'type');
  });

  it('carries the memo, the event and how far it is settled', async () => {
    const [line] = (await history(ada.did, '?type=sent&limit=1')).transactions;
    expect(line).to.include({ memo: 'payment 24', amount: 24, fee: 0, status: 'confirmed', confirmations: 0 });
    expect(expectStatus(await node().client.get(`/api/v1/events/${line.eventHash}`)).seq).to.equal(line.seq);
  });

  it('walks the whole by offset, by page and by cursor, without loss or repetition', async () => {
    const all = (await history(ada.address, '?limit=100')).transactions.map((each: Body) => `${each.seq} ${each.op}`);
    for (const step of ['offset', 'page', 'after']) {
      const seen: string[] = [];
      let query = '?limit=7';
      for (let more = true; more; ) {
        const { transactions, pagination } = await history(ada.did, query);
        seen.push(...transactions.map((each: Body) => `${each.seq} ${each.op}`));
        more = pagination.hasMore;
        if (step === 'offset') query = `?limit=7&offset=${seen.length}`;
        else if (step === 'page') query = `?pageSize=7&page=${seen.length / 7 + 1}`;
        else query = `?limit=7&after=${encodeURIComponent(pagination.after)}`;
      }
      expect(seen, step).to.deep.equal(all);
    }
  });

  it('holds its limits: 1 to 100, offset to 10,000, one spelling', async () => {
    const bad = async (query: string, field: string) =>
      expectInvalid(await node().client.get(`/api/v1/wallets/${ada.did}/transactions?${query}`), field);
    for (const limit of ['0', '101', '-1', '1.5', 'ten', '']) await bad(`limit=${limit}`, 'limit');
    for (const offset of ['-1', '10001', 'x']) await bad(`offset=${offset}`, 'offset');
    await bad('pageSize=101', 'pageSize');
    await bad('page=0', 'page');
    await bad('limit=5&pageSize=6', 'pageSize');
    await bad('limit=5&limit=6', 'limit');
    await bad('after=nonsense', 'after');
    await bad('page=2&offset=1', 'page');
    await bad('page=102&limit=100', 'page');
    expectPage((await history(ada.did, '?limit=5&per_page=5&page=2&offset=5')).pagination, { page: 2, offset: 5 });
    expect((await history(ada.did, '?offset=10000')).transactions).to.deep.equal([]);
  });

  it('is empty for a stranger, and refuses what is no wallet', async () => {
    const stranger = await node().person();
    expect(await history(stranger.did)).to.deep.include({ transactions: [], total: 0, hasMore: false });
    expectInvalid(await node().client.get('/api/v1/wallets/ada/transactions'), 'address');
    expectInvalid(await node().client.get('/api/v1/wallets/did:svc:z6Mk/transactions'), 'address', 'DID_INVALID');
  });
});

describe('GET /wallets', () => {
  const node = nodeForSuite();

  it('lists the balances of all DIDs, the largest first, in pages', async () => {
    const [ada, ben] = [await node().rich(500), await node().rich(300)];
    const cem = await node().person();
    await ada.pays(cem.did, 50);
    const rules = { beneficiary: ada.did, amount: 30, releaseRules: [{ type: 'manual' }], autoFund: true };
    await ben.does('/api/v1/escrows', rules);
    const page = expectStatus(await node().client.get('/api/v1/wallets?limit=3'));
    const lines = page.wallets.map(({ did, balance, escrowed }: Body) => [did, balance, escrowed]);
    expect(lines).to.deep.equal([
      [ada.did, 450, 0],
      [ben.did, 300, 30],
      [cem.did, 50, 0],
    ]);
    expect(page.wallets[0]).to.deep.equal(expectStatus(await node().client.get(`/api/v1/wallets/${ada.did}`)));
    expectPage(page.pagination, { total: page.total, limit: 3, hasMore: true });
    const rest = expectStatus(await node().client.get(`/api/v1/wallets?limit=100&after=${page.pagination.after}`));
    expect(rest.wallets).to.have.length(page.total - 3);
    expectInvalid(await node().client.get('/api/v1/wallets?after=%40'), 'after');
  });

  it('needs a key from elsewhere', async () => {
    const remote = node().client.with({ 'X-Forwarded-For': '203.0.113.9' });
    expectProblem(await remote.get('/api/v1/wallets'), 'UNAUTHORIZED');
  });
});
