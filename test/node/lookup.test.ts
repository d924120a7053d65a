/** Looking up what a text identifies (docs/reference/node.md#look-up). */
import { expect } from 'chai';
import { expectInvalid, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('Look-up', () => {
  const node = nodeForSuite();
  let ada: Person;
  let escrow: Body;

  before(async () => {
    ada = await node().rich(100);
    const ben = await node().person();
    const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
    escrow = await ada.does('/api/v1/escrows', { ...rules, amount: 5 });
  });

  const lookUp = (text: string) => node().client.get(`/api/v1/lookup?text=${encodeURIComponent(text)}`);
  const matches = async (text: string): Promise<Body[]> => expectStatus(await lookUp(text)).matches;

  it('finds an entry by its number and by the hash of its event', async () => {
    expect(await matches('1')).to.deep.equal([{ what: 'entry', id: '1' }]);
    expect(await matches('999999999999999')).to.deep.equal([]);
    const [{ id, by }] = (await matches(escrow.eventHash)) as [Body];
    expect(by).to.equal('event');
    const { events } = expectStatus(await node().client.get(`/api/v1/events?after=${Number(id) - 1}&limit=1`));
    expect(events[0].event.hash).to.equal(escrow.eventHash);
    expect(await matches('0'.repeat(64))).to.deep.equal([]);
    expect(await matches(`0x${'a'.repeat(64)}`)).to.deep.equal([]);
  });

  it('finds an entry by its other hashes, among the newest', async () => {
    const entry = (await node().store.entryByEvent(escrow.eventHash))!;
    const { payloadHash } = entry.core.event;
    const { stateHash } = entry.core.versions[0]!;
    const hashes = { chain: entry.chainHash, entry: entry.entryHash, payload: payloadHash, state: stateHash };
    for (const [by, hash] of Object.entries(hashes))
      expect(await matches(hash), by).to.deep.equal([{ what: 'entry', id: String(entry.seq), by }]);
  });

  it('finds an identity by its DID, its address, and the beginning of a word of its name', async () => {
    const identity = [{ what: 'identity', id: ada.did }];
    expect(await matches(ada.did)).to.deep.equal(identity);
    const path = `/api/v1/identities/${ada.did}`;
    const { address, docHash } = expectStatus(await node().client.get(path));
    expect(await matches(address)).to.deep.equal(identity);
    const displayName = 'Weather Desk (of oracle.ada)';
    await ada.does(`${path}/actions/update`, { document: { displayName }, prevDocHash: docHash });
    for (const text of ['weather', 'DESK', 'Ada', 'oracle.a', '(of'])
      expect(await matches(text)).to.deep.equal([{ what: 'identity', id: ada.did, displayName }]);
    for (const text of ['eather', 'da', ' ', '\u200d']) expect(await matches(text), text).to.deep.equal([]);
    expect(await matches(ada.did.slice(0, 20))).to.deep.equal(identity);
  });

  it('finds a name as searches find words: without case, accents and points, in any Unicode form', async () => {
    const ben = await node().rich(10);
    const path = `/api/v1/identities/${ben.did}`;
    const { docHash: prevDocHash } = expectStatus(await node().client.get(path));
    await ben.does(`${path}/actions/update`, { document: { displayName: 'Zo\u00eb שָׁלוֹם' }, prevDocHash });
    for (const text of ['zoe', 'ZO\u00cb', 'Zoe\u0308', 'Zo\u00ade', 'שלום'])
      expect(
        (await matches(text)).map(({ id }) => id),
        text,
      ).to.deep.equal([ben.did]);
  });

  it('finds a name that looks like the text, with letters of another alphabet', async () => {
    const eve = await node().rich(10);
    const path = `/api/v1/identities/${eve.did}`;
    const { docHash } = expectStatus(await node().client.get(path));
    await eve.does(`${path}/actions/update`, { document: { displayName: 'Вοb' }, prevDocHash: docHash });
    for (const text of ['Bob', 'bob', 'B0B'])
      expect((await matches(text)).map(({ id }) => id)).to.deep.equal([eve.did]);
    expect(await matches('Bo')).to.deep.equal([]);
  });

  it('finds a transfer of the reader by a word of its memo, and of no one else', async () => {
    const [payer, payee] = [await node().rich(10), await node().person()];
    for (const memo of ['Facture n° 2026-114', 'rent', 'Crème'])
      await payer.does('/api/v1/transfers', { to: payee.did, amount: 1, memo });
    const found = async (text: string, did?: string) => {
      const client = did === undefined ? node().client : await node().keyed({ did });
      const query = `text=${encodeURIComponent(text)}`;
      return expectStatus(await client.get(`/api/v1/lookup?${query}`)).matches.map(({ what, by, memo }: Body) => [
        what,
        by,
        memo,
      ]);
    };
    for (const { did } of [payer, payee]) {
      expect(await found('2026-114', did)).to.deep.equal([['entry', 'memo', 'Facture n° 2026-114']]);
      expect(await found('creme', did)).to.deep.equal([['entry', 'memo', 'Crème']]);
      expect(await found('acture', did)).to.deep.equal([]);
    }
    for (const text of ['2026-114', 'creme', 'facture']) {
      expect(await found(text)).to.deep.equal([]);
      expect(await found(text, ada.did)).to.deep.equal([]);
    }
  });

  it('finds resources by an id or its beginning', async () => {
    const found = { what: 'resource', kind: 'escrow', id: escrow.id, state: 'created.open' };
    expect(await matches(escrow.id)).to.deep.equal([found]);
    expect(await matches(escrow.id.slice(0, 12))).to.deep.equal([found]);
    expect(await matches(` ${escrow.id} `)).to.deep.equal([found]);
    expect(await matches('es')).to.deep.equal([]);
    expect(await matches(`${escrow.id}%`)).to.deep.equal([]);
    expect(await matches(`${escrow.id}~nowhere1`)).to.deep.equal([]);
  });

  it('says that more begin like this', async () => {
    const { did: beneficiary } = await node().person();
    const rules = { beneficiary, releaseRules: [{ type: 'manual' }], amount: 1 };
    for (let at = 0; at < 11; at++) await ada.does('/api/v1/escrows', { ...rules, escrowId: `many-${at}` });
    const body = expectStatus(await lookUp('many-'));
    expect(body.matches).to.have.length(10);
    expect(body.hasMore).to.equal(true);
    expect(await matches('many-1')).to.have.length(1);
  });

  it('shows no one another’s private listing', async () => {
    const hidden = await publishes(ada, { title: 'Only mine', visibility: 'private' });
    expect(await matches(hidden.listingId)).to.deep.equal([]);
    expect(await matches('lst-')).to.deep.equal([]);
  });

  it('refuses no text, and too long a one', async () => {
    expectInvalid(await lookUp(''), 'text');
    expectInvalid(await lookUp('a'.repeat(201)), 'text');
  });
});
