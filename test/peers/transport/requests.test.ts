import { expect } from 'chai';
import type { PeerRequest } from '../../../src/peers/transport/transport.js';
import { until } from '../../support/until.js';
import { type Handle, type Pair, pairOf } from './pair.js';

describe('Requests between peers', () => {
  let pair: Pair;
  const open = async (handle: Handle, options?: Parameters<typeof pairOf>[1]): Promise<Pair> => {
    pair = await pairOf(handle, options);
    return pair;
  };
  afterEach(() => pair.close());

  it('come with the DID and peer id that the handshake has proven', async () => {
    let seen: PeerRequest | undefined;
    const { connection, bob, listener } = await open(async (request, reply) => {
      seen = request;
      await reply.send(200, `{"got":${JSON.stringify(await request.body())}}`);
    });
    const response = await connection.request('POST', '/news?after=3&x=%20y', { body: '"grüße"' });
    expect(response).to.deep.equal({ status: 200, body: '{"got":"\\"grüße\\""}' });
    expect(seen).to.include({ did: bob.did, peerId: bob.peerId, method: 'POST', path: '/news' });
    expect([...seen!.query]).to.deep.equal([
      ['after', '3'],
      ['x', ' y'],
    ]);
    expect(seen!.address).to.match(/^127\.0\.0\.1:\d+$/);
    expect(listener.connections().map(({ did }) => did)).to.deep.equal([bob.did]);
    expect(listener.counts()).to.include({ accepted: 1, unproven: 0, badInput: 0 });
  });

  it('one after the other share a connection; at once they have several', async () => {
    const { connection, listener } = await open((_request, reply) => reply.send(200, '1').then(() => {}));
    for (let n = 0; n < 5; n++) await connection.request('GET', '/');
    expect(listener.counts().accepted).to.equal(1);
    await Promise.all(Array.from({ length: 10 }, () => connection.request('GET', '/')));
    expect(listener.counts().accepted).to.be.within(2, 4);
    expect(listener.counts().badInput).to.equal(0);
  });

  it('are answered 500 when the handler throws or says nothing', async () => {
    const { connection, faults } = await open(async ({ path }) => {
      if (path === '/throws') throw new TypeError('planted');
    });
    expect(await connection.request('GET', '/throws')).to.include({ status: 500 });
    expect(await connection.request('GET', '/silent')).to.include({ status: 500 });
    expect(faults.map(String).join()).to.contain('planted').and.contain('/silent');
  });

  it('without content are answered 204', async () => {
    const { connection } = await open((_request, reply) => reply.send(204).then(() => {}));
    expect(await connection.request('POST', '/', { body: '' })).to.deep.equal({ status: 204, body: '' });
    expect(await connection.request('GET', '/')).to.deep.equal({ status: 204, body: '' });
  });

  it('with too large a body are answered 413, whether it is announced or not', async () => {
    const { connection, listener } = await open(
      async (request, reply) => {
        if ((await request.body()) !== undefined) await reply.send(200);
      },
      { bounds: { requestBytes: 1_000 } },
    );
    expect(await connection.request('POST', '/', { body: 'x'.repeat(1_000) })).to.include({ status: 200 });
    expect(await connection.request('POST', '/', { body: 'x'.repeat(1_001) })).to.include({ status: 413 });
    expect(listener.counts().badInput).to.equal(1);
  });

  it('with an answer beyond the bound are given up', async () => {
    const { connection } = await open((_request, reply) => reply.send(200, 'x'.repeat(2_000)).then(() => {}));
    const failure = await connection.request('GET', '/', { maxBytes: 1_999 }).catch((error) => error);
    expect(failure).to.include({ name: 'PeerError', kind: 'too-large' });
    expect((await connection.request('GET', '/', { maxBytes: 2_000 })).body).to.have.length(2_000);
  });

  it('end after their time, when they are given up, and when the connection is closed', async () => {
    let asked = 0;
    const { connection } = await open(({ path }) => {
      // The first request may end before the connection is there.
      if (path === '/kept') asked++;
      return new Promise(() => {});
    });
    const kindOf = (pending: Promise<unknown>): Promise<unknown> => pending.catch((error) => error.kind);
    expect(await kindOf(connection.request('GET', '/', { timeoutMs: 50 }))).to.equal('silent');
    const given = new AbortController();
    const up = connection.request('GET', '/kept', { signal: given.signal });
    const closed = connection.request('GET', '/kept');
    await until('both are asked', () => asked === 2);
    given.abort();
    expect(await kindOf(up)).to.equal('closed');
    connection.close();
    expect(await kindOf(closed)).to.equal('closed');
    expect(await kindOf(connection.request('GET', '/'))).to.equal('closed');
  });

  it('abort at the handler when their sender has gone', async () => {
    let aborted = false;
    let asked = false;
    const { connection } = await open(
      ({ signal }) =>
        new Promise((resolve) => {
          asked = true;
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve();
          });
        }),
    );
    const pending = connection.request('GET', '/').catch(() => {});
    await until('it is asked', () => asked);
    connection.close();
    await until('the handler hears of it', () => aborted);
    await pending;
    expect(pair.faults).to.deep.equal([]);
  });

  it('find the peer again after it was away', async () => {
    const handle: Handle = (_request, reply) => reply.send(200, '1').then(() => {});
    const { connection, listener, ada, address } = await open(handle);
    await connection.request('GET', '/');
    await listener.close();
    const failure = await connection.request('GET', '/').catch((error) => error);
    expect(failure).to.include({ name: 'PeerError', kind: 'unreachable' });
    const { peerId, ...place } = address;
    expect(peerId).to.equal(ada.peerId);
    await ada.listen([place], { admit: () => true, handle, onFault: () => {} });
    expect(await connection.request('GET', '/')).to.include({ status: 200 });
  });
});
