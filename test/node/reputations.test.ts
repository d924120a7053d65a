/**
 * Reputations over HTTP (docs/reference/reputation.md): reading, listing and writing. Toy deals give the parties something to
 * review.
 */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { withToyDeals } from '../world/toy-deal.js';
import {
  expectInvalid,
  expectPage,
  expectProblem,
  expectSoon,
  expectStatus,
  expectWritten,
} from './support/answers.js';
import type { Body, Reply } from './support/client.js';
import { finishedDeal, openDeal } from './support/deals.js';
import { bareDid } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('Reputations', () => {
  const node = nodeForSuite({ parts: { catalogue: withToyDeals } });
  let ada: Person;
  let ben: Person;
  beforeEach(async () => {
    [ada, ben] = (await node().people(2)) as [Person, Person];
  });

  const pathOf = (did: string): string => `/api/v1/reputations/${did}`;
  const review = (by: Person, target: Person, body: Body): Promise<Reply> =>
    by.write(`${pathOf(target.did)}/reviews`, { target: target.did, dimension: 'quality', score: 900, ...body });
  const reputation = async (did: string): Promise<Body> => {
    const stored = expectStatus(await node().client.get(pathOf(did)));
    expect(expectStatus(await node().client.get(`${pathOf(did)}?source=log`)), 'log equals store').to.deep.equal(
      stored,
    );
    expect(expectStatus(await node().client.get(`${pathOf(did)}?source=store`))).to.deep.equal(stored);
    return stored;
  };
  const reviews = async (did: string, query = ''): Promise<Body> =>
    expectStatus(await node().client.get(`${pathOf(did)}/reviews${query}`));

  describe('GET /reputations/{did}', () => {
    it('is REPUTATION_NOT_FOUND until the first record', async () => {
      for (const path of [pathOf(ben.did), `${pathOf(ben.did)}?source=log`, `${pathOf(ben.did)}/reviews`]) {
        expectProblem(await node().client.get(path), 'REPUTATION_NOT_FOUND');
      }
      const ref = await openDeal(node(), ada, ben);
      expectProblem(await node().client.get(pathOf(ben.did)), 'REPUTATION_NOT_FOUND');
      expect(ref).to.match(/^toy-/);
      await finishedDeal(node(), ada, ben);
      expectStatus(await node().client.get(pathOf(ben.did)));
    });

    it('is empty instead, where that is asked for', async () => {
      const empty = expectStatus(await node().client.get(`${pathOf(ben.did)}?orEmpty=true`));
      expect(empty).to.deep.include({ did: ben.did, score: null, level: 'unrated', dimensions: {}, updatedAt: 0 });
      await finishedDeal(node(), ada, ben);
      expect(expectStatus(await node().client.get(`${pathOf(ben.did)}?orEmpty=true`))).to.deep.equal(
        await reputation(ben.did),
      );
    });

    it('adds up what deals and reviews gave, newest included at once', async () => {
      await finishedDeal(node(), ada, ben, { inTime: false });
      const first = await reputation(ben.did);
      expect(first).to.deep.include({
        did: ben.did,
        score: 727, // (.25 × 1000 + .30 × 500) / .55
        level: 'fair',
        totalTransactions: 1,
        successRate: 1,
        averageRating: null,
      });
      expect(Object.keys(first.dimensions)).to.deep.equal(['transaction', 'fulfillment']);
      expect(first.dimensions.fulfillment).to.include({ score: 500, count: 1 });
      const ref = await finishedDeal(node(), ada, ben, { loser: ben.did });
      expectStatus(await review(ada, ben, { score: 500, ref }), 201);
      const then = await reputation(ben.did);
      expect(then).to.deep.include({ totalTransactions: 2, successRate: 0.5, averageRating: 2.5 });
      expect(then.dimensions.quality).to.include({ score: 500, count: 1 });
      expect(then.updatedAt).to.be.at.least(first.updatedAt);
      expect(await reputation(ada.did)).to.deep.include({ score: 1000, level: 'excellent', totalTransactions: 2 });
    });

    it('takes the bare spelling of a DID for the same', async () => {
      await finishedDeal(node(), ada, ben);
      const { did } = expectStatus(await node().client.get(pathOf(bareDid(ben.did))));
      expect(did).to.equal(ben.did);
    });

    it('refuses a malformed DID as REPUTATION_INVALID, another source as INVALID_REQUEST', async () => {
      for (const did of ['nonsense', 'did:svc:zNo', `${ben.did}x`, ben.address, 'x'.repeat(300)]) {
        for (const path of [pathOf(did), `${pathOf(did)}/reviews`]) {
          expectInvalid(await node().client.get(path), 'did', 'REPUTATION_INVALID');
        }
      }
      for (const path of [pathOf(ben.did), `${pathOf(ben.did)}/reviews`]) {
        expectInvalid(await node().client.get(`${path}?source=chain`), 'source');
      }
    });
  });

  describe('GET /reputations/{did}/reviews', () => {
    it('lists reviews, newest first, with their mean over all pages; what deals gave is none', async () => {
      const refs: string[] = [];
      for (const score of [1000, 200, 600]) {
        const ref = await finishedDeal(node(), ada, ben);
        expectStatus(await review(ada, ben, { score, ref, comment: `${score}` }), 201);
        refs.push(ref);
      }
      const all = await reviews(ben.did);
      expect(all.reviews.map(({ score, rating }: Body) => [score, rating])).to.deep.equal([
        [600, 3],
        [200, 1],
        [1000, 5],
      ]);
      expect(all).to.include({ total: 3, averageRating: 3 });
      expectPage(all.pagination, { total: 3, limit: 20, offset: 0, hasMore: false });
      expect(all.reviews[0]).to.include({ issuer: ada.did, target: ben.did, ref: refs[2], comment: '600' });
      const one = await reviews(ben.did, '?limit=1&offset=1');
      expect(one.reviews).to.deep.equal([all.reviews[1]]);
      expect(one).to.include({ total: 3, averageRating: 3 });
      const rest = await reviews(ben.did, `?limit=2&after=${encodeURIComponent(one.pagination.after)}`);
      expect(rest.reviews).to.deep.equal([all.reviews[2]]);
      expect(await reviews(ben.did, '?source=log')).to.deep.equal(all);
      expect(await reviews(ada.did), 'ada has deals and no reviews').to.deep.include({
        reviews: [],
        total: 0,
        averageRating: null,
      });
      for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x']) {
        expectInvalid(await node().client.get(`${pathOf(ben.did)}/reviews?${query}`), query.split('=')[0]!);
      }
    });
  });

  describe('POST /reputations/{did}/reviews', () => {
    it('records a review of the other party of a finished deal, either way', async () => {
      const ref = await finishedDeal(node(), ada, ben);
      const nonce = ada.nonce;
      const reply = await review(ada, ben, { ref, comment: 'as described', aspects: { speed: 5, words: ['kind'] } });
      const body = expectStatus(reply, 201);
      expectWritten(body, nonce);
      expect(body).to.deep.include({
        issuer: ada.did,
        target: ben.did,
        dimension: 'quality',
        score: 900,
        rating: 4.5,
        ref,
        comment: 'as described',
        aspects: { speed: 5, words: ['kind'] },
        resourcePrev: body.eventHash,
      });
      expect(body.id).to.match(/^rev-[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      const { reviews: listed } = expectStatus(await node().client.get(reply.headers.location as string));
      const { eventHash: _, nonce: __, txHash: ___, status, timestamp, ...view } = body;
      expect([status, timestamp]).to.deep.equal(['confirmed', view.createdAt]);
      expect(listed).to.deep.equal([view]);
      expectStatus(await review(ben, ada, { ref, score: 0 }), 201);
      const found = expectStatus(await node().client.get(`/api/v1/events?resource=reputation/${body.id}`)).events;
      expect(found.map(({ event }: Body) => event.type)).to.deep.equal(['reputation.reviewed']);
      expect(found[0].payload.input).to.include({ comment: 'as described' });
    });

    it('takes every dimension once, and each deal anew', async () => {
      const [ref, other] = [await finishedDeal(node(), ada, ben), await finishedDeal(node(), ada, ben)];
      for (const dimension of ['transaction', 'fulfillment', 'quality', 'social', 'behavior']) {
        expectStatus(await review(ada, ben, { ref, dimension }), 201);
        expectProblem(await review(ada, ben, { ref, dimension, score: 1 }), 'CONFLICT');
      }
      expectStatus(await review(ada, ben, { ref: other }), 201);
      expect(await reviews(ben.did)).to.include({ total: 6 });
      expect((await reputation(ben.did)).dimensions.social).to.include({ score: 900, count: 1 });
    });

    it('once also where two are sent at the same time', async () => {
      const ref = await finishedDeal(node(), ada, ben);
      const send = (nonce: number) => ada.write(`${pathOf(ben.did)}/reviews`, body(ref, nonce));
      const body = (of: string, nonce: number) => ({
        ...{ target: ben.did, dimension: 'quality', score: 900, ref: of, nonce },
      });
      const { nonce } = ada;
      const replies = await Promise.all([send(nonce), send(nonce + 1)]);
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 409]);
      expect(await reviews(ben.did)).to.include({ total: 1 });
    });

    it('names each required field that is missing or wrong', async () => {
      const ref = await finishedDeal(node(), ada, ben);
      for (const field of ['did', 'passphrase', 'nonce', 'dimension', 'score', 'ref']) {
        expectInvalid(await review(ada, ben, { ref, [field]: undefined }), field);
      }
      const wrong = { dimension: 'luck', score: 1001, ref: 'a b', comment: 5, aspects: 'x', ts: 'x' };
      for (const [field, value] of Object.entries(wrong)) {
        expectInvalid(await review(ada, ben, { ref, [field]: value }), field);
      }
      expectInvalid(await review(ada, ben, { ref, score: 1.5 }), 'score');
      expectInvalid(await review(ada, ben, { ref, score: -1 }), 'score');
      expectInvalid(await review(ada, ben, { ref, target: 'did:svc:zNo' }), 'target', 'DID_INVALID');
      const whole = { target: ben.did, dimension: 'quality', score: 900, ref };
      expectInvalid(await ada.write(`${pathOf('nobody')}/reviews`, whole), 'did', 'REPUTATION_INVALID');
    });

    it('refuses a target that is not the path’s, and oneself', async () => {
      const ref = await finishedDeal(node(), ada, ben);
      const elsewhere = { target: ada.did, dimension: 'quality', score: 900, ref };
      expectProblem(await ada.write(`${pathOf(ben.did)}/reviews`, elsewhere), 'REPUTATION_INVALID');
      expectProblem(await review(ada, ada, { ref }), 'FORBIDDEN');
      const spelled = { ...elsewhere, target: bareDid(ben.did) };
      expectStatus(await ada.write(`${pathOf(ben.did)}/reviews`, spelled), 201);
    });

    it('needs a finished deal between signer and target', async () => {
      const eva = await node().person();
      const open = await openDeal(node(), ada, ben);
      const others = await finishedDeal(node(), eva, ben);
      const before = await node().state();
      for (const ref of [open, others, 'toy-none', 'ord-none', 'esc-none', 'x']) {
        expectProblem(await review(ada, ben, { ref }), 'UNPROCESSABLE');
      }
      expect(await node().state(), 'nothing has changed').to.deep.equal(before);
      expect((await ada.wallet()).nextNonce).to.equal(ada.nonce);
    });

    it('refuses wrong passphrases, used nonces and stale heads before the step', async () => {
      const ref = await finishedDeal(node(), ada, ben);
      expectProblem(await review(ada, ben, { ref, passphrase: 'not the passphrase' }), 'TRANSFER_NOT_ALLOWED');
      expectProblem(await review(ada, ben, { ref, nonce: 1 }), 'CONFLICT');
      expectProblem(await review(ada, ben, { ref, prev: '0'.repeat(64) }), 'CONFLICT');
      expectProblem(await review(ada, ben, { ref, resourcePrev: '0'.repeat(64) }), 'CONFLICT');
      expectStatus(await review(ada, ben, { ref, resourcePrev: null }), 201);
    });

    it('is answered again to the same Idempotency-Key', async () => {
      const ref = await finishedDeal(node(), ada, ben);
      const asked = { target: ben.did, dimension: 'quality', score: 900, ref, nonce: ada.nonce };
      const send = (more: Body = {}) =>
        ada.write(`${pathOf(ben.did)}/reviews`, { ...asked, ...more }, { 'Idempotency-Key': 'once' });
      const first = expectStatus(await send(), 201);
      const again = await send();
      expect(expectStatus(again, 201)).to.deep.equal(first);
      expect(again.headers['idempotent-replayed']).to.equal('true');
      expectProblem(await send({ score: 1 }), 'UNPROCESSABLE');
    });
  });

  it('decay with time, and hold over a restart; searches rank by what they have decayed to', async () => {
    const eva = await node().person();
    expectStatus(await ben.write('/api/v1/markets/info', infoListing.create.example as Body), 201);
    const found = async (least: number): Promise<number> =>
      expectStatus(await node().client.get(`/api/v1/markets/search?seller=${ben.did}&minReputation=${least}`)).total;
    const ranks = (score: number) => expectSoon(async () => [await found(score), await found(score + 1)], [1, 0]);
    const ref = await finishedDeal(node(), ada, ben, { price: 0 });
    expectStatus(await review(ada, ben, { score: 1000, ref }), 201);
    node().world.skip(180 * dayMs);
    const later = await finishedDeal(node(), eva, ben, { price: 0 });
    expectStatus(await review(eva, ben, { score: 0, ref: later }), 201);
    expect((await reputation(ben.did)).score).to.equal(333);
    await ranks(333);
    await node().restart();
    expect((await reputation(ben.did)).score).to.equal(333);
    node().world.skip(560 * dayMs);
    expect((await reputation(ben.did)).score).to.equal(0);
    await ranks(0);
    node().world.skip(360 * dayMs);
    expect(await reputation(ben.did)).to.deep.include({ score: null, level: 'unrated', averageRating: 2.5 });
    // Without a rating the reputation is below 1; a minimum of 0 hides no listing.
    await ranks(0);
  });
});
