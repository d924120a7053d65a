/** API keys: created once, found quickly, revoked immediately; endpoints of operators and of DIDs. */
import { expect } from 'chai';
import sinon from 'sinon';
import { bounds } from '../../src/core/bounds.js';
import { createLog } from '../../src/core/log.js';
import { isRefusal, refuse } from '../../src/core/refusal.js';
import { ApiKeyRegistry } from '../../src/http/access/api-keys.js';
import { callerName } from '../../src/http/access/caller.js';
import { apiKeyRoutes } from '../../src/http/routes/api-keys.js';
import { ownApiKeyRoutes, type Unlock } from '../../src/http/routes/own-api-keys.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { FakeWorld, flush } from '../world/fake-world.js';
import { ada, ben } from '../world/people.js';
import { problemIn, type Started, sampleRoutes, start, stopAll } from './support.js';

function opened() {
  const world = new FakeWorld();
  const store = new MemoryStore();
  return { world, store, keys: new ApiKeyRegistry({ store, world, log: createLog() }) };
}

async function made(keys: ApiKeyRegistry, more = {}) {
  const outcome = await keys.create({ label: 'test', scope: 'read', ...more });
  if (isRefusal(outcome)) expect.fail(outcome.detail);
  return outcome;
}

describe('http: API keys', () => {
  it('are svck_ and 32 random bytes, shown once and stored as a hash', async () => {
    const { keys, store } = opened();
    const { key, record } = await made(keys, { did: ada });
    expect(key).to.match(/^svck_[1-9A-HJ-NP-Za-km-z]{42,44}$/);
    expect(record).to.include({ label: 'test', scope: 'read', did: ada, status: 'active', prefix: key.slice(0, 10) });
    const stored = JSON.stringify(await store.listLocal('api-keys'));
    expect(stored).to.not.contain(key.slice(10));
    expect(JSON.stringify(await keys.list())).to.not.contain('hash');
  });

  it('are found, and remembered for a second', async () => {
    const { keys, world } = opened();
    const { key, record } = await made(keys, { did: ada, limits: { reads: 5 } });
    expect(keys.known(key)).to.equal(undefined);
    const valid = { id: record.id, scope: 'read', did: ada, limits: { reads: 5 } };
    expect(await keys.lookup(key)).to.deep.equal(valid);
    expect(keys.known(key)).to.deep.equal(valid);
    await world.advance(bounds.apiKeyFreshMs + 1);
    expect(keys.known(key)).to.equal('stale');
  });

  it('that are wrong are not found, whatever they look like', async () => {
    const { keys } = opened();
    const { key } = await made(keys);
    const last = key.endsWith('A') ? 'B' : 'A';
    for (const wrong of [
      '',
      'svck_',
      key.slice(0, -1) + last,
      `${key}1`,
      key.toLowerCase(),
      `svck_${'1'.repeat(44)}`,
      '__proto__',
    ]) {
      expect(keys.known(wrong), wrong).to.equal(undefined);
      expect(await keys.lookup(wrong), wrong).to.equal(undefined);
    }
  });

  it('are unknown from the moment they are revoked, removed or expired', async () => {
    const { keys, world } = opened();
    const revoked = await made(keys);
    const removed = await made(keys);
    const expiring = await made(keys, { expiresAt: world.now() + 500 });
    for (const { key } of [revoked, removed, expiring]) await keys.lookup(key);
    await keys.revoke(revoked.record.id);
    await keys.remove(removed.record.id);
    await keys.lookup(expiring.key);
    await world.advance(501);
    for (const { key } of [revoked, removed, expiring]) {
      expect(keys.known(key)).to.equal(undefined);
      expect(await keys.lookup(key)).to.equal(undefined);
    }
    const statuses = Object.fromEntries((await keys.list()).map(({ id, status }) => [id, status]));
    expect(statuses).to.deep.equal({ [revoked.record.id]: 'revoked', [expiring.record.id]: 'expired' });
  });

  it('are marked for their last fourteen days, while they are active', async () => {
    const { keys, world } = opened();
    const soon = async () => (await keys.list()).filter(({ expiresSoon }) => expiresSoon).map(({ label }) => label);
    await made(keys, { label: 'endless' });
    await made(keys, { label: 'ends', expiresAt: world.now() + bounds.apiKeyExpiresSoonMs + 10 });
    const { record } = await made(keys, { label: 'revoked', expiresAt: world.now() + 1_000 });
    await keys.revoke(record.id);
    expect(await soon()).to.deep.equal([]);
    await world.advance(10);
    expect(await soon()).to.deep.equal(['ends']);
    await world.advance(bounds.apiKeyExpiresSoonMs);
    expect(await soon()).to.deep.equal([]);
  });

  it('stay known while others are made, revoked and removed', async () => {
    const { keys } = opened();
    const { key, record } = await made(keys);
    await keys.lookup(key);
    const [revoked, removed] = [await made(keys), await made(keys)];
    await keys.revoke(revoked.record.id);
    await keys.remove(removed.record.id);
    expect(keys.known(key)).to.include({ id: record.id });
  });

  it('revoked by another process are unknown here within a second', async () => {
    const { keys, world, store } = opened();
    const { key, record } = await made(keys);
    await keys.lookup(key);
    await new ApiKeyRegistry({ store, world, log: createLog() }).revoke(record.id);
    await world.advance(bounds.apiKeyFreshMs + 1);
    expect(keys.known(key)).to.equal('stale');
    expect(await keys.lookup(key)).to.equal(undefined);
  });

  it('a lookup that began before a revocation does not bring the key back', async () => {
    const { world, store } = opened();
    const keys = new ApiKeyRegistry({ store, world, log: createLog() });
    const { key, record } = await made(keys);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const getLocal = sinon.stub(store, 'getLocal').callThrough();
    getLocal.onFirstCall().callsFake(async (table, id) => {
      const record = await getLocal.wrappedMethod.call(store, table, id);
      await held;
      return record;
    });
    const early = keys.lookup(key);
    await flush();
    await keys.revoke(record.id);
    release();
    await early;
    expect(keys.known(key)).to.equal(undefined);
  });

  it('are compared whole: the same id is not enough', async () => {
    const { keys, store } = opened();
    const { key, record } = await made(keys);
    const stored = (await store.getLocal('api-keys', record.id))!;
    const hash = String(stored.value.hash).slice(0, 32) + '0'.repeat(32);
    await store.putLocal('api-keys', record.id, { ...stored.value, hash }, stored.revision);
    expect(await keys.lookup(key)).to.equal(undefined);
    expect(keys.known(key)).to.equal(undefined);
  });

  it('note their last use once a minute', async () => {
    const { keys, world } = opened();
    const { key, record } = await made(keys);
    const lastUse = async () => {
      await flush();
      return (await keys.get(record.id))?.lastUsedAt;
    };
    expect(await lastUse()).to.equal(null);
    await keys.lookup(key);
    const first = await lastUse();
    expect(first).to.equal(world.now());
    await world.advance(30_000);
    await keys.lookup(key);
    expect(await lastUse()).to.equal(first);
    await world.advance(31_000);
    await keys.lookup(key);
    expect(await lastUse()).to.equal(world.now());
  });

  it('are read once for many lists, and each list shows what has happened since', async () => {
    const { keys, store, world } = opened();
    const reads = sinon.spy(store, 'listLocal').withArgs('api-keys');
    const [first, other] = [await made(keys, { did: ada }), await made(keys, { did: ben })];
    reads.resetHistory();
    const ids = async (did?: string) => (await keys.list(did)).map(({ id }) => id);
    expect(await ids(ada)).to.deep.equal([first.record.id]);
    expect(await ids(ben)).to.deep.equal([other.record.id]);
    expect(await ids()).to.have.length(2);
    sinon.assert.calledOnce(reads);

    await keys.lookup(first.key);
    await flush();
    reads.resetHistory();
    expect((await keys.list(ada))[0]?.lastUsedAt).to.equal(world.now());
    expect(reads.callCount, 'a use that was noted is known').to.equal(0);
    await keys.revoke(first.record.id);
    expect((await keys.list(ada))[0]?.status).to.equal('revoked');
    await keys.remove(first.record.id);
    expect(await ids()).to.deep.equal([other.record.id]);
  });

  it('of a store that others write to are listed as they were a second ago at most', async () => {
    const { world, store } = opened();
    Object.assign(store, { exclusive: false });
    const [one, another] = [0, 1].map(() => new ApiKeyRegistry({ store, world, log: createLog() }));
    expect(await one!.list()).to.deep.equal([]);
    const { record } = await made(another!);
    await world.advance(bounds.apiKeyFreshMs + 1);
    expect(await one!.list()).to.deep.equal([record]);
  });

  it('survive a store that fails to note a use', async () => {
    const { keys, store } = opened();
    const { key } = await made(keys);
    await store.close();
    expect(await keys.lookup(key)).to.be.an('object');
    await flush();
  });

  it('the admin log keeps the newest acts first', async () => {
    const { keys, world } = opened();
    await keys.adminLog.around({ act: 'account.freeze', by: 'key-1', details: { did: ada } }, () => ({}));
    await world.advance(5);
    await keys.adminLog.around({ act: 'account.unfreeze', by: 'cli' }, () => ({}));
    expect((await keys.adminLog.list()).map(({ act, by }) => [act, by])).to.deep.equal([
      ['account.unfreeze', 'cli'],
      ['account.freeze', 'key-1'],
    ]);
  });

  it('of one DID are no more than it may have, also where several processes on one database make them at once', async () => {
    const { world, store } = opened();
    const processes = [store, store.survivor(), store.survivor()].map(
      (own) => new ApiKeyRegistry({ store: own, world, log: createLog() }),
    );
    const wanted = { label: '', scope: 'read', did: ada, mostOfDid: 3 } as const;
    for (let others = 0; others < 2; others++) await made(processes[0]!, wanted);
    const outcomes = await world.settle(Promise.all(processes.map((keys) => keys.create(wanted))));
    expect(outcomes.filter((outcome) => !isRefusal(outcome))).to.have.length(1);
    expect(await processes[0]!.list()).to.have.length(3);
  });

  describe('over HTTP', () => {
    let at: Started;
    let keys: ApiKeyRegistry;
    let admin: string;
    let unlocks: string[][];
    const call = (method: string, path: string, key: string, body?: object) =>
      fetch(at.url + path, {
        method,
        headers: { ...(key ? { 'x-api-key': key } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const root = '/api/v1/admin/api-keys';

    beforeEach(async () => {
      const store = new MemoryStore();
      const world = new FakeWorld();
      keys = new ApiKeyRegistry({ store, world, log: createLog() });
      unlocks = [];
      const unlock: Unlock = async (caller, did, passphrase) => {
        unlocks.push([did, passphrase, callerName(caller)]);
        return passphrase === 'right' ? {} : refuse('TRANSFER_NOT_ALLOWED', 'the passphrase does not unlock this DID');
      };
      const routes = [...apiKeyRoutes(keys, world), ...ownApiKeyRoutes(keys, unlock, world)];
      at = await start([...sampleRoutes, ...routes], { keys });
      admin = (await made(keys, { scope: 'admin' })).key;
    });
    afterEach(stopAll);

    it('an operator makes, lists, reads, revokes and removes keys', async () => {
      const reply = await call('POST', root, admin, { label: 'shop', scope: 'write', did: ada, limits: { writes: 7 } });
      expect(reply.status).to.equal(201);
      const { key, ...record } = await reply.json();
      expect(reply.headers.get('location')).to.equal(`${root}/${record.id}`);
      expect(record).to.include({ label: 'shop', scope: 'write', did: ada, status: 'active', expiresAt: null });
      expect(record.limits).to.deep.equal({ writes: 7 });
      expect((await call('POST', '/api/v1/things', key)).status).to.equal(200);

      const list = await (await call('GET', `${root}?pageSize=1`, admin)).json();
      expect(list.total).to.equal(2);
      expect(list.apiKeys).to.have.length(1);
      expect(list.pagination).to.include({ hasMore: true, limit: 1, page: 1, total: 2 });
      const rest = await (await call('GET', `${root}?limit=1&after=${list.pagination.after}`, admin)).json();
      expect(rest.pagination.hasMore).to.equal(false);
      const mine = await (await call('GET', `${root}?did=${ada}`, admin)).json();
      expect(mine.apiKeys.map(({ id }: { id: string }) => id)).to.deep.equal([record.id]);
      expect(JSON.stringify([list, rest, mine])).to.not.contain(key);

      const revoked = await call('POST', `${root}/${record.id}/revoke`, admin);
      expect((await revoked.json()).status).to.equal('revoked');
      await problemIn(await call('GET', '/healthz', key), { code: 'UNAUTHORIZED', url: at.url });
      expect((await (await call('GET', `${root}/${record.id}`, admin)).json()).status).to.equal('revoked');
      expect((await call('DELETE', `${root}/${record.id}`, admin)).status).to.equal(204);
      await problemIn(await call('DELETE', `${root}/${record.id}`, admin), { code: 'NOT_FOUND', url: at.url });
      await problemIn(await call('GET', `${root}/${record.id}`, admin), { code: 'NOT_FOUND', url: at.url });
      await problemIn(await call('POST', `${root}/none/revoke`, admin), { code: 'NOT_FOUND', url: at.url });
      expect((await keys.adminLog.list()).map(({ act }) => act)).to.have.members([
        'api-key.create',
        'api-key.revoke',
        'api-key.remove',
      ]);
    });

    it('no one else does', async () => {
      for (const key of ['', (await made(keys, { scope: 'write' })).key]) {
        for (const [method, path] of [
          ['GET', root],
          ['POST', root],
          ['DELETE', `${root}/x`],
          ['POST', `${root}/x/revoke`],
        ] as const) {
          await problemIn(await call(method, path, key), { code: 'FORBIDDEN', url: at.url, instance: path });
        }
      }
    });

    it('refuses nonsense', async () => {
      for (const body of [
        {},
        { scope: 'root' },
        { scope: 'read', expiresAt: 5 },
        { scope: 'read', expiresAt: '2001-01-01T00:00:00Z' },
        { scope: 'read', limits: { reads: 0 } },
        { scope: 'read', label: 'x'.repeat(101) },
      ]) {
        await problemIn(await call('POST', root, admin, body), {
          code: 'INVALID_REQUEST',
          url: at.url,
          instance: root,
        });
      }
      await problemIn(await call('POST', root, admin, { scope: 'read', did: 'did:svc:zno' }), {
        code: 'DID_INVALID',
        url: at.url,
      });
    });

    it('who unlocks a DID gets a key bound to it', async () => {
      const path = `/api/v1/identities/${ada}/api-keys`;
      const reply = await call('POST', path, '', { passphrase: 'right' });
      expect(reply.status).to.equal(201);
      const record = await reply.json();
      expect(record).to.include({ scope: 'read', did: ada });
      expect(reply.headers.get('location')).to.equal(
        `/api/v1/identities/${encodeURIComponent(ada)}/api-keys/${record.id}`,
      );
      expect(record.expiresAt - record.createdAt).to.equal(bounds.didKeyDefaultMs);
      expect(unlocks).to.deep.equal([[ada, 'right', '127.0.0.1']]);
      expect(await keys.lookup(record.key)).to.include({ did: ada, scope: 'read' });
      expect((await (await call('POST', path, '', { passphrase: 'right', scope: 'write' })).json()).scope).to.equal(
        'write',
      );
    });

    it('as many as one DID may have, also where more are asked for at once', async () => {
      const wanted = { label: '', scope: 'read', did: ada, mostOfDid: 3 } as const;
      const before = (await keys.list()).filter(({ did }) => did === ada).length;
      expect(before).to.be.below(3);
      await Promise.all(Array.from({ length: 6 }, () => keys.create(wanted)));
      expect((await keys.list()).filter(({ did }) => did === ada)).to.have.length(3);
    });

    it('and no one else has, nor more than one', async () => {
      const path = `/api/v1/identities/${ada}/api-keys`;
      await problemIn(await call('POST', path, '', { passphrase: 'wrong' }), {
        code: 'TRANSFER_NOT_ALLOWED',
        url: at.url,
      });
      for (const body of [
        {},
        { passphrase: 'right', scope: 'admin' },
        { passphrase: 'right', expiresAt: 4102444800000 },
      ]) {
        await problemIn(await call('POST', path, '', body), { code: 'INVALID_REQUEST', url: at.url });
      }
      const reader = (await made(keys, { did: ada })).key;
      await problemIn(await call('POST', path, reader, { passphrase: 'right', scope: 'write' }), {
        code: 'FORBIDDEN',
        url: at.url,
      });
      const other = (await made(keys, { did: ben, scope: 'write' })).key;
      await problemIn(await call('POST', path, other, { passphrase: 'right' }), { code: 'FORBIDDEN', url: at.url });
      await problemIn(await call('POST', '/api/v1/identities/nobody/api-keys', '', { passphrase: 'right' }), {
        code: 'DID_INVALID',
        url: at.url,
      });
      for (let i = 0; i < bounds.apiKeysPerDid; i++) await call('POST', path, '', { passphrase: 'right' });
      await problemIn(await call('POST', path, '', { passphrase: 'right' }), { code: 'CONFLICT', url: at.url });
    });
  });
});
