import { expect } from 'chai';
import { Client, type Escrow, NotReachedError } from '../../packages/client/src/index.js';
import { nodeForSuite } from '../node/support/node.js';
import { failureOf } from './script.js';

describe('client: what takes more than one request', () => {
  const node = nodeForSuite();
  const passphrase = 'correct horse battery staple';
  const client = () => new Client({ url: node().url });

  async function person(tokens = 0): Promise<Client> {
    const { did } = await client().identities.create(passphrase);
    if (tokens > 0) await node().fund({ did }, tokens);
    return client().as({ did, passphrase });
  }

  async function deal(): Promise<{ ada: Client; ben: Client; cas: Client; escrow: Escrow }> {
    const [ada, ben, cas] = await Promise.all([person(100), person(), person()]);
    const escrow = await ada.escrows.create({
      beneficiary: ben.did!,
      arbiter: cas.did!,
      amount: 10,
      releaseRules: [{ type: 'manual' }],
      autoFund: true,
    });
    return { ada, ben, cas, escrow };
  }

  it('a list is one page when it is awaited, and all of them when it is iterated', async () => {
    const ada = await person(100);
    for (let n = 0; n < 5; n++) await ada.wallets.transfer({ to: node().did, amount: 1, memo: `${n}` });
    const query = { type: 'sent', pageSize: 2 } as const;
    expect((await ada.wallets.transactions(ada.did!, query)).transactions).to.have.length(2);
    const memos: (string | null)[] = [];
    for await (const { memo } of ada.wallets.transactions(ada.did!, query)) memos.push(memo);
    expect(memos).to.deep.equal(['4', '3', '2', '1', '0']);
    const left: (string | null)[] = [];
    for await (const { memo } of ada.wallets.transactions(ada.did!, { ...query, page: 2 })) left.push(memo);
    expect(left, 'from where it was asked to begin').to.deep.equal(['2', '1', '0']);
  });

  it('lists of resources are iterated, too', async () => {
    const { ada, ben } = await deal();
    const create = { beneficiary: ben.did!, amount: 1, releaseRules: [{ type: 'manual' as const }] };
    for (let n = 0; n < 2; n++) await ada.escrows.create({ ...create, escrowId: `many-${n}` });
    const seen = new Set<string>();
    for await (const { escrowId } of client().escrows.list({ did: ben.did!, limit: 1 })) seen.add(escrowId);
    expect(seen.size).to.equal(3);
    const mine: string[] = [];
    for await (const { id } of client().search.all({ seller: ada.did! })) mine.push(id);
    expect(mine).to.deep.equal([]);
  });

  it('waits for a state that someone else brings about, or for whatever a predicate wants', async () => {
    const { ada, escrow } = await deal();
    const waiting = client().escrows.waitFor(escrow, ['released', 'refunded']);
    const half = client().escrows.waitFor(escrow.id, ({ released }) => released >= 4);
    await ada.escrows.release(escrow.id, { amount: 4 });
    expect((await half).status).to.equal('funded');
    await ada.escrows.release(escrow.id, { amount: 6 });
    expect(await waiting).to.include({ status: 'released', remaining: 0 });
  });

  it('ends the waiting after its time with what it saw last, and with the caller’s signal', async () => {
    const { escrow } = await deal();
    const late = (await failureOf(
      client().escrows.waitFor(escrow.id, 'expired', { timeoutMs: 1_000 }),
    )) as NotReachedError;
    expect(late).to.be.instanceOf(NotReachedError);
    expect(late.message).to.equal(`escrow ${escrow.id} was still funded after 1000 ms`);
    expect(late.view).to.include({ status: 'funded' });
    const reason = new Error('enough');
    const abort = new AbortController();
    const waiting = failureOf(client().escrows.waitFor(escrow.id, 'expired', { signal: abort.signal }));
    abort.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(await failureOf(client().escrows.waitFor('esc-none', 'funded'))).to.include({ status: 404 });
  });

  it('reads again if someone else was faster: nothing is released twice', async () => {
    const { ada, ben, cas, escrow } = await deal();
    let steps = 0;
    const one = (who: Client) =>
      who.escrows.transition(escrow, (view) => {
        steps += 1;
        return view.remaining > 0 ? who.escrows.release(view, { amount: 1 }) : undefined;
      });
    const ends = await Promise.all(
      [1, 2, 3, 4, 5, 6].flatMap(() => [one(ada), one(cas)]).map((end) => end.catch(() => 0)),
    );
    const released = ends.filter((end) => typeof end === 'object' && end.done !== undefined).length;
    const { balance } = await client().wallets.get(ben.did!);
    expect([balance, balance <= 10], `${steps} looks`).to.deep.equal([released, true]);
    expect(steps).to.be.above(12);
  });

  it('a transition that the state refuses is not tried again', async () => {
    const { ada, escrow } = await deal();
    let steps = 0;
    const refused = ada.escrows.transition(escrow.id, (view) => {
      steps += 1;
      return ada.escrows.fund(view, { amount: 10 });
    });
    expect(await failureOf(refused)).to.include({ refusal: 'ESCROW_INVALID_STATE' });
    expect(steps).to.equal(1);
  });

  it('a write that waits for its nonce ends with the caller’s signal, and the nonce goes to the next', async () => {
    const ada = await person(100);
    const reason = new Error('enough');
    const abort = new AbortController();
    const writes = Array.from({ length: 50 }, (_, index) =>
      ada.wallets.transfer({ to: node().did, amount: 1 }, index % 2 === 0 ? {} : { signal: abort.signal }).then(
        () => 'sent',
        (error: unknown) => error,
      ),
    );
    abort.abort(reason);
    const ends = await Promise.all(writes);
    expect(ends.filter((_, index) => index % 2 === 0)).to.deep.equal(Array(25).fill('sent'));
    expect(ends.filter((_, index) => index % 2 === 1)).to.deep.equal(Array(25).fill(reason));
    await ada.wallets.transfer({ to: node().did, amount: 1 });
    expect(await client().wallets.get(ada.did!)).to.include({ balance: 74, nextNonce: 27 });
  });
});
