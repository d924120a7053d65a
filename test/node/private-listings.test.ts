/**
 * A private listing is invisible to everyone but its owner: every route answers about its id exactly as about an unknown id,
 * whatever else is wrong with the request.
 */

import http from 'node:http';
import { expect } from 'chai';
import { until } from '../support/until.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client, Headers, Reply } from './support/client.js';
import { infoPath, onListing, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const listingKinds = ['info-listing', 'task-listing', 'capability-listing'] as const;
const markets = { 'info-listing': 'info', 'task-listing': 'tasks', 'capability-listing': 'capabilities' } as const;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly said: Body;
}

/** A request about an id, and a name for it. */
interface Probe {
  readonly name: string;
  readonly send: (id: string) => Promise<Reply>;
}

describe('Private listings', () => {
  const node = nodeForSuite();
  let seller: Person;
  let stranger: Person;
  let document: Body;
  let theirs: Client;

  before(async () => {
    [seller, stranger] = [await node().rich(), await node().rich()];
    theirs = await node().keyed({ scope: 'write', did: stranger.did });
    document = (await node().client.get('/openapi.json')).body;
  });

  const absent = (id: string) => id.replace('hidden', 'absent');
  const pathParameters = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

  /** Operations whose path names a listing, under any market's parameter, or any resource by its kind. */
  const operations = (): Operation[] =>
    Object.entries<Body>(document.paths)
      .filter(([path]) => pathParameters(path).some((name) => ['listingId', 'taskId', 'kind'].includes(name)))
      .flatMap(([path, methods]) =>
        Object.entries<Body>(methods).map(([method, said]) => ({ method: method.toUpperCase(), path, said })),
      )
      // Charts belong to kinds.
      .filter(({ path }) => !/machines\/\{kind\}$/.test(path));

  const exampleOf = ({ said }: Operation): Body => {
    const { schema, example } = said.requestBody?.content['application/json'] ?? {};
    const { did: _, passphrase: __, nonce: ___, ...own } = example ?? schema?.example ?? {};
    return own;
  };

  /** Callers who may not see the listing: a stranger with a correct request, and others with a mistake each. */
  const callers = (): [string, Client, (body: Body) => Body][] => {
    const { client } = node();
    const wrong = 'a wrong passphrase altogether';
    const { signed } = stranger;
    return [
      ['a stranger', client, (body) => ({ ...body, ...signed })],
      ['a stranger’s wrong passphrase', client, (body) => ({ ...body, ...signed, passphrase: wrong })],
      ['a stale nonce', client, (body) => ({ ...body, ...signed, nonce: 999_999 })],
      ['a stale resourcePrev', client, (body) => ({ ...body, ...signed, resourcePrev: 'ab'.repeat(32) })],
      ['a DID of no identity', client, (body) => ({ ...body, ...signed, did: node().did.replace(/.$/, '1') })],
      [
        'the seller’s name with a wrong passphrase',
        client,
        (body) => ({ ...body, did: seller.did, passphrase: wrong, nonce: seller.nonce }),
      ],
      ['a key bound to a stranger', theirs, (body) => ({ ...body, ...signed })],
      [
        'a stranger’s key and the seller’s name',
        theirs,
        (body) => ({ ...body, did: seller.did, passphrase: wrong, nonce: seller.nonce }),
      ],
    ];
  };

  /** The path with its other parameters filled in, as a caller would guess them. */
  const filled = (path: string, kind: string, id: string) =>
    path
      .replace('{kind}', kind)
      .replace(/\{(listingId|taskId|id)\}/, id)
      .replace('{orderId}', 'ord-guessed')
      .replace('{bidId}', 'bid-guessed')
      .replace(/\{\w+\}/g, 'guessed');

  function probes(kind: string): Probe[] {
    const found: Probe[] = [];
    for (const operation of operations()) {
      const { method, path } = operation;
      // The markets' routes are derived in the same way, so one market is tried with all callers.
      const asking = kind === 'info-listing' ? callers() : callers().slice(0, 2);
      for (const [who, client, body] of asking) {
        const name = `${method} ${path} by ${who}`;
        const at = (id: string) => filled(path, kind, id);
        if (method === 'GET') {
          if (!/stranger$/.test(who)) continue;
          found.push({ name, send: (id) => client.get(at(id)) });
          found.push({ name: `${name}, conditional`, send: (id) => client.get(at(id), { 'If-None-Match': '*' }) });
        } else {
          found.push({ name, send: (id) => client.send({ method, path: at(id), body: body(exampleOf(operation)) }) });
          if (!/stranger$|name/.test(who)) continue;
          const malformed: Headers = { 'Idempotency-Key': 'has blanks' };
          found.push({
            name: `${name}, malformed`,
            send: (id) => client.post(at(id), body(exampleOf(operation)), malformed),
          });
          const key: Headers = { 'Idempotency-Key': 'the-same-for-both' };
          found.push({
            name: `${name}, replayable`,
            send: (id) => client.post(at(id), body(exampleOf(operation)), key),
          });
        }
      }
    }
    for (const client of [node().client, theirs]) {
      for (const of of [kind, 'listing-stats']) {
        found.push({ name: `events of ${of}`, send: (id) => client.get(`/api/v1/events?resource=${of}/${id}`) });
        found.push({ name: `state of ${of}`, send: (id) => client.get(`/api/v1/machines/${of}/${id}/state`) });
      }
      found.push({ name: 'words', send: (id) => client.get(`/api/v1/markets/search?q=${id.slice(4)}`) });
      found.push({
        name: 'private ones',
        send: (id) => client.get(`/api/v1/markets/search?visibility=private,public&q=${id.slice(4)}`),
      });
    }
    return found;
  }

  /** Headers that may differ between any two requests. */
  const volatile = ['date', 'x-request-id', 'ratelimit', 'ratelimit-policy', 'keep-alive', 'connection', 'etag'];

  /** The reply as seen by a caller who does not know the id: the id's position remains, its letters don't. */
  function seen({ status, headers, text }: Reply, id: string): unknown {
    const plain = text
      .replaceAll(id, 'ID')
      .replaceAll(id.slice(4), 'ID')
      .replace(/"requestId":"[^"]*"/, '');
    const shown = Object.fromEntries(Object.entries(headers).filter(([name]) => !volatile.includes(name)));
    return {
      status,
      text: plain,
      headers: { ...shown, 'content-length': undefined },
      tagged: headers.etag !== undefined,
    };
  }

  for (const kind of listingKinds) {
    it(`${kind}: each route answers about one as about an unknown id`, async () => {
      const id = `lst-hidden-${kind.slice(0, 4)}`;
      const path = `/api/v1/markets/${markets[kind]}`;
      const example = exampleOf({ method: 'POST', path, said: document.paths[path].post });
      const fields = { ...example, listingId: id, title: id.slice(4), visibility: 'private' };
      expectStatus(await seller.write(path, fields), 201);
      const all = probes(kind);
      expect(all.length, 'requests').to.be.above(50);
      for (const { name, send } of all) {
        const [hidden, unknown] = [await send(id), await send(absent(id))];
        expect(seen(hidden, id), name).to.deep.equal(seen(unknown, absent(id)));
      }
    });
  }

  it('is not published by who prepares it as its seller without a proof, and tells them nothing of it', async () => {
    const listing = await publishes(seller, { title: 'a quiet wombat', visibility: 'private' });
    const path = `${infoPath}/${listing.listingId}/actions/update`;
    const asked = { did: seller.did, prepare: true };
    for (const said of [{ visibility: 'public' }, { title: 'another title' }])
      expectProblem(await node().client.post(path, { ...asked, ...said }), 'LISTING_NOT_FOUND');
    const proven = await node().keyed({ scope: 'write', did: seller.did });
    const { prepared } = expectStatus(await proven.post(path, { ...asked, visibility: 'public' }));
    expect(JSON.stringify(prepared)).to.include('a quiet wombat');
  });

  /** A stream of a listing's entries. @returns what it has sent so far */
  async function streamed(id: string, reader: Person): Promise<() => string> {
    const { key } = await node().key({ scope: 'read', did: reader.did });
    const url = `${node().url}/api/v1/events/stream?after=0&resource=info-listing/${id}`;
    let text = '';
    http.get(url, { agent: false, headers: { 'X-Api-Key': key } }, (reply) => {
      streams.push(reply);
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    });
    await until('it is open', () => text.includes(': open'));
    return () => text;
  }
  const streams: http.IncomingMessage[] = [];

  it('a stream of its entries says nothing either, but to its owner', async () => {
    await publishes(seller, { visibility: 'private', listingId: 'lst-hidden-stream' });
    const [visible, hidden, unknown] = await Promise.all([
      streamed('lst-hidden-stream', seller),
      streamed('lst-hidden-stream', stranger),
      streamed('lst-absent-stream', stranger),
    ]);
    await until('its owner sees it', () => visible().includes('listing.published'));
    // Longer than the others would take.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(hidden()).to.equal(unknown());
    for (const each of streams) each.destroy();
  });

  it('its owner sees it, and a request that was accepted before is answered again', async () => {
    const listing = await publishes(seller);
    const key = { 'Idempotency-Key': 'bought-before-it-was-hidden' };
    const body = { ...stranger.signed };
    const path = `${infoPath}/${listing.listingId}/actions/purchase`;
    const bought = expectStatus(await node().client.post(path, body, key), 201);
    stranger.nonce += 1;
    expectStatus(await onListing(seller, listing, 'update', { visibility: 'private' }));
    const again = await node().client.post(path, body, key);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(expectStatus(again, 201).orderId).to.equal(bought.orderId);
    expectProblem(await onListing(stranger, listing, 'purchase'), 'LISTING_NOT_FOUND');

    expectProblem(await onListing(seller, listing, 'purchase'), 'FORBIDDEN');
    expectProblem(await onListing(seller, listing, 'update', { nonce: 1 }), 'CONFLICT');
    expectProblem(await onListing(seller, listing, 'resume'), 'LISTING_NOT_ACTIVE');
    const own = await node().keyed({ scope: 'read', did: seller.did });
    const resource = `info-listing/${listing.listingId}`;
    expect(expectStatus(await own.get(`/api/v1/events?resource=${resource}`)).events).to.have.length(2);
    expect(expectStatus(await node().client.get(`/api/v1/events?resource=${resource}`)).events).to.deep.equal([]);
  });
});
