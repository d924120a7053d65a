/** What the operator hides is in no answer of the API to others, and nothing of it is lost (docs/reference/moderation.md). */
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { catalogue, searchedOf } from '../../src/machines/catalogue.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { moderationKind } from '../../src/machines/moderation/moderation.js';
import { Moderations } from '../../src/projections/moderations.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { rebuild } from '../../src/verify/move/rebuild.js';
import { didOf, ben as foreignSeller } from '../world/people.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { HandmadeCards } from './support/handmade-cards.js';
import { leases, publishes as publishesCapability } from './support/lessor.js';
import { buys, infoPath, onListing, onOrder, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { bids, publishesTask, tasksPath } from './support/requester.js';

const north = didOf('north');
const reason = 'sells stolen data';
const because = `hidden by the operator: ${reason}`;
/** Every text of what is hidden has one of these words, and no other text has. */
const canary = /quokka|numbat/i;
const words = (animal: string): Body => ({
  ...{ title: `${animal}title one`, description: `${animal}description`, category: `${animal}category` },
  tags: [`${animal}tag`],
});
const profile = (animal: string) => ({ displayName: `${animal} Bank`, bio: `${animal}bio` });

/** An answer that does not end by itself, and is made of the same views as the list of events. */
const endless = ['streamEvents'];

describe('Moderation', () => {
  const cards = new HandmadeCards();
  const node = nodeForSuite({ parts: { cards } });
  let [seller, buyer, stranger] = [] as unknown as [Person, Person, Person];
  let [listing, unsold, update, order] = [] as unknown as [Body, Body, Body, Body];
  let document: Body;
  const as: { [name: string]: Client } = {};

  before(async () => {
    [seller, buyer, stranger] = [await node().rich(), await node().rich(), await node().rich()];
    for (const [name, { did }] of Object.entries({ seller, buyer, stranger }))
      as[name] = await node().keyed({ scope: 'write', did });
    listing = await publishes(seller, words('quokka'));
    const { docHash: prevDocHash } = expectStatus(await node().client.get(`/api/v1/identities/${seller.did}`));
    update = await seller.does(`/api/v1/identities/${seller.did}/actions/update`, {
      ...{ document: profile('quokka'), prevDocHash },
    });
    order = await buys(buyer, listing);
    unsold = await publishes(seller, words('quokka'));
    cards.follow(north, 1_700_000_000_000);
    await cards.listing(infoListing, {
      seller: foreignSeller,
      home: north,
      id: 'lst-north',
      at: 1_000,
      body: words('numbat'),
    });
    await cards.identity({ home: north, id: foreignSeller, at: 1_000, document: profile('numbat') });
    document = (await node().client.get('/openapi.json')).body;
  });

  const targets = () => [
    [listing.listingId, seller.did],
    [unsold.listingId, seller.did],
    [seller.did, seller.did],
    [`lst-north~${north}`, foreignSeller],
    [foreignSeller, foreignSeller],
  ];
  const decide = async (action: 'hide' | 'show') => {
    for (const [target, owner] of targets()) {
      const input = { reason, operator: 'on call', ...(action === 'hide' ? { owners: [owner!] } : {}) };
      const done = await node().operate(moderationKind, target!, action, input);
      expect(done, target).to.have.property('entry');
    }
  };

  /** What a path or a query may say of it, by the name of its parameter. */
  const values = (): { readonly [parameter: string]: readonly string[] } => {
    const ids = [listing.listingId, `${listing.listingId}~${node().did}`, 'lst-north', `lst-north~${north}`];
    const dids = [seller.did, foreignSeller];
    const hashes = [listing.eventHash, update.eventHash];
    const texts = ['quokka', 'numbat'];
    return {
      ...{
        listingId: ids,
        taskId: ids,
        id: [...ids, ...dids],
        did: dids,
        address: dids,
        hash: hashes,
        orderId: [order.orderId],
      },
      ...{ kind: ['info-listing', 'identity', 'listing-stats'], home: [north], seller: dids, keyword: texts, q: texts },
      ...{ text: [...texts, ...ids, ...dids, listing.listingId.slice(0, 20), 'lst-nor'], dids: [dids.join(',')] },
      ...{ category: texts.map((each) => `${each}category`), tags: texts.map((each) => `${each}tag`) },
      ...{ resource: [`info-listing/${listing.listingId}`, `identity/${seller.did}`], includeFacets: ['true'] },
      ...{ statuses: ['active,paused'], source: ['log'], type: ['identity.updated'], period: ['day'] },
    };
  };

  /** Every read, with all values of each of its parameters. */
  function* requests(): Generator<readonly [operation: string, path: string]> {
    const known = values();
    for (const [path, methods] of Object.entries<Body>(document.paths)) {
      const { operationId, parameters = [] } = methods.get ?? {};
      if (operationId === undefined || endless.includes(operationId)) continue;
      let filled = [path];
      for (const [, name] of path.matchAll(/\{(\w+)\}/g))
        filled = filled.flatMap((each) =>
          (known[name!] ?? ['guessed']).map((value) => each.replace(`{${name}}`, encodeURIComponent(value))),
        );
      const queries = parameters.flatMap(({ name, in: place }: Body) =>
        place === 'query' ? (known[name] ?? []).map((value) => `?${name}=${encodeURIComponent(value)}`) : [],
      );
      for (const each of filled) for (const query of ['', ...queries]) yield [operationId, `${each}${query}`];
    }
  }

  /** The operations with an answer that has a text of what is hidden. */
  async function tellingOf(client: Client): Promise<readonly string[]> {
    const telling = new Set<string>();
    for (const [operation, path] of requests())
      if (canary.test(JSON.stringify((await client.get(path)).body ?? ''))) telling.add(operation);
    return [...telling].sort();
  }

  it('leaves every read of others, of all that there are, and comes back', async () => {
    const before = await tellingOf(as.stranger!);
    expect(before).to.include.members(['getIdentity', 'getInfoListing', 'getMachineState', 'listEvents', 'listNames']);
    expect(before).to.include.members(['listInfoListings', 'lookUp', 'searchMarkets', 'getEvent', 'getResourceProof']);
    await decide('hide');
    for (const client of [as.stranger!, node().client, await node().keyed({ scope: 'admin' })])
      expect(await tellingOf(client)).to.deep.equal([]);
    await decide('show');
    expect(await tellingOf(as.stranger!)).to.deep.equal(before);
  });

  describe('while it is hidden', () => {
    before(() => decide('hide'));
    after(() => decide('show'));

    const page = () => `${infoPath}/${listing.listingId}`;

    it('a page says why, and its seller and its buyers still see it, with the reason', async () => {
      const { detail } = expectProblem(await node().client.get(page()), 'LISTING_NOT_FOUND');
      expect(detail).to.equal(because);
      expect(expectProblem(await node().client.get(`${infoPath}/lst-north`), 'LISTING_NOT_FOUND').detail).to.equal(
        because,
      );
      for (const party of [as.seller!, as.buyer!])
        expect(expectStatus(await party.get(page()))).to.include({ hidden: because, title: 'quokkatitle one' });
      expectStatus(await as.seller!.get(`${infoPath}/${unsold.listingId}`));
      expectProblem(await as.buyer!.get(`${infoPath}/${unsold.listingId}`), 'LISTING_NOT_FOUND');
      expectStatus(await as.buyer!.get(`${page()}/content`));
      expectProblem(await as.stranger!.get(`${page()}/content`), 'LISTING_NOT_FOUND');
    });

    it('a profile is without its texts, except for its DID', async () => {
      const path = `/api/v1/identities/${seller.did}`;
      const shown = expectStatus(await node().client.get(path));
      expect(shown)
        .to.include({ hidden: because, docHash: update.docHash })
        .and.not.to.have.any.keys('displayName', 'bio');
      expect(expectStatus(await as.seller!.get(path))).to.include({ hidden: because, displayName: 'quokka Bank' });
    });

    it('the seller finds it, and totals and facets of others are without it', async () => {
      const path = `${infoPath}?keyword=quokka&includeFacets=true`;
      expect(expectStatus(await as.seller!.get(path)).total).to.equal(2);
      const { total, facets } = expectStatus(await as.stranger!.get(path));
      expect({ total, categories: facets.categories }).to.deep.equal({ total: 0, categories: [] });
    });

    it('others do not find it by its id, and its seller does', async () => {
      const found = async (client: Client, text: string) =>
        expectStatus(await client.get(`/api/v1/lookup?text=${text}`)).matches.length;
      for (const text of [listing.listingId, listing.listingId.slice(0, -1), 'lst-north', 'lst-nor'])
        expect(await found(as.stranger!, text), text).to.equal(0);
      expect(await found(as.seller!, listing.listingId)).to.equal(1);
    });

    it('is in no reply to who prepares a write, as its seller or as a buyer', async () => {
      const preparing = (action: string, did: string, more: Body = {}) =>
        node().client.post(`${page()}/actions/${action}`, { ...more, did, prepare: true });
      const bought = await preparing('purchase', stranger.did, { buyerPublicKeyHex: '11'.repeat(32) });
      expect(expectProblem(bought, 'LISTING_NOT_ACTIVE').detail).to.equal(because);
      const replies = [await preparing('update', seller.did, { tags: ['new'] }), await preparing('pause', seller.did)];
      for (const reply of replies) {
        expectStatus(reply);
        expect(reply.text).not.to.match(canary);
      }
    });

    it('no one buys it, and what was bought before runs on', async () => {
      const { detail } = expectProblem(await onListing(stranger, listing, 'purchase'), 'LISTING_NOT_ACTIVE');
      expect(detail).to.equal(because);
      expectStatus(await onOrder(seller, order, 'deliver'));
      expectStatus(await onOrder(buyer, order, 'confirm'));
      expectStatus(await as.buyer!.get(`/api/v1/orders/${order.orderId}`));
    });
  });

  it('a purchase from before is repeated, not refused', async () => {
    const key = { 'Idempotency-Key': 'before-it-was-hidden' };
    const body = { ...buyer.signed };
    const path = `${infoPath}/${listing.listingId}/actions/purchase`;
    const { orderId } = expectStatus(await node().client.post(path, body, key), 201);
    buyer.nonce++;
    await decide('hide');
    expect(expectStatus(await node().client.post(path, body, key), 201).orderId).to.equal(orderId);
    await decide('show');
  });

  it('a text is a sentence that says why, wherever it stands, except for its parties', async () => {
    const sold = await publishes(seller);
    const deal = await buys(buyer, sold);
    expectStatus(await onOrder(seller, deal, 'deliver'));
    expectStatus(await onOrder(buyer, deal, 'confirm'));
    const { eventHash } = expectStatus(
      await onOrder(buyer, deal, 'review', { rating: 1, comment: 'a wombat of a seller' }),
    );
    const admin = await node().keyed({ scope: 'admin' });
    const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?event=${eventHash}`));
    const [{ leaf }] = leaves;
    const input = { reason, operator: 'on call', owners: [buyer.did, seller.did] };
    expect(await node().operate(moderationKind, leaf, 'hide', input)).to.have.property('entry');
    const reviews = `/api/v1/reputations/${seller.did}/reviews`;
    const { id } = expectStatus(await as.seller!.get(reviews)).reviews[0];
    for (const path of [reviews, `/api/v1/orders/${deal.orderId}`, `/api/v1/machines/reputation/${id}/state`]) {
      expect(JSON.stringify((await as.stranger!.get(path)).body), path).not.to.include('wombat');
      expect(JSON.stringify(expectStatus(await as.seller!.get(path))), path).to.include('wombat');
    }
    expect(expectStatus(await as.stranger!.get(reviews)).reviews[0]).to.include({ comment: because });
    const entry = expectStatus(await as.stranger!.get(`/api/v1/events/${eventHash}`));
    expect(JSON.stringify(entry)).not.to.include('wombat');
    expect(expectStatus(await as.buyer!.get(`/api/v1/events/${eventHash}`)).payload.input.comment).to.include('wombat');
    const orders = expectStatus(await as.stranger!.get(`/api/v1/orders?did=${buyer.did}`));
    expect(JSON.stringify(orders)).to.include(because).and.not.to.include('wombat');
  });

  for (const { kind, create, route, search } of searchedOf(catalogue))
    it(`others do not find a ${kind} by the words of a hidden text`, async () => {
      const texts = { title: `dugong ${kind}`, description: `bilby ${kind}` };
      const body = { ...(create.example as Body), ...texts };
      const { listingId } = expectStatus(await seller.write(`/api/v1${route.path}`, body), 201);
      const { state, context } = (await node().store.load(kind, listingId))!;
      const leaves = search!
        .of(state, context as never)
        .texts.flatMap(([text]) => (typeof text === 'string' ? [] : [text.leaf]));
      const found = async (client: Client, keyword: string) => {
        const query = `keyword=${encodeURIComponent(keyword)}&includeFacets=true&seller=${seller.did}`;
        const page = expectStatus(await client.get(`/api/v1/markets/search?${query}`));
        const { total, facets } = page;
        expect([page.listings.length, facets.markets.length], keyword).to.deep.equal([total, total]);
        return total;
      };
      const animals = { dugong: `dugong ${kind}`, bilby: `bilby ${kind}` };
      const all = Object.values(animals);
      for (const hash of leaves) {
        const text = String((await node().store.texts([hash])).get(hash)?.value);
        const operator = { reason, operator: 'on call' };
        for (const keyword of all) expect(await found(as.stranger!, keyword), keyword).to.equal(1);
        expect(
          await node().operate(moderationKind, hash, 'hide', { ...operator, owners: [seller.did] }),
        ).to.have.property('entry');
        for (const keyword of all) {
          expect(await found(as.stranger!, keyword), keyword).to.equal(text.includes(keyword.slice(0, 5)) ? 0 : 1);
          expect(await found(as.seller!, keyword), keyword).to.equal(1);
        }
        expect(await node().operate(moderationKind, hash, 'show', operator)).to.have.property('entry');
      }
      expect(leaves).to.have.length.above(1);
      for (const keyword of all) expect(await found(node().client, keyword), keyword).to.equal(1);
    });

  it('what is hidden follows from the journal alone', async () => {
    await decide('hide');
    const target = new MemoryStore();
    await rebuild({ source: node().store, target, catalogue, network: 'devnet' });
    const [here, rebuilt] = [new Moderations(node().store), new Moderations(target)];
    for (const each of [here, rebuilt]) await each.open();
    expect(rebuilt.all).to.have.deep.members(here.all).and.length.above(targets().length);
    await decide('show');
  });

  it('a name that is hidden is no name, and no sentence in its place', async () => {
    const admin = await node().keyed({ scope: 'admin' });
    const { eventHash } = update;
    const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?event=${eventHash}`));
    const named = leaves.find(({ pointer }: Body) => pointer.endsWith('/displayName'));
    const input = { reason, operator: 'on call', owners: [seller.did] };
    expect(await node().operate(moderationKind, named.leaf, 'hide', input)).to.have.property('entry');
    const { names } = expectStatus(await as.stranger!.get(`/api/v1/names?dids=${seller.did}`));
    expect(names[0].displayName).to.equal(null);
    expect(expectStatus(await as.stranger!.get(`/api/v1/identities/${seller.did}`)).displayName).to.equal(null);
    const found = expectStatus(await as.stranger!.get('/api/v1/lookup?text=hidden'));
    expect(JSON.stringify(found)).not.to.include(seller.did);
    const { operator } = input;
    expect(await node().operate(moderationKind, named.leaf, 'show', { reason, operator })).to.have.property('entry');
  });

  it('an entry that comes while a node reads what is hidden counts', async () => {
    const target = 'lst-shown';
    const find = async () => {
      moderations.saw({ payload: { kind: moderationKind, id: target, action: 'show', input: {} } } as never);
      return { items: [{ id: target, context: { reason, operator: '', owners: [] } }], next: null };
    };
    const moderations = new Moderations({ find } as never);
    await moderations.open();
    expect(moderations.of(target)).to.equal(undefined);
  });

  it('the parties read it, however many trades they have made since', async () => {
    const hide = async ({ listingId }: Body) =>
      expect(
        await node().operate(moderationKind, listingId, 'hide', { reason, operator: 'on call', owners: [seller.did] }),
      ).to.have.property('entry');
    const [sold, cheap] = [await publishes(seller), await publishes(seller, { pricing: { fixedPrice: 1 } })];
    const bought = await buys(buyer, sold);
    const capability = await publishesCapability(seller);
    await leases(buyer, capability, { budget: 4 });
    const task = await publishesTask(seller);
    await bids(buyer, task);
    for (let newer = 0; newer < bounds.pageLimit; newer++) await buys(buyer, cheap);
    for (const each of [sold, capability, task]) await hide(each);
    const pages = [
      `${infoPath}/${sold.listingId}`,
      `${infoPath}/${sold.listingId}/content`,
      `/api/v1/markets/capabilities/${capability.listingId}`,
      `${tasksPath}/${task.listingId}`,
    ];
    for (const path of pages) {
      expectStatus(await as.buyer!.get(path));
      expectProblem(await as.stranger!.get(path), 'LISTING_NOT_FOUND');
    }
    expectStatus(await onOrder(seller, bought, 'deliver'));
  });

  describe('after a restart', () => {
    it('it is still hidden, except from the arbiter of the network', async () => {
      await decide('hide');
      const { did } = await node().person();
      await node().restart({ SVC_ARBITER_DID: did });
      expect(await tellingOf(node().client)).to.deep.equal([]);
      const arbiter = await node().keyed({ scope: 'read', did });
      for (const part of ['', '/content']) expectStatus(await arbiter.get(`${infoPath}/${listing.listingId}${part}`));
    });
  });
});
