/** Idempotency-Key of writes without an entry: what a request that came to nothing leaves behind. */
import { expect } from 'chai';
import type { Desk } from '../../src/http/desk.js';
import { replayable } from '../../src/http/replayable.js';
import type { Call } from '../../src/http/route.js';
import { isRefusal } from '../../src/machines/kernel/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { FakeWorld } from '../world/fake-world.js';
import { route } from './support.js';

const idempotency = { principal: 'me', key: 'k', status: 201, fingerprint: 'f' };

describe('http: Idempotency-Key of a write that leaves no entry', () => {
  it('is free again at once where the write has failed', async () => {
    const desk = {
      options: { actors: { options: { store: new MemoryStore(), world: new FakeWorld() } } },
      idempotency: () => idempotency,
    } as unknown as Desk;
    let isBroken = true;
    const making = route({
      method: 'POST',
      path: '/api/v1/things',
      handle: async () => {
        if (isBroken) throw new TypeError('the disk is full');
        return { status: 201, body: { id: 'thing' } };
      },
    });
    const { handle } = replayable(making, { desk, madeBy: ({ id }) => String(id), again: async (id) => ({ id }) });
    const ask = async () => handle({ caller: { origin: 'here' } } as Call);
    const failure = await ask().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(TypeError);
    isBroken = false;
    const reply = await ask();
    if (isRefusal(reply)) expect.fail(reply.detail);
    expect(reply).to.include({ status: 201 });
    const again = await ask();
    expect(isRefusal(again) ? undefined : again.headers).to.deep.equal({ 'Idempotent-Replayed': 'true' });
  });
});
