import { expect } from 'chai';
import { type Disturbance, MemoryStore } from '../../src/store/memory/memory-store.js';
import { StoreFault } from '../../src/store/store.js';
import { EntryBuilder } from './entries.js';
import { rejection } from './fixture.js';
import { storeContract } from './store.contract.js';

storeContract('memory', async () => {
  let store = new MemoryStore();
  return {
    store,
    async reopen() {
      await store.close();
      store = store.survivor();
      return store;
    },
    dispose: () => store.close(),
  };
});

describe('memory store faults', () => {
  const ada = 'did:svc:ada';
  /** Disturbs the first appends, one disturbance each. */
  const disturbed = (...disturbances: (Disturbance | undefined)[]) =>
    new MemoryStore({ disturb: () => disturbances.shift() });

  it('a failed append writes nothing and ends writing', async () => {
    const store = disturbed({ outcome: 'fail' });
    const builder = new EntryBuilder();
    expect(await rejection(store.append([builder.mint(ada, 1)]))).to.be.instanceOf(StoreFault);
    expect(await rejection(store.putLocal('t', 'i', {}, 0))).to.be.instanceOf(StoreFault);
    expect(await store.head()).to.include({ seq: 0 });
  });

  it('a lost reply is written nevertheless, and the survivor continues', async () => {
    const store = disturbed({ outcome: 'lose' });
    const builder = new EntryBuilder();
    expect(await rejection(store.append([builder.mint(ada, 1)]))).to.be.instanceOf(StoreFault);
    const survivor = store.survivor();
    expect(await survivor.head()).to.include({ seq: 1 });
    expect(await survivor.append([builder.mint(ada, 1)])).to.have.nested.property('[0].ok', true);
  });

  it('a refused append names the nonce and leaves the store alive', async () => {
    const store = disturbed({ outcome: 'refuse' });
    const commit = new EntryBuilder().mint(ada, 1);
    expect(await store.append([commit])).to.deep.equal([{ ok: false, taken: 'nonce/did:svc:faucet#1' }]);
    expect(await store.append([commit])).to.have.nested.property('[0].ok', true);
  });

  it('a delayed append holds back those behind it', async () => {
    const store = disturbed({ delayMs: 20 });
    const builder = new EntryBuilder();
    const first = store.append([builder.mint(ada, 1)]);
    const second = store.append([builder.mint(ada, 1)]);
    expect(await store.head()).to.include({ seq: 0 });
    expect(await second).to.have.nested.property('[0].seq', 2);
    expect(await first).to.have.nested.property('[0].seq', 1);
  });
});
