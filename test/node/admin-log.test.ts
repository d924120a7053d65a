/** The admin log has every admin act, also if the process dies at one of its writes, and no refused one. */
import { expect } from 'chai';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Client } from './support/client.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

/** A store whose writes of local records fail from a given one on, as if the process had died. */
class DyingStore extends MemoryStore {
  #left = Number.POSITIVE_INFINITY;
  isDead = false;

  dieAfter(writes: number): void {
    this.#left = writes;
    this.isDead = false;
  }

  override async putLocal(...put: Parameters<MemoryStore['putLocal']>): Promise<boolean> {
    this.#write();
    return super.putLocal(...put);
  }

  override async deleteLocal(...record: Parameters<MemoryStore['deleteLocal']>): Promise<boolean> {
    this.#write();
    return super.deleteLocal(...record);
  }

  #write(): void {
    if (this.#left-- > 0) return;
    this.isDead = true;
    throw new Error('the process is dead');
  }
}

const keyPath = '/api/v1/admin/api-keys';
const hookPath = '/api/v1/webhooks';
const mostWrites = 8;

describe('The admin log', () => {
  const store = new DyingStore();
  let node: TestNode;
  let admin: Client;
  let ada: Person;

  before(async () => {
    node = await TestNode.start({ store: async () => store, variables: { SVC_WEBHOOK_NETWORKS: '127.0.0.0/8' } });
    admin = await node.keyed({ scope: 'admin' });
    ada = await node.rich(100);
    const transfer = { ...ada.signed, nonce: 1, to: node.did, amount: 1, fee: 20 };
    expectStatus(await ada.client.post('/api/v1/transfers', transfer));
    // The use of a key is recorded at most once a minute.
    expectStatus(await admin.get(keyPath));
  });
  after(() => node.discard());

  const newKey = async (): Promise<string> => (await node.key()).id;
  const newHook = async (): Promise<string> =>
    expectStatus(await admin.post(hookPath, { url: 'http://127.0.0.1:1/' }), 201).id;
  const lines = async (): Promise<string[]> => {
    const { acts } = expectStatus(await admin.get('/api/v1/admin/log?limit=100'));
    return acts.map(({ id, act }: { id: string; act: string }) => `${act} ${id}`);
  };
  /** Everything that an admin act may change. */
  const state = async (): Promise<string> =>
    JSON.stringify([(await store.head()).seq, await store.listLocal('api-keys'), await store.listLocal('webhooks')]);

  const acts: { readonly [act: string]: () => Promise<() => Promise<unknown>> } = {
    'api-key.create': async () => () => admin.post(keyPath, { scope: 'read' }),
    'api-key.revoke': async () => {
      const id = await newKey();
      return () => admin.post(`${keyPath}/${id}/revoke`);
    },
    'api-key.remove': async () => {
      const id = await newKey();
      return () => admin.delete(`${keyPath}/${id}`);
    },
    'account.freeze': async () => () => admin.post(`/api/v1/admin/accounts/${node.did}/actions/freeze`),
    'account.unfreeze': async () => () => admin.post(`/api/v1/admin/accounts/${node.did}/actions/unfreeze`),
    'fees.withdraw': async () => () => admin.post('/api/v1/admin/fees/actions/withdraw', { to: ada.did, amount: 1 }),
    'webhook.create': async () => () => admin.post(hookPath, { url: 'http://127.0.0.1:1/' }),
    'webhook.rotate-secret': async () => {
      const id = await newHook();
      return () => admin.post(`${hookPath}/${id}/actions/rotate-secret`);
    },
    'webhook.disable': async () => {
      const id = await newHook();
      return () => admin.post(`${hookPath}/${id}/actions/disable`);
    },
    'webhook.remove': async () => {
      const id = await newHook();
      return () => admin.delete(`${hookPath}/${id}`);
    },
  };

  for (const [act, prepare] of Object.entries(acts)) {
    it(`has a line of what was done, also if the process dies at one of its writes: ${act}`, async () => {
      for (let writes = 0; ; writes++) {
        expect(writes).to.be.below(mostWrites);
        const ask = await prepare();
        const [before, known] = [await state(), await lines()];
        store.dieAfter(writes);
        await ask();
        const { isDead } = store;
        store.dieAfter(Number.POSITIVE_INFINITY);
        const added = (await lines()).filter((line) => !known.includes(line) && line.startsWith(`${act} `));
        if ((await state()) !== before) expect(added, `after ${writes} writes`).to.have.length(1);
        if (!isDead) return expect(added).to.have.length(1);
      }
    });
  }

  it('says of an act that was done what it was about, and what it made', async () => {
    const { id } = expectStatus(await admin.post(keyPath, { scope: 'write' }), 201);
    const [line] = expectStatus(await admin.get('/api/v1/admin/log?limit=1')).acts;
    expect(line).to.deep.include({
      act: 'api-key.create',
      outcome: 'done',
      details: { id, scope: 'write', did: null },
    });
  });

  it('distinguishes an act whose end was not recorded from a finished one; its caller learns that it was done', async () => {
    store.dieAfter(2);
    const { id } = expectStatus(await admin.post(keyPath, { scope: 'read' }), 201);
    store.dieAfter(Number.POSITIVE_INFINITY);
    const [line] = expectStatus(await admin.get('/api/v1/admin/log?limit=1')).acts;
    expect(line).to.deep.include({ act: 'api-key.create', outcome: 'begun', details: { scope: 'read', did: null } });
    expect(expectStatus(await admin.get(`${keyPath}/${id}`)).status).to.equal('active');
  });

  it('has no line of what was refused, or had been done before', async () => {
    const unfreeze = `/api/v1/admin/accounts/${ada.did}/actions/freeze`;
    expectStatus(await admin.post(unfreeze, {}, { 'Idempotency-Key': 'once' }));
    const known = await lines();
    expectStatus(await admin.post(unfreeze, {}, { 'Idempotency-Key': 'once' }));
    expectProblem(await admin.post(`${keyPath}/none/revoke`), 'NOT_FOUND');
    expectProblem(await admin.delete(`${hookPath}/none`), 'NOT_FOUND');
    const unlock = `/api/v1/admin/identities/${ada.did}/actions/unlock`;
    expectProblem(await admin.post(unlock, { passphrase: 'a wrong passphrase' }), 'TRANSFER_NOT_ALLOWED');
    expect(await lines()).to.deep.equal(known);
  });
});
