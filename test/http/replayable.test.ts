/** Idempotency-Key for writes without an entry: what a failed request leaves behind. */
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import type { ApiContext } from '../../src/http/context/api-context.js';
import { replayable } from '../../src/http/routes/replayable.js';
import type { Call } from '../../src/http/server/route.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { FakeWorld } from '../world/fake-world.js';
import { route } from './support.js';

const idempotency = { principal: 'me', key: 'k', status: 201, fingerprint: 'f' };

/** A route that creates records in this store; it throws while `broken` is set. */
function things(store: MemoryStore) {
  const world = new FakeWorld();
  const api = { store, environment: world, writes: { idempotency: () => idempotency } } as unknown as ApiContext;
  const state = { isBroken: false };
  const making = route({
    method: 'POST',
    path: '/api/v1/things',
    name: 'makeThing',
    replay: { madeBy: ({ id }) => String(id), again: async (id) => ({ id }) },
    handle: async () => {
      if (state.isBroken) throw new TypeError('the disk is full');
      return { status: 201, body: { id: 'thing' } };
    },
  });
  const { handle } = replayable(making, api);
  return { world, state, ask: async () => handle({ caller: { origin: 'here' } } as Call) };
}

describe('http: Idempotency-Key of a write that leaves no entry', () => {
  it('that its process has died over is free at once, or after a minute where another process may be at it', async () => {
    for (const exclusive of [true, false]) {
      const store = new MemoryStore({ exclusive });
      const { world, ask } = things(store);
      const left = { fingerprint: 'f', at: world.now(), made: null };
      expect(await store.putLocal('local-replies', 'makeThing me#k', left, 0)).to.equal(true);
      if (!exclusive) {
        const early = await ask();
        expect(isRefusal(early) && early.code).to.equal('CONFLICT');
        await world.advance(60_001);
      }
      const reply = await ask();
      if (isRefusal(reply)) expect.fail(reply.detail);
      expect(reply).to.deep.include({ status: 201, body: { id: 'thing' } });
    }
  });

  it('is free again at once where the write has failed', async () => {
    const { state, ask } = things(new MemoryStore());
    state.isBroken = true;
    const failure = await ask().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(TypeError);
    state.isBroken = false;
    const reply = await ask();
    if (isRefusal(reply)) expect.fail(reply.detail);
    expect(reply).to.include({ status: 201 });
    const again = await ask();
    expect(isRefusal(again) ? undefined : again.headers).to.deep.equal({ 'Idempotent-Replayed': 'true' });
  });
});
