/** Quotas of stored bytes: several processes, simultaneous requests, and requests that failed. */
import { expect } from 'chai';
import { createLog } from '../../src/core/log.js';
import { isRefusal, type Refusal } from '../../src/core/refusal.js';
import { forgetOldQuotas, type Reserved, StoreQuota } from '../../src/http/access/quotas.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { FakeWorld, flush } from '../world/fake-world.js';

const caller = { origin: '203.0.113.1', loopback: false, keyId: 'key-1' };
const quarter = 256 * 1024;
const entry = { coreText: '', payloadText: 'x'.repeat(quarter), payload: { input: {} } } as NumberedEntry;

describe('http: what is stored', () => {
  const world = new FakeWorld();
  const processOn = (store: MemoryStore) =>
    new StoreQuota({ store, world, log: createLog(), mebibytes: 1, limitLoopback: false });
  const taken = (outcome: Reserved | Refusal): Reserved => (isRefusal(outcome) ? expect.fail(outcome.detail) : outcome);
  const write = async (quota: StoreQuota) => taken(await quota.reserve(caller, 'did', 0)).settle({ entry });

  it('is counted together by several processes', async () => {
    const store = new MemoryStore();
    const [one, other] = [processOn(store), processOn(store)];
    for (const quota of [one, other, one, other, one]) {
      await write(quota);
      await flush();
    }
    for (const quota of [one, other]) {
      const refused = await quota.reserve(caller, 'did', 0);
      expect(isRefusal(refused) && refused.code).to.equal('RATE_LIMITED');
    }
    expect(isRefusal(await one.reserve({ ...caller, keyId: 'key-2' }, 'another did', 0))).to.equal(false);
    expect(await store.listLocal('stored-bytes')).to.have.length(2);
    await world.advance(86_400_000);
    await forgetOldQuotas(store, world);
    expect(await store.listLocal('stored-bytes')).to.deep.equal([]);
  });

  it('is refused before it is there, also of requests at once; what stores nothing is given back', async () => {
    const quota = processOn(new MemoryStore());
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => quota.reserve(caller, 'did', quarter)));
    expect(outcomes.filter((outcome) => !isRefusal(outcome))).to.have.length(4);
    for (const outcome of outcomes) if (!isRefusal(outcome)) outcome.settle(undefined);
    for (let i = 0; i < 4; i++) await write(quota);
    expect(isRefusal(await quota.reserve(caller, 'did', 1))).to.equal(true);
  });

  it('is not bounded for callers on this machine', async () => {
    const quota = processOn(new MemoryStore());
    for (let i = 0; i < 8; i++) {
      taken(await quota.reserve({ ...caller, local: true }, 'did', quarter)).settle({ entry });
    }
  });
});
