/** The newest requests: what is kept of them, what is not, and how they are found. */
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { RequestLog } from '../../src/http/server/request-log.js';
import { raw, request, start, stopAll } from './support.js';

describe('The log of requests', () => {
  afterEach(stopAll);

  const one = {
    ...{
      requestId: 'r',
      answeredAt: 1,
      method: 'GET',
      route: '/a',
      status: 200,
      code: null,
      ms: 1,
      caller: '127.0.0.1',
    },
  };

  it('keeps the newest ones, however many come, and lists them in pages', () => {
    const log = new RequestLog();
    expect(log.page({})).to.deep.equal({ requests: [], next: null });
    const all = bounds.requestsLogged + 10;
    for (let index = 0; index < all; index++) log.add(one);
    const found: number[] = [];
    for (let before: number | undefined; ; ) {
      const { requests, next } = log.page({ limit: 100, ...(before === undefined ? {} : { before }) });
      found.push(...requests.map(({ number }) => number));
      if (next === null) break;
      before = next;
    }
    expect(found).to.have.length(bounds.requestsLogged);
    expect([found[0], found.at(-1)]).to.deep.equal([all, 11]);
  });

  it('finds by method, route, caller, status, error code and duration', () => {
    const log = new RequestLog();
    const others = [
      { method: 'POST' },
      { route: '/b' },
      { caller: 'key-1' },
      { status: 404 },
      { ms: 50 },
      { code: 'CONFLICT' },
    ];
    for (const each of [{}, ...others]) log.add({ ...one, ...each });
    const numbers = (filter: object) => log.page(filter).requests.map(({ number }) => number);
    expect(
      [
        ...[{ method: 'POST' }, { route: '/b' }, { caller: 'key-1' }, { minStatus: 400 }, { minMs: 50 }],
        { code: 'CONFLICT' },
      ].map(numbers),
    ).to.deep.equal([[2], [3], [4], [5], [6], [7]]);
    expect(numbers({ method: 'POST', route: '/b' })).to.deep.equal([]);
  });

  it('has each request with its pattern and its caller, and no text of it', async () => {
    const requests = new RequestLog();
    const at = await start(undefined, { requests });
    const secret = 'svcsecret';
    const close = ['Connection: close'];
    const body = JSON.stringify({ passphrase: secret });
    const sized = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    await raw(
      at.port,
      request(`GET /api/v1/things/${secret}?name=${secret}`, at.port, [...close, 'X-Api-Key: read-key']),
    );
    await raw(at.port, request('POST /api/v1/things', at.port, [...close, ...sized], body));
    await raw(at.port, request(`GET /${secret}`, at.port, [...close, `X-Api-Key: ${secret}`]));
    const { requests: found } = requests.page({});
    expect(found.map(({ method, route, status, code, caller }) => [method, route, status, code, caller])).to.deep.equal(
      [
        ['GET', '(none)', 401, 'UNAUTHORIZED', ''],
        ['POST', '/api/v1/things', 200, null, '127.0.0.1'],
        ['GET', '/api/v1/things/:id', 200, null, 'key-r'],
      ],
    );
    expect(JSON.stringify(found)).not.to.include(secret);
  });
});
