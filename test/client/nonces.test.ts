import { expect } from 'chai';
import sinon from 'sinon';
import { Client } from '../../packages/client/src/index.js';
import { Nonces } from '../../packages/client/src/nonces.js';
import { type Asked, ada, failureOf, ok, problem, Script } from './script.js';

const pay = (client: Client) => client.wallets.transfer({ to: 'svc1ben', amount: 5 });
const noncesOf = (script: Script) => script.asked.map(({ body }) => body?.nonce as number | undefined);

describe('client: nonces', () => {
  it('start where the wallet says, and continue from there without asking again', async () => {
    const script = new Script([ok({ nextNonce: 4 }), ok({}), ok({})]);
    const client = script.client.as(ada);
    await pay(client);
    await pay(client);
    expect(noncesOf(script)).to.deep.equal([undefined, 4, 5]);
  });

  it('of writes at once are consecutive, after one look at the wallet', async () => {
    const script = new Script([ok({ nextNonce: 1 }), ok({}), ok({}), ok({})]);
    const client = script.client.as(ada);
    await Promise.all([pay(client), pay(client), pay(client)]);
    expect(noncesOf(script)).to.deep.equal([undefined, 1, 2, 3]);
  });

  it('are shared by all signer-bound clients of one client, DID by DID', async () => {
    const script = new Script([ok({ nextNonce: 1 }), ok({}), ok({}), ok({ nextNonce: 50 }), ok({})]);
    await pay(script.client.as(ada));
    await pay(script.client.as(ada));
    await pay(script.client.as({ did: 'did:svc:z6MkBen', passphrase: 'x' }));
    expect(noncesOf(script)).to.deep.equal([undefined, 1, 2, undefined, 50]);
  });

  it('that a refusal left unused go to the next write', async () => {
    const script = new Script([ok({ nextNonce: 1 }), problem(402, 'INSUFFICIENT_BALANCE'), ok({})]);
    const client = script.client.as(ada);
    await failureOf(pay(client));
    await pay(client);
    expect(noncesOf(script)).to.deep.equal([undefined, 1, 1]);
  });

  it('are taken anew after a conflict', async () => {
    const script = new Script([ok({ nextNonce: 1 }), problem(409, 'CONFLICT', { nextNonce: 8 }), ok({}), ok({})]);
    const client = script.client.as(ada);
    await pay(client);
    await pay(client);
    expect(noncesOf(script)).to.deep.equal([undefined, 1, 8, 9]);
  });

  it('are given up after too many conflicts', async () => {
    const conflict = ({ body }: Asked) => problem(409, 'CONFLICT', { nextNonce: body.nonce + 1 });
    const script = new Script([ok({ nextNonce: 1 }), ...Array.from({ length: 6 }, () => conflict)]);
    expect(await failureOf(pay(script.client.as(ada)))).to.include({ status: 409, nextNonce: 7 });
    script.done();
  });

  it('of a batch are sent below the path of the node, one write as it is', async () => {
    const asked: string[] = [];
    const fetch = (at: string | URL | Request, init?: RequestInit) => {
      asked.push(String(at));
      if (!init?.body) return Promise.resolve(ok({ nextNonce: 1 }));
      const { items } = JSON.parse(String(init.body));
      return Promise.resolve(
        ok(items ? { items: items.map(({ path }: Asked) => ({ status: 200, body: { path } })) } : {}),
      );
    };
    const client = new Client({ url: 'http://node.test/svc', fetch, signer: ada });
    expect(await client.batch([pay, pay])).to.deep.include({
      status: 'fulfilled',
      value: { path: '/api/v1/transfers' },
    });
    await client.batch([pay]);
    expect(asked.slice(1)).to.deep.equal(['batch', 'transfers'].map((name) => `http://node.test/svc/api/v1/${name}`));
  });

  it('of a batch are waited for as long as each caller wants', async () => {
    const ended = new AbortController();
    const fetch = async (_: string | URL | Request, init?: RequestInit) => {
      if (!init?.body) return ok({ nextNonce: 1 });
      const { items } = JSON.parse(String(init.body));
      ended.abort(new Error('not wanted'));
      init.signal!.throwIfAborted();
      return ok({ items: items.map(() => ({ status: 200, body: {} })) });
    };
    const client = new Client({ url: 'http://node.test', fetch, signer: ada });
    const payment = { to: ada.did, amount: 1 };
    const unwanted = (each: Client) => each.wallets.transfer(payment, { signal: ended.signal });
    const outcomes = await client.batch([unwanted, pay]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
    const [all] = await client.batch([unwanted, unwanted]);
    expect(all).to.have.nested.property('reason.message', 'not wanted');
  });

  it('are read again when the result of the last write is unknown', async () => {
    const lost = () => new TypeError('fetch failed');
    const script = new Script([ok({ nextNonce: 1 }), lost(), lost(), lost(), lost(), ok({ nextNonce: 2 }), ok({})]);
    const client = script.client.as(ada);
    await failureOf(pay(client));
    await pay(client);
    expect(noncesOf(script)).to.deep.equal([undefined, 1, 1, 1, 1, undefined, 2]);
  });
});

describe('client: nonces of one DID', () => {
  const from = (...reads: number[]) => new Nonces(async () => reads.shift() ?? expect.fail('read once too often'));
  const take = async (nonces: Nonces, count: number) => {
    const taken: number[] = [];
    while (taken.length < count) taken.push(await nonces.take());
    return taken;
  };

  it('fill the gap that a refused write leaves, so that later ones need not wait', async () => {
    const nonces = from(1);
    expect(await take(nonces, 4)).to.deep.equal([1, 2, 3, 4]);
    nonces.refused(2);
    expect(await take(nonces, 2)).to.deep.equal([2, 5]);
  });

  it('close up when the whole tail is refused', async () => {
    const nonces = from(1);
    await take(nonces, 3);
    nonces.refused(2);
    nonces.refused(3);
    nonces.used(1);
    expect(await take(nonces, 2)).to.deep.equal([2, 3]);
  });

  it('find the gap again when later writes come back with conflicts', async () => {
    const nonces = from(5);
    await take(nonces, 3);
    nonces.refused(5);
    nonces.conflicted(6, 5);
    expect(await nonces.take()).to.equal(5);
    nonces.conflicted(7, 5);
    expect(await take(nonces, 2)).to.deep.equal([6, 7]);
  });

  it('are not set back by what was true before a write went through', async () => {
    const nonces = from(5);
    await take(nonces, 2);
    nonces.used(5);
    nonces.conflicted(6, 5);
    expect(await nonces.take()).to.equal(6);
  });

  it('begin anew where the node has forgotten everything', async () => {
    const nonces = from(5);
    nonces.used((await take(nonces, 1))[0]!);
    nonces.conflicted(await nonces.take(), 1);
    nonces.conflicted(await nonces.take(), 1);
    expect(await take(nonces, 2)).to.deep.equal([1, 2]);
  });

  it('are at most 32 on their way, the rest in the order of asking', async () => {
    const nonces = from(1);
    await take(nonces, 32);
    const order: number[] = [];
    const later = [nonces.take(), nonces.take()].map((each) => each.then((nonce) => order.push(nonce)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).to.deep.equal([]);
    nonces.used(1);
    nonces.used(2);
    await Promise.all(later);
    expect(order).to.deep.equal([33, 34]);
  });

  it('are free for others when they cannot be read', async () => {
    const read = sinon.stub().rejects(new Error('away'));
    const nonces = new Nonces(read);
    for (let attempt = 0; attempt < 40; attempt++) await failureOf(nonces.take());
    read.resolves(1);
    expect(await nonces.take()).to.equal(1);
  });
});
