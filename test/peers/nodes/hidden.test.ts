/** What the operator hides of another home is hidden here, however its path is spelled (docs/reference/moderation.md). */
import { expect } from 'chai';
import { tagOf } from '../../../src/peers/cards/home-tag.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { onOrder, publishes } from '../../node/support/market.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from './network.js';

const api = '/api/v1';
const reason = 'sells stolen data';
const because = `hidden by the operator: ${reason}`;

describe('What is hidden of another home', () => {
  let homes: readonly Home[] = [];
  let [a, b] = homes as [Home, Home];
  let seller: Person;
  let [listing, update] = [] as unknown as [Body, Body];

  const decide = (action: 'hide' | 'show', target: string) =>
    b.operator(`moderation.${action}`, { target, reason, operator: 'on call' });
  const get = (path: string) =>
    until('the home may be asked', () => b.node.client.get(`${api}${path}`), { is: ({ status }) => status !== 429 });

  before(async () => {
    homes = [await Home.start(), await Home.start()];
    [a, b] = homes as [Home, Home];
    await acquaint(homes);
    seller = await a.node.rich();
    listing = await publishes(seller, { title: 'quokka title', description: 'quokka description' });
    const { docHash: prevDocHash } = await a.get(`/identities/${seller.did}`);
    const document = { displayName: 'quokka Bank', bio: 'quokka bio' };
    update = await seller.does(`${api}/identities/${seller.did}/actions/update`, { document, prevDocHash });
    await b.sees(a);
  });
  after(() => discard(homes));

  it('is in no read that this home asks of the other', async () => {
    const homesNamed = [tagOf(a.did, [b.did]), a.did];
    const spelled = (id: string) => homesNamed.map((home) => `${id}~${home}`);
    const profile = ['', ...homesNamed.map((home) => `~${home}`)].map((home) => `/identities/${seller.did}${home}`);
    const entries = [listing.eventHash, update.eventHash].flatMap(spelled).map((hash) => `/events/${hash}`);
    const states = [seller.did, ...spelled(seller.did)].flatMap((id) =>
      ['state', 'proof'].map((part) => `/machines/identity/${id}/${part}`),
    );
    const pages = spelled(listing.listingId).flatMap((id) => [
      `/markets/info/${id}`,
      `/machines/info-listing/${id}/state`,
    ]);
    const shown = [...profile, ...profile.map((path) => `${path}?source=log`), ...entries];
    const tells = async (path: string) => /quokka/.test(JSON.stringify((await get(path)).body));
    for (const path of [...shown, ...pages]) expect(await tells(path), path).to.equal(true);
    await decide('hide', `${listing.listingId}~${a.did}`);
    await decide('hide', seller.did);
    for (const path of [...shown, ...states, ...pages]) expect(await tells(path), path).to.equal(false);
    for (const path of profile) expect(expectStatus(await get(`${path}?source=log`)).hidden, path).to.equal(because);
    for (const path of entries) expect(expectStatus(await get(path)), path).to.include({ home: a.did });
    for (const path of states) expectProblem(await get(path), 'NOT_FOUND');
    await decide('show', seller.did);
    await decide('show', `${listing.listingId}~${a.did}`);
    for (const path of shown) expect(await tells(path), path).to.equal(true);
  });

  it('is not bought through this home, and what was bought before runs on', async () => {
    const ben = await b.node.person();
    await a.node.fund(ben, 500);
    const act = (action: string, nonce: number, body: Body = {}) =>
      b.node.client.post(`${api}/markets/info/${listing.listingId}/actions/${action}`, {
        ...{ did: ben.did, passphrase: ben.passphrase, home: a.did, nonce },
        ...body,
      });
    const { orderId } = expectStatus(await act('purchase', 1), 201);
    await decide('hide', `${listing.listingId}~${a.did}`);
    expect(expectProblem(await act('purchase', 2), 'LISTING_NOT_ACTIVE').detail).to.equal(because);
    expect(expectStatus(await act('purchase', 1), 201), 'is repeated').to.include({ orderId });
    expectStatus(await onOrder(seller, { listingId: listing.listingId, orderId }, 'deliver'));
    expectStatus(await act('confirm', 2, { orderId }));
    const bens = await b.node.keyed({ scope: 'read', did: ben.did });
    const { escrowId } = expectStatus(await bens.get(`${api}/orders/${orderId}~${a.did}`));
    const titles = async () => {
      const [one, escrow, { orders }] = await Promise.all(
        [`orders/${orderId}~${a.did}`, `escrows/${escrowId}~${a.did}`, `orders?home=${a.did}`].map(async (path) =>
          expectStatus(await bens.get(`${api}/${path}`)),
        ),
      );
      return [one.title, escrow.title, orders[0].title];
    };
    expect(await titles()).to.deep.equal([undefined, undefined, undefined]);
    await decide('show', `${listing.listingId}~${a.did}`);
    expect(await titles()).to.deep.equal(['quokka title', 'quokka title', 'quokka title']);
    expectStatus(await act('purchase', 3), 201);
  });
});
