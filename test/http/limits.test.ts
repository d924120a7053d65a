/** Rate limits: per address without a key, per key with one, wrong keys, loopback. */
import { expect } from 'chai';
import { rateLimits } from '../../src/core/bounds.js';
import { object, text } from '../../src/core/schema/scalar.js';
import { Limits } from '../../src/http/access/limits.js';
import type { RequestContext } from '../../src/http/server/request-context.js';
import { FakeWorld } from '../world/fake-world.js';
import { keysOf, problemIn, raw, request, route, type Started, sampleRoutes, start, stopAll } from './support.js';

/** Behind a proxy, because requests from loopback are exempt. */
const proxied = { SVC_TRUSTED_PROXIES: '127.0.0.1' };

describe('http: rate limits', () => {
  let at: Started;
  const call = (path: string, from: string, more: Record<string, string> = {}, method = 'GET') =>
    fetch(at.url + path, { method, headers: { 'x-forwarded-for': from, ...more } });
  const many = async (count: number, make: () => Promise<Response>) => {
    const replies = await Promise.all(Array.from({ length: count }, make));
    await Promise.all(replies.map((reply) => reply.arrayBuffer()));
    return replies.map((reply) => reply.status);
  };
  const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;

  afterEach(stopAll);

  it('goes by the limits of the configuration', async () => {
    const variables = { ...proxied, SVC_READS_PER_ADDRESS: '3', SVC_WRITES_PER_ADDRESS: '2' };
    at = await start(sampleRoutes, { variables });
    expect(count(await many(5, () => call('/api/v1/node', '203.0.113.1')), 429)).to.equal(2);
    expect(count(await many(5, () => call('/api/v1/faucet', '203.0.113.1', {}, 'POST')), 429)).to.equal(3);
  });

  it('counts reads of an address, says what is left, and answers 429 with Retry-After', async () => {
    at = await start(sampleRoutes, { variables: proxied });
    const first = await call('/api/v1/node', '203.0.113.1');
    expect(first.headers.get('ratelimit-policy')).to.equal(`"address-read";q=${rateLimits.originReads};w=60`);
    expect(first.headers.get('ratelimit')).to.match(
      new RegExp(`^"address-read";r=${rateLimits.originReads - 1};t=\\d+$`),
    );
    const statuses = await many(rateLimits.originReads + 4, () => call('/api/v1/node', '203.0.113.1'));
    expect(count(statuses, 429)).to.equal(5);
    const refused = await call('/healthz', '203.0.113.1');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.headers.get('ratelimit')).to.match(/r=0;/);
    await problemIn(refused, { code: 'RATE_LIMITED', url: at.url, instance: '/healthz' });
    expect((await call('/api/v1/node', '203.0.113.2')).status).to.equal(200);
  });

  it('counts writes apart from reads', async () => {
    at = await start(sampleRoutes, { variables: proxied });
    const statuses = await many(rateLimits.originWrites + 3, () => call('/api/v1/faucet', '203.0.113.3', {}, 'POST'));
    expect(count(statuses, 429)).to.equal(3);
    expect((await call('/api/v1/node', '203.0.113.3')).status).to.equal(200);
  });

  it('takes an IPv6 /64 for one address', async () => {
    at = await start(sampleRoutes, { variables: proxied });
    let host = 0;
    const statuses = await many(rateLimits.originReads + 2, () =>
      call('/api/v1/node', `2a00:1:2:3::${(++host).toString(16)}`),
    );
    expect(count(statuses, 429)).to.equal(2);
    expect((await call('/api/v1/node', '2a00:1:2:4::1')).status).to.equal(200);
  });

  it('counts unknown routes and wrong keys; a valid key is not refused for what others at its address did', async () => {
    at = await start(sampleRoutes, { variables: proxied });
    const wrong = () => call('/api/v1/things', '203.0.113.4', { 'x-api-key': 'wrong' });
    const statuses = await many(rateLimits.originReads - 10, wrong);
    expect(count(statuses, 401)).to.equal(statuses.length);
    expect(count(await many(10, () => call('/none', '203.0.113.4')), 404)).to.equal(10);
    expect((await wrong()).status).to.equal(429);
    expect((await call('/api/v1/things', '203.0.113.4', { 'x-api-key': 'read-key' })).status).to.equal(200);
  });

  it('counts as a write what has a passphrase checked', async () => {
    const checking = route({
      method: 'POST',
      path: '/api/v1/opened',
      scope: 'read',
      body: object({ passphrase: text(20) }),
    });
    at = await start([...sampleRoutes, checking], { variables: proxied });
    const reply = await call('/api/v1/opened', '203.0.113.5', { 'x-api-key': 'read-key' }, 'POST');
    expect(reply.headers.get('ratelimit-policy')).to.include('"key-write"');
  });

  it('counts a key wherever it comes from, with its own quota when it has one', async () => {
    const keys = keysOf({ small: { id: 'key-s', scope: 'write', limits: { reads: 3, writes: 1 } } });
    at = await start(sampleRoutes, { variables: proxied, keys });
    let host = 0;
    const read = () => call('/api/v1/things', `203.0.113.${++host}`, { 'x-api-key': 'small' });
    expect(count(await many(5, read), 429)).to.equal(2);
    const usual = await call('/api/v1/things', '203.0.113.1', { 'x-api-key': 'read-key' });
    expect(usual.headers.get('ratelimit-policy')).to.equal(`"key-read";q=${rateLimits.keyReads};w=60`);
  });

  it('exempts this machine on devnet unless configured', async () => {
    at = await start();
    const local = await fetch(`${at.url}/api/v1/node`);
    expect(local.headers.has('ratelimit')).to.equal(false);
    expect(count(await many(rateLimits.originReads + 5, () => fetch(`${at.url}/api/v1/node`)), 429)).to.equal(0);
    at = await start(sampleRoutes, { variables: { SVC_RATE_LIMIT_LOOPBACK: 'on' } });
    const limited = await fetch(`${at.url}/api/v1/node`);
    expect(limited.headers.has('ratelimit')).to.equal(true);
    expect((await raw(at.port, request('GET /api/v1/things', at.port))).status).to.equal(200);
  });

  it('makes strangers share once there are too many to count apart, and begins anew after the window', async () => {
    const world = new FakeWorld();
    const limits = new Limits(world, {
      config: { readsPerAddress: 1, writesPerAddress: rateLimits.originWrites },
      crowd: { origins: 2, buckets: 1 },
    });
    const context = { addHeaders() {} } as unknown as RequestContext;
    const take = (origin: string) => limits.takeFromOrigin(context, origin, true);
    for (const known of ['a', 'b']) expect(await take(known)).to.equal(undefined);
    const crowd = await Promise.all(
      Array.from({ length: rateLimits.originWrites + 1 }, (_, i) => take(`stranger-${i}`)),
    );
    expect(crowd.filter((refusal) => refusal?.code === 'RATE_LIMITED')).to.have.length(1);
    expect(await take('a')).to.equal(undefined);
    await world.advance(61_000);
    expect(await take('late')).to.equal(undefined);
  });

  it('limits this machine on mainnet', async () => {
    at = await start(sampleRoutes, { variables: { SVC_NETWORK: 'mainnet' } });
    expect((await fetch(`${at.url}/healthz`)).headers.has('ratelimit')).to.equal(true);
  });
});
