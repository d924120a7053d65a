/** Erasing texts over HTTP, and what stays erased (docs/reference/erasure.md). */
import { expect } from 'chai';
import { catalogue } from '../../src/machines/catalogue.js';
import { inputOf } from '../../src/machines/kernel/visibility.js';
import { leafKind } from '../../src/machines/leaf/leaf.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { Rebuilding } from '../../src/store/mongo/rebuilding.js';
import { databaseFile } from '../../src/store/sqlite/durable.js';
import { rebuildFile } from '../../src/store/sqlite/rebuild.js';
import type { Store } from '../../src/store/store.js';
import { audit } from '../../src/verify/audit.js';
import { move, type Side } from '../../src/verify/move/move.js';
import { rebuild, rebuildInPlace } from '../../src/verify/move/rebuild.js';
import { codeOf } from '../world/bench.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { dataset, infoPath, onListing, publishes } from './support/market.js';
import { nodeForSuite, TestNode } from './support/node.js';
import type { Person } from './support/person.js';
import { onMongo, storeIn } from './support/shared-store.js';

const network = 'devnet';
const reason = { reason: 'asked for' };
const key = (text: string) => ({ 'Idempotency-Key': text });

/** Erases the text at this place of a resource. @returns its hash */
async function erases(admin: Client, resource: string, at: string): Promise<string> {
  const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?resource=${resource}`));
  const { leaf } = leaves.find((each: Body) => each.pointer === at);
  expectStatus(await admin.post(`/api/v1/admin/leaves/${leaf}/actions/redact`, reason));
  return leaf;
}

describe('Erasing a text', () => {
  const node = nodeForSuite();
  let ada: Person;
  let admin: Client;
  beforeEach(async () => {
    ada = await node().rich(100);
    admin = await node().keyed({ scope: 'admin' });
  });

  const redact = (hash: string, headers = {}, body: Body = reason) =>
    admin.post(`/api/v1/admin/leaves/${hash}/actions/redact`, body, headers);
  const shown = async ({ listingId }: Body): Promise<Body> =>
    expectStatus(await node().client.get(`${infoPath}/${listingId}`));

  it('twice is CONFLICT, one after the other and at once, and the second does nothing', async () => {
    const listing = await publishes(ada);
    const leaf = await erases(admin, `info-listing/${listing.listingId}`, '/title');
    const before = await node().state();
    expectProblem(await redact(leaf), 'CONFLICT');
    expect(await node().state()).to.deep.equal(before);
    const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?event=${listing.eventHash}`));
    const { leaf: other } = leaves.find(({ pointer }: Body) => pointer === '/description');
    const replies = await Promise.all([redact(other), redact(other), redact(other)]);
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    expect(await node().store.load(leafKind, other)).to.include({ version: 1 });
    expect(await shown(listing)).to.deep.include({ title: null, description: null, erased: ['title', 'description'] });
  });

  it('with an Idempotency-Key gives the same reply again, and refuses another reason', async () => {
    const { eventHash } = await publishes(ada);
    const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?event=${eventHash}`));
    const first = expectStatus(await redact(leaves[0].leaf, key('erase')));
    const again = await redact(leaves[0].leaf, key('erase'));
    expect(expectStatus(again)).to.deep.equal(first);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expectProblem(await redact(leaves[0].leaf, key('erase'), { reason: 'another' }), 'UNPROCESSABLE');
  });

  it('that there is not is NOT_FOUND, and changes nothing', async () => {
    const listing = await publishes(ada);
    const before = await node().state();
    // Unknown, no hash, and the hash of something else.
    for (const hash of ['ab'.repeat(32), 'no-hash', listing.eventHash]) expectProblem(await redact(hash), 'NOT_FOUND');
    expect(await node().state()).to.deep.equal(before);
    expect((await node().audit()).erased).to.equal((await erasures()).length);
  });

  it('of a resource without texts finds none', async () => {
    const body = { beneficiary: node().did, amount: 5, releaseRules: [{ type: 'manual' }] };
    const { escrowId } = await ada.does('/api/v1/escrows', body);
    for (const resource of [`escrow/${escrowId}`, 'escrow/none', 'nothing/none']) {
      const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?resource=${resource}`));
      expect(leaves, resource).to.deep.equal([]);
    }
    expectProblem(await admin.get(`/api/v1/admin/leaves?event=${'ab'.repeat(32)}`), 'NOT_FOUND');
  });

  it('is refused by the step if it names no hash', async () => {
    const before = await node().state();
    const input = { ...reason, operator: 'a test', resource: { kind: 'escrow', id: 'none' } };
    expect(codeOf(await node().operate(leafKind, 'no-hash', 'redact', input))).to.equal('UNPROCESSABLE');
    expect(await node().state()).to.deep.equal(before);
  });

  it('gives null in the replies that are given again', async () => {
    const body = { ...dataset({ title: 'Zebrafinch songs' }), ...ada.signed };
    const publish = () => node().client.post(infoPath, body, key('publish'));
    const first = expectStatus(await publish(), 201);
    ada.nonce++;
    const paid = { ...ada.signed, to: node().did, amount: 1, memo: 'for the songs' };
    const pay = () => node().client.post('/api/v1/transfers', paid, key('pay'));
    const transfer = expectStatus(await pay());
    expect([first.title, transfer.memo]).to.deep.equal(['Zebrafinch songs', 'for the songs']);
    await erases(admin, `info-listing/${first.listingId}`, '/title');
    await erases(admin, `account/${ada.did}`, '/memo');
    const again = await publish();
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(expectStatus(again, 201)).to.deep.equal({ ...first, title: null, erased: ['title'] });
    expect(expectStatus(await pay())).to.deep.equal({ ...transfer, memo: null, erased: ['memo'] });
  });

  it('of a private listing stays, when it becomes public and says its members again', async () => {
    const listing = await publishes(ada, { visibility: 'private' });
    await erases(admin, `info-listing/${listing.listingId}`, '/description');
    const { resourcePrev } = listing;
    expectStatus(await onListing(ada, listing, 'update', { visibility: 'public', resourcePrev }));
    expect(await shown(listing)).to.deep.include({ description: null, erased: ['description'], title: listing.title });
    expect(await node().audit()).to.include({ ok: true });
  });

  async function erasures() {
    return node().store.entries({ after: 0, limit: 1_000, type: 'leaf.redacted' });
  }
});

describe('A text that was erased', () => {
  let node: TestNode;
  let listing: Body;
  let leaf: string;
  let kept: string;
  beforeEach(async () => {
    node = await TestNode.start();
    const ada = await node.rich(100);
    listing = await publishes(ada, { title: 'Zebrafinch songs', description: 'Songs of an axolotl' });
    leaf = await erases(await node.keyed({ scope: 'admin' }), `info-listing/${listing.listingId}`, '/title');
    ({ leaf: kept } = (await node.store.load('info-listing', listing.listingId))!.context.description as Body as {
      leaf: string;
    });
  });
  afterEach(() => node.discard());

  async function expectGone(store: Store): Promise<void> {
    expect(await audit(store, catalogue, network)).to.include({ ok: true, erased: 1 });
    expect([await store.content(leaf), (await store.content(kept)) !== undefined]).to.deep.equal([undefined, true]);
  }

  async function expectShownAsErased(): Promise<void> {
    await expectGone(node.store);
    const { client } = node;
    const view = expectStatus(await client.get(`${infoPath}/${listing.listingId}`));
    expect(view).to.deep.include({ title: null, erased: ['title'], description: listing.description });
    const found = async (q: string) =>
      expectStatus(await client.get(`/api/v1/markets/search?q=${q}`)).listings.map((each: Body) => each.listingId);
    expect([await found('zebrafinch'), await found('axolotl')]).to.deep.equal([[], [listing.listingId]]);
  }

  it('is gone for the next process', async () => {
    await node.restart();
    await expectShownAsErased();
  });

  it('is gone after a rebuild in place', async () => {
    const { dir } = node;
    await node.stop();
    if (onMongo) {
      const database = await Rebuilding.open({ url: storeIn(dir), network });
      const { conclude } = await rebuildInPlace({ database, catalogue, network });
      await conclude();
      await database.close();
    } else {
      await rebuildFile({
        file: databaseFile(dir),
        fill: (source, target) => rebuild({ source, target, catalogue, network }),
        check: async () => {},
        dropDamaged: false,
      });
    }
    node = await TestNode.start({ dir });
    await expectShownAsErased();
  });

  it('is gone in a store to which the journal moves', async () => {
    const side = (store: Store, place: string): Side => {
      return { store, place, beAlone: async () => {}, read: (work) => work(store) };
    };
    const target = new MemoryStore();
    const { report } = await move({
      ...{ source: side(node.store, 'here'), target: side(target, 'there') },
      ...{ catalogue, network, id: 'move-1' },
    });
    expect(report).to.include({ erased: 1 });
    await expectGone(target);
  });
});

describe('Members of events that are reserved', () => {
  const node = nodeForSuite();
  const reserved = { for: 'did', under: 'grant-1' };

  it('are in no request of any action', () => {
    const taken = Object.values(catalogue.definitions).flatMap((definition) =>
      ['create', ...('actions' in definition ? Object.keys(definition.actions) : [])].flatMap((action) =>
        Object.keys(inputOf(definition, action)?.fields ?? {}).filter((name) => Object.hasOwn(reserved, name)),
      ),
    );
    expect(taken).to.deep.equal([]);
  });

  it('are refused in requests, by name, also of lenient callers', async () => {
    const ada = await node().rich(100);
    const escrow = { beneficiary: node().did, amount: 5, releaseRules: [{ type: 'manual' }] };
    const before = await node().state();
    for (const [name, value] of Object.entries(reserved)) {
      const stated = { [name]: name === 'for' ? ada.did : value };
      for (const headers of [{}, { prefer: 'handling=lenient' }]) {
        const refused = await ada.write('/api/v1/transfers', { to: node().did, amount: 1, ...stated }, headers);
        expectInvalid(refused, name);
        expect(refused.body.detail).to.equal(`${name}: is not supported yet`);
      }
      expectInvalid(await ada.write('/api/v1/escrows', { ...escrow, ...stated }), name);
    }
    expect(await node().state()).to.deep.equal(before);
  });
});
