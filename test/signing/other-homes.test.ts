/** Who keeps their key acts at other homes (docs/signing.md#other-homes): there, and nowhere else, whatever they are told. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Client, type ClientOptions } from '../../packages/client/src/client.js';
import { realEnvironment } from '../../packages/client/src/environment.js';
import { ApiError, SigningError, UnreachableError } from '../../packages/client/src/errors.js';
import { Http } from '../../packages/client/src/http.js';
import { actions } from '../../packages/client/src/signing/actions.js';
import { type HeldKey, keys } from '../../packages/client/src/signing/key.js';
import type { KeyCredentials, SignedWrite } from '../../packages/client/src/signing/key-writes.js';
import { UnexpectedPayload } from '../../packages/client/src/signing/prepared.js';
import { Writes } from '../../packages/client/src/writes.js';
import { addressOf } from '../../src/core/codecs/address.js';
import type { Did } from '../../src/core/codecs/did.js';
import { type SeedSigner, signerOf } from '../../src/keys/signing.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { jcs } from '../node/support/independent.js';
import { seedIn } from '../node/support/kdf.js';
import { nodePassphrase } from '../node/support/node.js';
import { acquaint, discard, Home } from '../peers/nodes/network.js';
import { until } from '../support/until.js';

interface Sent {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Body | undefined;
}
/** Changes what is answered; undefined: as it is. Throws for a broken connection. */
type Lie = (sent: Sent, answer: () => Promise<Response>) => Promise<Response> | undefined;

/** The home that a proof of who reads is for. */
const readerHome = ({ 'svc-reader': proof }: Sent['headers']): unknown =>
  proof && JSON.parse(Buffer.from(proof.split('.')[1]!, 'base64url').toString()).home;

/** What another home answers, as to a reader without a DID. */
function passed({ url, headers, body }: Sent, root: string, { node }: Home): Promise<Response> {
  const { 'svc-reader': _, ...others } = headers;
  const what = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  return fetch(url.replace(root, node.url), { ...what, headers: others });
}

const json = (body: Body, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

describe('Who keeps their key, between homes', () => {
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  let key: HeldKey;
  let signatures: number;
  let sent: Sent[];
  let lie: Lie | undefined;
  let kept: SignedWrite[];
  /** At home at b. */
  let ben: Client;

  before(async () => {
    homes = [await Home.start(), await Home.start(), await Home.start()];
    [a, b, c] = homes as [Home, Home, Home];
    await acquaint(homes);
  });
  after(() => discard(homes));

  beforeEach(async () => {
    const held = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
    const sign: HeldKey['sign'] = (message) => {
      if (!Buffer.from(message).toString().startsWith('svc:reader:')) signatures += 1;
      return held.sign(message);
    };
    key = { ...held, sign };
    [signatures, sent, lie, kept] = [0, [], undefined, []];
    ben = clientAt(b, { key: (await b.node.key({ scope: 'write' })).key });
  });

  const clientAt = (home: Home, more: Partial<ClientOptions> = {}): Client =>
    new Client({
      url: home.node.url,
      signer: {
        ...{ key, home: home.did },
        outbox: {
          put: async (write) => void kept.push(write),
          drop: async ({ event }) => {
            kept = kept.filter((each) => each.event.hash !== event.hash);
          },
        },
      },
      environment: { wait: async () => {}, now: () => a.node.world.now() },
      fetch: async (url, init) => {
        const asked = {
          url,
          headers: Object.fromEntries(new Headers(init.headers)),
          body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
        };
        sent.push(asked);
        const answer = () => fetch(url, init);
        return (await lie?.(asked, answer)) ?? answer();
      },
      ...more,
    });
  const failure = (asked: Promise<unknown>): Promise<Body> =>
    asked.then(
      () => expect.fail('it was accepted'),
      (error: unknown) => error,
    );
  const walletAt = async (home: Home, did = key.did): Promise<Body> =>
    expectStatus(await home.node.client.get(`/api/v1/wallets/${did}`));
  const isAt = ({ url }: Sent, home: Home) => url.startsWith(home.node.url);
  /** A listing of somebody at a, as a search at b has found it. */
  const found = async (price = 12): Promise<Body> => {
    const seller = await a.node.person();
    const title = `Rain of ${seller.did.slice(-8)}`;
    const body = { ...infoListing.create.example, title, pricing: { fixedPrice: price } };
    const { listingId } = expectStatus(await seller.write('/api/v1/markets/info', body), 201);
    const { listings } = await until('it is found at b', () => ben.search.info({ keyword: seller.did.slice(-8) }), {
      is: ({ listings }) => listings.length > 0,
    });
    expect(listings[0]).to.include({ id: listingId, home: a.did });
    return listings[0]!;
  };

  it('buy where a listing lives, with Tokens that they have there', async () => {
    const listing = await found();
    const { listingId } = listing;
    await b.node.fund(key, 100);
    const refused = await failure(ben.infoOrders.create({ listingId }));
    expect(refused).to.be.instanceOf(ApiError).and.include({ refusal: 'UNPROCESSABLE' });
    expect(refused.problem).to.include({ home: a.did });
    const there = await ben.at(listing);
    const poor = await failure(there.infoOrders.create({ listingId }));
    expect(poor).to.include({ refusal: 'INSUFFICIENT_BALANCE', at: a.did });
    expect(poor.message).to.include(`(at ${a.did}, where Tokens of other homes do not count)`);
    expect(signatures, 'signatures').to.equal(0);
    await a.node.fund(key, 50);
    const order = await there.infoOrders.create({ listingId }, { most: 12 });
    expect(order).to.include({ buyer: key.did, status: 'paid' });
    expect(await there.infoOrders.get(order.id)).to.include({ id: order.id });
    expect(await walletAt(a)).to.include({ available: 38, nextNonce: 2 });
    expect(await walletAt(b)).to.include({ available: 100, nextNonce: 1 });
    expect(await ben.at({})).to.equal(ben);
    expect((await ben.at(b.did)).did).to.equal(key.did);
  });

  it('go there without being told, if they have accepted that home', async () => {
    const listing = await found();
    const { listingId } = listing;
    await a.node.fund(key, 50);
    const as = (homes: KeyCredentials['homes']) => ben.as({ key, home: b.did, ...(homes && { homes }) });
    for (const homes of [undefined, [], [c.did]]) {
      for (const id of [listingId, `${listingId}~${a.did}`]) {
        const refused = await failure(as(homes).infoOrders.create({ listingId: id }));
        expect(refused.message).to.include(`at('${a.did}')`).and.include('homes');
      }
    }
    expect(signatures, 'signatures').to.equal(0);
    const accepting = as([a.did]);
    const order = (await accepting.infoOrders.create({ listingId }, { most: 12 })) as Body;
    expect(order).to.include({ buyer: key.did, status: 'paid', home: a.did });
    const disputed = (await accepting.infoOrders.dispute(order as never, { reason: 'quality' } as never)) as Body;
    expect(disputed).to.include({ home: a.did });
    const other = (await as('any').infoOrders.create({ listingId: `${listingId}~${a.did}` }, { most: 12 })) as Body;
    expect(other).to.include({ status: 'paid', home: a.did });
    expect(await walletAt(a)).to.include({ available: 26, nextNonce: 4 });
    expect(await walletAt(b)).to.include({ nextNonce: 1 });
    const elsewhere = new Set(sent.filter(({ body }) => body?.event).map(({ url }) => isAt({ url } as Sent, a)));
    expect([...elsewhere]).to.deep.equal([true]);
  });

  it('go there once their own node knows the way again', async () => {
    const { listingId } = await found();
    await a.node.fund(key, 50);
    const accepting = ben.as({ key, home: b.did, homes: [a.did] });
    const buy = () => accepting.infoOrders.create({ listingId: `${listingId}~${a.did}` }, { most: 12 });
    lie = ({ url }) =>
      url.includes('/homes/')
        ? Promise.resolve(json({ error: { code: 'NOT_FOUND', message: '' }, code: 'NOT_FOUND', detail: 'no' }, 404))
        : undefined;
    for (let tries = 0; tries < 2; tries++) expect((await failure(buy())).refusal).to.equal('NOT_FOUND');
    lie = undefined;
    expect(await buy()).to.include({ status: 'paid' });
  });

  it('open there what they have bought there, by its id', async () => {
    const seller = a.node;
    const content = { format: 'text/plain', data: 'Rain fell.' };
    const owner = await seller.person();
    const body = { ...infoListing.create.example, content };
    const { listingId } = expectStatus(await owner.write('/api/v1/markets/info', body), 201);
    await a.node.fund(key, 50);
    const accepting = ben.as({ key, home: b.did, homes: [a.did] });
    const { orderId } = (await accepting.infoOrders.create({ listingId: `${listingId}~${a.did}` })) as Body;
    expectStatus(await owner.write(`/api/v1/markets/info/${listingId}/actions/deliver`, { orderId }));
    expect((await accepting.information.open(`${orderId}~${a.did}`)).content).to.equal('Rain fell.');
    expect(await failure(ben.information.open(`${orderId}~${a.did}`))).to.be.instanceOf(ApiError);
  });

  it('go there with every action of every kind', async () => {
    const credentials = { key, home: b.did, homes: [a.did] };
    const environment = {
      ...realEnvironment,
      fetch: async (url: string, init: RequestInit) => {
        if (init.method !== 'POST') return fetch(url, init);
        sent.push({ url, headers: {}, body: JSON.parse(String(init.body)) });
        return json({ error: { code: 'CONFLICT', message: '' }, code: 'UNPROCESSABLE', detail: 'it is here' }, 422);
      },
    };
    const http = new Http({ url: b.node.url, readTimeoutMs: 5_000, writeTimeoutMs: 5_000, environment });
    const writes = new Writes(http, credentials);
    const kinds = new Set<string>();
    for (const [template, rows] of Object.entries(actions)) {
      for (const { kind, action, id = '', prefix = '' } of rows) {
        const names = [...template.matchAll(/:(\w+)/g)].map(([, name]) => name!);
        const named = names.includes(id) ? id : names[0];
        if (named === undefined || ['did', 'address'].includes(named)) continue;
        const path = (spelled: string) =>
          template.replace(/:(\w+)/g, (_, name: string) =>
            encodeURIComponent(
              name === named ? `${name === id ? prefix : ''}1${spelled}` : `${name === id ? prefix : ''}2`,
            ),
          );
        sent = [];
        await failure(writes.signed(path(`~${a.did}`), { termsHash: 'ab', orderId: `${prefix}2` }));
        expect(
          sent.map(({ url }) => url),
          `${kind}.${action}`,
        ).to.deep.equal([`${a.node.url}/api/v1${path('')}`]);
        kinds.add(kind);
      }
    }
    expect([...kinds]).to.include.members([
      'escrow',
      'contract',
      'lease',
      'bid',
      'task-order',
      'info-order',
      'dispute',
    ]);
  });

  it('have nonces and a chain of events at each home, and one of them only at each', async () => {
    const { did } = await a.node.person();
    for (const home of homes) await home.node.fund(key, 100);
    const at = [await ben.at(a.did), ben, await ben.at(c.did), await ben.at(a.did)];
    const paid = (client: Client) => client.wallets.transfer({ to: did, amount: 1 });
    await Promise.all(at.flatMap((client) => [paid(client), paid(client), paid(client)]));
    await paid(await at[2]!.at(a.did));
    for (const [home, count] of [
      [a, 7],
      [b, 3],
      [c, 3],
    ] as const)
      expect(await walletAt(home)).to.include({ available: 100 - count, nextNonce: count + 1 });
    // What was signed there is known: no event before has to be looked up.
    expect(sent.filter(({ url }) => /events\/[0-9a-f]{64}$/.test(url))).to.deep.equal([]);
    expect(kept).to.deep.equal([]);
  });

  it('show no home what is for another: no API key, and no passphrase', async () => {
    await a.node.fund(key, 10);
    const secret = (await a.node.key({ scope: 'write' })).key;
    for (const keyOfA of [undefined, secret]) {
      sent = [];
      const there = await ben.at(a.did, keyOfA === undefined ? {} : { key: keyOfA });
      await there.wallets.transfer({ to: b.did, amount: 1 });
      await there.information.content('lst-none').catch(() => {});
      const [own, others] = [sent.filter((each) => isAt(each, b)), sent.filter((each) => isAt(each, a))];
      expect(new Set(own.map(({ headers }) => headers['x-api-key'])).size).to.equal(1);
      expect(new Set(others.map(({ headers }) => headers['x-api-key']))).to.deep.equal(new Set([keyOfA]));
      expect(own.length + others.length).to.equal(sent.length);
      for (const [home, asked] of [
        [a, others],
        [b, own],
      ] as const)
        for (const { headers } of asked) expect([undefined, home.did]).to.include(readerHome(headers));
      expect(others.map(({ headers }) => readerHome(headers))).to.include(a.did);
    }
    sent = [];
    const passphrase = 'correct horse battery staple';
    const there = await ben.as({ did: key.did, passphrase }).at(a.did);
    await failure(there.wallets.transfer({ to: b.did, amount: 1 }));
    const secrets = sent.filter(({ body }) => JSON.stringify(body ?? '').includes(passphrase));
    expect(secrets.map((each) => [isAt(each, b), each.body?.home])).to.deep.equal([[true, a.did]]);
  });

  it('read at a home as its party, and at their own node what anyone sees of it', async () => {
    const { did } = await a.node.person();
    const there = await ben.at(a.did);
    const { contractId } = await there.contracts.create({ provider: did, terms: { scope: 'a logo' } } as never);
    const shown: Body = await there.contracts.get(contractId);
    expect(shown.terms).to.deep.include({ scope: 'a logo' });
    expect(shown.permittedActions).to.have.property('client');
    for (const anyone of [await ben.contracts.get(`${contractId}~${a.did}`), await a.get(`/contracts/${contractId}`)])
      expect(JSON.stringify(anyone)).not.to.contain('a logo');
  });

  it('learn from their own home where another one is, as that one says', async () => {
    const seen = await ben.node.home(a.did);
    expect(seen).to.include({ home: a.did, network: 'devnet', url: a.node.url });
    expect(await ben.node.home(b.did)).to.include({ home: b.did, network: 'devnet', url: b.node.url });
    const strange = (await a.node.person()).did;
    expect(await failure(ben.node.home(strange))).to.include({ refusal: 'NOT_FOUND' });
    expect(await failure(ben.at(strange))).to.include({ refusal: 'NOT_FOUND' });
    expect(await failure(ben.at(`${a.did}~${c.did}`))).to.include({ status: 404 });
  });

  describe('and are lied to', () => {
    const signsNone = async (asked: Promise<unknown>, kind: new (...given: never[]) => Error, path?: string) => {
      const error = await failure(asked);
      expect(error, String(error)).to.be.instanceOf(kind);
      if (path !== undefined) expect(error.paths).to.include(path);
      expect(signatures, 'signatures').to.equal(0);
      return error;
    };
    /** Says where a is, with its signature. */
    const stating =
      (url: unknown, more: Body = {}, sealed: Body = {}): Lie =>
      (asked) => {
        if (!asked.url.endsWith(`/homes/${encodeURIComponent(a.did)}`)) return undefined;
        const stated = { home: a.did, network: 'devnet', time: a.node.world.now(), url, ...more };
        const sig = keyOfA.sign(`svc:home:v1:${jcs(stated)}`);
        return Promise.resolve(json({ ...stated, sig, ...sealed }));
      };
    let keyOfA: SeedSigner;
    before(async () => {
      keyOfA = signerOf(await seedIn(a.node.dir, addressOf(a.did as Did), nodePassphrase));
    });
    /** Changes what the home's status says. */
    const calling =
      (change: Body): Lie =>
      (asked, answer) =>
        isAt(asked, a) && asked.url.endsWith('/node')
          ? answer().then(async (response) => json({ ...((await response.json()) as Body), ...change }))
          : undefined;
    const preparing =
      (change: (event: Body) => void): Lie =>
      (asked, answer) =>
        asked.body?.prepare
          ? answer().then(async (response) => {
              const whole = (await response.json()) as Body;
              change(whole.prepared);
              return json(whole);
            })
          : undefined;

    it('sign nothing where another home answers than the one they have named', async () => {
      for (const url of [c.node.url, b.node.url]) {
        lie = stating(url);
        await signsNone(ben.at(a.did), SigningError);
        lie = undefined;
        await signsNone(ben.at(a.did, { url }), SigningError);
      }
      expect(sent.filter(({ url, body }) => body || !/\/(node|homes\/.*)$/.test(url))).to.deep.equal([]);
    });

    it('are not sent on by the home that they were sent to', async () => {
      const sentOn = (home: string) =>
        json({ error: { code: 'VALIDATION', message: '' }, code: 'UNPROCESSABLE', detail: 'it is there', home }, 422);
      lie = (asked) => (asked.body ? Promise.resolve(sentOn(isAt(asked, a) ? c.did : a.did)) : undefined);
      const accepting = ben.as({ key, home: b.did, homes: 'any' });
      await signsNone(accepting.infoOrders.create({ listingId: 'lst-1' }), ApiError);
      expect(sent.filter(({ body }) => body).map((each) => isAt(each, a))).to.deep.equal([false, true]);
    });

    it('prove nothing to their own node where it calls itself by the name of another', async () => {
      lie = (asked, answer) =>
        asked.url.endsWith('/node')
          ? answer().then(async (shown) => json({ ...(await shown.json()), home: a.did }))
          : undefined;
      await signsNone(ben.at(a.did), SigningError);
      expect(sent.filter(({ headers }) => readerHome(headers) !== undefined)).to.deep.equal([]);
    });

    it('follow no address that a home may not name', async () => {
      const other = a.node.url.replace('127.0.0.1', 'a.example');
      const odd = [other, `${a.node.url}?x=1`, `${a.node.url}#x`, a.node.url.replace('//', '//ada@'), 'nowhere'];
      const more = ['javascript:alert(1)', 'file:///etc/passwd', 'http://127.evil.example', 7, null, undefined];
      for (const url of [...odd, ...more]) {
        lie = stating(url);
        await signsNone(ben.at(a.did), SigningError);
      }
      expect(sent.filter((each) => !isAt(each, b))).to.deep.equal([]);
      // An https address is asked.
      lie = (asked, answer) =>
        asked.url.startsWith('https:')
          ? Promise.reject(new Error('no such host'))
          : stating('https://a.example')(asked, answer);
      await signsNone(ben.at(a.did), UnreachableError);
    });

    it('follow no address that the home has not signed, for now and for their network', async () => {
      const { url } = c.node;
      const { sig } = await ben.node.home(c.did);
      const forged: readonly Body[] = [{ sig: undefined }, { sig }, { sig: 7 }, { url }, { time: undefined }];
      for (const sealed of forged) {
        lie = stating(a.node.url, {}, sealed);
        await signsNone(ben.at(a.did), SigningError);
      }
      const now = a.node.world.now();
      for (const more of [{ home: c.did }, { network: 'testnet' }, { time: now - 660_000 }, { time: now + 660_000 }]) {
        lie = stating(a.node.url, more);
        await signsNone(ben.at(a.did), SigningError);
      }
      expect(sent.filter((each) => !isAt(each, b))).to.deep.equal([]);
      lie = stating(a.node.url);
      await ben.at(a.did);
    });

    it('follow no http address from a node that is not on this machine', async () => {
      lie = (asked) =>
        asked.url.startsWith('http://far.example') ? passed(asked, 'http://far.example', b) : undefined;
      const far = clientAt(b, { url: 'http://far.example' });
      await signsNone(far.at(a.did), SigningError);
      expect((await far.at(a.did, { url: a.node.url })).did).to.equal(key.did);
    });

    it('sign nothing for a home on another network', async () => {
      lie = calling({ network: 'testnet' });
      await signsNone(ben.at(a.did), SigningError);
      lie = calling({ home: c.did });
      await signsNone(ben.at(a.did), SigningError);
    });

    it('sign nothing that is for another home or network', async () => {
      await a.node.fund(key, 10);
      await b.node.fund(key, 10);
      const there = await ben.at(a.did);
      const pay = () => there.wallets.transfer({ to: c.did, amount: 1 });
      for (const home of [b.did, c.did]) {
        lie = preparing(({ event }) => Object.assign(event, { home }));
        await signsNone(pay(), UnexpectedPayload, 'event.home');
      }
      lie = preparing(({ event }) => Object.assign(event, { network: 'mainnet' }));
      // Another node that passes on what b prepares: the whole write is right but for its home.
      // Another node that passes on what b prepares: the whole write is right but for its home.
      lie = (asked) => (isAt(asked, a) ? passed(asked, a.node.url, b) : undefined);
      await signsNone(pay(), UnexpectedPayload, 'event.home');
      lie = undefined;
      await pay();
      expect(signatures).to.equal(1);
      expect(await walletAt(b)).to.include({ available: 10, nextNonce: 1 });
    });

    it('sign nothing after an event of theirs at another home', async () => {
      for (const home of [a, b]) await home.node.fund(key, 10);
      const { eventHash } = await ben.wallets.transfer({ to: c.did, amount: 1 });
      const entry = await b.get(`/events/${eventHash}`);
      signatures = 0;
      const there = await clientAt(b).at(a.did);
      lie = (asked, answer) => {
        if (asked.url.endsWith(eventHash)) return Promise.resolve(json(entry));
        return preparing(({ event }) => Object.assign(event, { nonce: 2, prev: eventHash }))(asked, answer);
      };
      await signsNone(there.wallets.transfer({ to: c.did, amount: 1 }), UnexpectedPayload, 'event.prev');
    });

    it('sign texts inside a payload for the home where they are', async () => {
      const { did } = await a.node.person();
      const there = await ben.at(a.did);
      const { contractId, termsHash } = await there.contracts.create({
        provider: did,
        terms: { scope: 'a logo' },
      } as never);
      signatures = 0;
      const message = Buffer.from(`svc:contract:v2:devnet:${b.did}:${contractId}:${termsHash}`).toString('hex');
      lie = preparing((prepared) => Object.assign(prepared.signs[0], { message }));
      await signsNone(there.contracts.sign(contractId, { termsHash }), UnexpectedPayload, 'signs');
      lie = undefined;
      expect((await there.contracts.sign(contractId, { termsHash })).signatures).to.have.lengthOf(1);
    });

    it('are led nowhere by a redirect', async () => {
      const server = createServer((request, response) => {
        response.writeHead(307, { Location: `${a.node.url}${request.url}` }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        await signsNone(ben.at(a.did, { url }), UnreachableError);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    it('buy nothing at a home that a card names wrongly', async () => {
      const listing = await found();
      await c.node.fund(key, 100);
      const there = await ben.at({ ...listing, home: c.did });
      const { listingId } = listing;
      const error = await signsNone(there.infoOrders.create({ listingId }), ApiError);
      expect(error.problem).to.include({ home: a.did });
      expect(error.at).to.equal(c.did);
    });
  });

  it('pay once where the reply is lost, and find the write again by its home', async () => {
    const { did } = await a.node.person();
    await a.node.fund(key, 10);
    const there = await ben.at(a.did);
    const pay = () => there.wallets.transfer({ to: did, amount: 2 });
    let broken = 2;
    lie = (asked, answer) =>
      asked.url.endsWith('/events') && broken-- > 0
        ? answer().then(() => Promise.reject(new Error('broken off')))
        : undefined;
    await pay();
    expect([signatures, kept.length, (await walletAt(a, did)).available]).to.deep.equal([1, 0, 2]);
    lie = (asked, answer) =>
      asked.url.endsWith('/events') ? answer().then(() => Promise.reject(new Error('broken off'))) : undefined;
    const { write } = await failure(pay());
    expect(kept).to.deep.equal([write]);
    expect(write.event.home).to.equal(a.did);
    lie = undefined;
    // A refusal of another home would say nothing about it.
    for (const other of [ben, clientAt(b), await ben.at(c.did)])
      expect(await failure(other.events.submit(write))).to.be.instanceOf(SigningError);
    expect(kept).to.deep.equal([write]);
    const reply = await (await ben.at(write.event.home)).events.submit<Body>(write);
    expect(reply).to.include({ eventHash: write.event.hash });
    expect((await walletAt(a, did)).available).to.equal(4);
    expect(kept).to.deep.equal([]);
  });
});
