/** `GET /api/v1/nonce/{did}` (docs/reference/accounts-and-nonces.md#nonces). */
import { expect } from 'chai';
import { getAddress } from 'ethers/address';
import { keccak256, SigningKey } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import { FakeChain } from './support/chain.js';
import type { Body } from './support/client.js';
import { bareDid } from './support/independent.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const derivedOf = (did: string): string =>
  getAddress(`0x${keccak256(Buffer.from(`svc:did-address:${did}`, 'utf8')).slice(-40)}`);

describe('GET /api/v1/nonce/{did}', () => {
  const chain = new FakeChain();
  let node: TestNode;
  let ada: Person;

  before(async () => {
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain } });
    ada = await node.rich(1_000);
  });
  beforeEach(() => {
    chain.verdict = 'confirmed';
    chain.registrations.clear();
  });
  after(() => node?.discard());

  const get = (what: string) => node.client.get(`/api/v1/nonce/${what}`);
  const data = async (what: string): Promise<Body> => expectStatus(await get(what)).data;

  it('of a registered DID names its controller and how many transactions that has sent', async () => {
    chain.registrations.set(ada.did, { registered: true, controller: address });
    chain.counts.set(address, 4);
    const { body } = await get(ada.did);
    expect(body).to.deep.equal({
      data: { did: ada.did, address, nonce: 4, nextNonce: 1, settlementNonce: 0, registered: true },
      links: { self: `/api/v1/nonce/${encodeURIComponent(ada.did)}` },
    });
    expect(body.links.self).to.include('did%3Asvc%3Az6Mk');
    expect(expectStatus(await node.client.get(body.links.self))).to.deep.equal(body);
  });

  it('of an unregistered or unknown DID uses the address that the DID gives', async () => {
    const stranger = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';
    for (const did of [ada.did, stranger]) {
      expect(await data(did)).to.include({ did, address: derivedOf(did), nonce: 0, registered: false });
    }
  });

  it('takes both spellings of a DID, and its account address', async () => {
    chain.registrations.set(ada.did, { registered: true, controller: address });
    for (const spelling of [encodeURIComponent(ada.did), bareDid(ada.did), ada.address])
      expect(await data(spelling), spelling).to.include({ did: ada.did, address });
  });

  it('of an EVM address is that of the address, and no more', async () => {
    chain.counts.set(address, 4);
    for (const spelling of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
      expect(expectStatus(await get(spelling))).to.deep.equal({
        data: { address, nonce: 4 },
        links: { self: `/api/v1/nonce/${address}` },
      });
    }
    const { address: other } = await data(computeAddress(new SigningKey(`0x${'01'.repeat(32)}`)));
    expect(other).to.match(/^0x[0-9a-fA-F]{40}$/);
  });

  it('says how far the events of the DID have come in the journal, and on chain', async () => {
    const ben = await node.person();
    for (const amount of [1, 2, 3]) await ada.pays(ben.did, amount);
    expect(await data(ada.did)).to.include({ nextNonce: 4, settlementNonce: 3 });
    const { events } = expectStatus(await node.client.get(`/api/v1/events?issuer=${ada.did}`));
    chain.settledUpTo = events[1].seq;
    expect(await data(ada.did)).to.include({ nextNonce: 4, settlementNonce: 2 });
    chain.settledUpTo = events[0].seq - 1;
    expect(await data(ada.did)).to.include({ settlementNonce: 0 });
    chain.settledUpTo = Number.MAX_SAFE_INTEGER;
  });

  it('is 400 for what is no DID and for what is no address, each in its own words', async () => {
    for (const wrong of [
      'did:svc:zzz',
      'did:svc:',
      'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      `${ada.did}x`,
    ]) {
      expectInvalid(await get(wrong), 'did', 'DID_INVALID');
    }
    const miscased = address.replace('E', 'e');
    for (const wrong of ['0x12', `${address}00`, '0xzz', address.slice(2), 'ada', `${ada.address}x`, miscased]) {
      expectInvalid(await get(wrong), 'address');
    }
  });

  it('is 404 where the controller was revoked', async () => {
    chain.registrations.set(ada.did, { registered: true, controller: null });
    expectProblem(await get(ada.did), 'NOT_FOUND');
  });

  it('is 500 where the chain cannot be asked', async () => {
    chain.verdict = 'away';
    expectProblem(await get(ada.did), 'INTERNAL_ERROR');
    expectProblem(await get(address), 'INTERNAL_ERROR');
  });

  it('on a node without a chain counts nothing', async () => {
    const alone = await TestNode.start();
    const cyd = await alone.person();
    const { data: found } = expectStatus(await alone.client.get(`/api/v1/nonce/${cyd.did}`));
    expect(found).to.include({
      address: derivedOf(cyd.did),
      nonce: 0,
      nextNonce: 1,
      settlementNonce: 0,
      registered: false,
    });
    expect(expectStatus(await alone.client.get(`/api/v1/nonce/${address}`)).data).to.deep.equal({ address, nonce: 0 });
    await alone.discard();
  });
});
