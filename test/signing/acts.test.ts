/**
 * What a node sends to another home for keys that it keeps (docs/reference/other-homes.md#acts): once, whatever gets lost, and
 * signed for nothing that its caller did not ask for.
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { realEnvironment } from '../../packages/client/src/environment.js';
import { ApiError, UnreachableError } from '../../packages/client/src/errors.js';
import type { Http } from '../../packages/client/src/http.js';
import { completed } from '../../packages/client/src/signing/completed.js';
import { agreementKeyOf } from '../../packages/client/src/signing/key.js';
import { UnexpectedPayload } from '../../packages/client/src/signing/prepared.js';
import { actBounds } from '../../src/core/bounds.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { createLog } from '../../src/core/log.js';
import { isRefusal, type Refusal, refuse } from '../../src/core/refusal.js';
import { Acts, heldKeyOf } from '../../src/http/context/acts.js';
import { type SeedSigner, signerOf } from '../../src/keys/signing.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import type { ForeignViews, HomeView, SentFor } from '../../src/peers/views/foreign-views.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { until } from '../support/until.js';

interface SentThere extends SentFor {
  readonly path: string;
}
/** Answers in the home's place, or from what it answers. */
type Wire = (sent: SentThere, there: () => Promise<HomeView>) => Promise<HomeView | Refusal>;

const capability = {
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential', 'CapabilityCredential'],
  credentialSubject: { capability: 'translation' },
};

const away = refuse('SERVICE_UNAVAILABLE', 'the home has not answered');

describe('A node that acts at another home', () => {
  let home: TestNode;
  let store: MemoryStore;
  let acts: Acts;
  let key: SeedSigner;
  let payee: string;
  let wire: Wire;
  let sent: SentThere[];

  before(async () => {
    home = await TestNode.start();
  });
  after(() => home.discard());
  beforeEach(async () => {
    store = new MemoryStore();
    [key, payee] = [signerOf(randomBytes(32)), signerOf(randomBytes(32)).did];
    [wire, sent] = [(_, there) => there(), []];
    acts = begin();
    await home.fund(key, 100);
  });
  afterEach(() => acts.close());

  /** As a process that starts with this store. */
  const begin = (): Acts => {
    const views: ForeignViews = { ask, followed: () => undefined };
    const log = createLog({ level: 'silent' });
    return new Acts({
      ...{ store, world: home.world, views, log },
      network: 'devnet',
      nodeDid: key.did,
      networkArbiter: undefined,
    });
  };
  const ask: ForeignViews['ask'] = (_, path, signal, more = {}) => {
    const asked = { path, ...more };
    sent.push(asked);
    const ended = new Promise<Refusal>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
    return Promise.race([ended, wire(asked, () => answered(asked))]);
  };
  const answered = async ({ path, reader, body }: SentThere): Promise<HomeView> => {
    const headers = reader ? { 'Svc-Reader': reader } : {};
    const url = `/api/v1${path}`;
    const reply = await (body ? home.client.post(url, body, headers) : home.client.get(url, headers));
    return { status: reply.status, body: reply.body };
  };
  const pay = (amount: number, nonce: number, more: Body = {}) =>
    acts.act({
      home: home.did,
      signer: key,
      path: '/transfers',
      body: { to: payee, amount },
      options: { nonce, ...more },
    });
  const balanceOf = async (did: string): Promise<number> =>
    (await home.client.get(`/api/v1/wallets/${did}`)).body.available;
  const isSubmission = ({ path }: SentThere) => path === '/events';
  const failed = <T extends Error>(outcome: Promise<unknown>, kind: new (...given: never[]) => T): Promise<T> =>
    outcome.then(
      (reply) => expect.fail(`it was done: ${JSON.stringify(reply)}`),
      (error) => (error instanceof kind ? error : expect.fail(String(error))),
    );

  it('sends what it has signed again until the home answers, also after a restart, and it is done once', async () => {
    for (const isLost of ['the request', 'the reply']) {
      wire = async (asked, there) => {
        if (!isSubmission(asked)) return there();
        if (isLost === 'the reply') await there();
        return away;
      };
      const before = await balanceOf(payee);
      const nonce = (await home.client.get(`/api/v1/wallets/${key.did}`)).body.nextNonce;
      const error = await failed(pay(5, nonce), UnreachableError);
      expect(error).to.have.nested.property('write.event.nonce', nonce);
      await acts.close();
      wire = (_, there) => there();
      acts = begin();
      acts.start();
      await until('nothing is open', () => store.listLocal('open-acts'), { is: ({ length }) => length === 0 });
      expect(await balanceOf(payee), isLost).to.equal(before + 5);
    }
  });

  it('sends the same event for the same request, and the home’s reply comes', async () => {
    wire = async (asked, there) => {
      const answer = await there();
      return isSubmission(asked) ? away : answer;
    };
    await failed(pay(5, 1), UnreachableError);
    wire = (_, there) => there();
    const replies = [await pay(5, 1), await pay(5, 1)] as JsonObject[];
    expect(new Set(replies.map(({ eventHash }) => eventHash)).size).to.equal(1);
    expect(await balanceOf(payee)).to.equal(5);
    // Another one with this nonce is another request.
    const { problem } = await failed(pay(6, 1), ApiError);
    expect(problem).to.include({ code: 'CONFLICT', nextNonce: 2 });
  });

  it('does no request twice that is repeated after later ones, and says what it has made', async () => {
    const { eventHash } = (await pay(5, 1)) as JsonObject;
    await pay(1, 2);
    const again = (await pay(5, 1)) as Refusal;
    expect(isRefusal(again) && { code: again.code, ...again.extras }).to.deep.equal({
      ...{ code: 'CONFLICT', eventHash, nonce: 1, committed: true },
    });
    expect((await failed(pay(6, 1), ApiError)).problem, 'another request').to.include({ nextNonce: 3 });
    expect(await balanceOf(payee)).to.equal(6);
  });

  it('does none twice either whose reply was lost, and that it has sent again by itself', async () => {
    wire = async (asked, there) => {
      const answer = await there();
      return isSubmission(asked) ? away : answer;
    };
    await failed(pay(5, 1), UnreachableError);
    wire = (_, there) => there();
    await acts.close();
    acts = begin();
    acts.start();
    await until('nothing is open', () => store.listLocal('open-acts'), { is: ({ length }) => length === 0 });
    await pay(1, 2);
    const again = (await pay(5, 1)) as Refusal;
    expect(isRefusal(again) && again.extras).to.include({ nonce: 1, committed: true });
    expect(await balanceOf(payee)).to.equal(6);
  });

  it('does not tell the next nonce to who states one of long ago: it may be the same request', async () => {
    await home.fund(key, 100);
    for (let nonce = 1; nonce <= 102; nonce++) await pay(1, nonce);
    const old = (await pay(1, 1)) as Refusal;
    expect(isRefusal(old) && [old.code, old.extras.nextNonce, old.extras.committed]).to.deep.equal([
      ...['CONFLICT', undefined, undefined],
    ]);
    expect(await balanceOf(payee)).to.equal(102);
  });

  it('sends to one home while another answers nothing', async () => {
    wire = async (asked, there) => (isSubmission(asked) ? away : there());
    await failed(pay(5, 1), UnreachableError);
    const [own] = await store.listLocal('acts');
    const { id, value } = own!;
    const names = ['did:svc:z6MA', 'did:svc:z6Mz'].map((another) => id.replace(home.did, another));
    for (const name of names) {
      const write = { ...(value.write as Body), event: { ...(value.write as Body).event, home: name.split(' ')[1] } };
      await store.putLocal('acts', name, { ...value, write }, 0);
      await store.putLocal('open-acts', name, {}, 0);
    }
    await acts.close();
    // The other homes never answer, and come before and after it.
    wire = (asked, there) =>
      (asked.body as Body).event?.home === home.did ? there() : new Promise<HomeView | Refusal>(() => {});
    acts = begin();
    acts.start();
    await until('it is sent', () => balanceOf(payee), { is: (balance) => balance === 5 });
  });

  it('signs nothing after an act whose fate it does not know, until it knows it', async () => {
    wire = async (asked, there) => (isSubmission(asked) ? away : there());
    await failed(pay(5, 1), UnreachableError);
    sent = [];
    await failed(pay(6, 2), UnreachableError);
    expect(sent.filter(({ path }) => path === '/transfers')).to.deep.equal([]);
    wire = (_, there) => there();
    await pay(6, 2);
    expect(await balanceOf(payee)).to.equal(11);
  });

  it('does not build on an event that the home said it refuses, in this process or the next', async () => {
    wire = async (asked, there) => {
      if (!isSubmission(asked)) return there();
      await there();
      return { status: 409, body: { code: 'CONFLICT', detail: 'it is refused' } };
    };
    await failed(pay(5, 1), ApiError);
    wire = (_, there) => there();
    await acts.close();
    acts = begin();
    expect((await failed(pay(5, 2), UnexpectedPayload)).paths).to.deep.equal(['event.prev']);
    expect(await balanceOf(payee)).to.equal(5);
  });

  it('is done where the home has said so, whatever it says later', async () => {
    const { eventHash } = (await pay(5, 1)) as JsonObject;
    wire = async (asked, there) =>
      isSubmission(asked) ? { status: 409, body: { code: 'CONFLICT', detail: 'it is refused' } } : there();
    const again = (await pay(5, 1)) as Refusal;
    expect(isRefusal(again) && again.extras).to.deep.equal({ eventHash, nonce: 1, committed: true });
  });

  it('builds on an event that its home has, though the home would refuse it now', async () => {
    wire = async (asked, there) => {
      const answer = await there();
      return isSubmission(asked) ? away : answer;
    };
    const validUntil = new Date(home.world.now() + 60_000).toISOString();
    const credential = { ...capability, issuer: key.did, validUntil };
    const path = `/identities/${key.did}/capabilities`;
    const act = acts.act({ home: home.did, signer: key, path, body: { credential }, options: { nonce: 1 } });
    await failed(act, UnreachableError);
    home.world.outrun(120_000);
    wire = (_, there) => there();
    await pay(5, 2);
    expect(await balanceOf(payee)).to.equal(5);
  });

  it('seals no key of a listing of another home, which can have the same id', async () => {
    const listing = { ...infoListing.create.example, content: { format: 'text', data: 'rain at four' } };
    const made = acts.act({ home: home.did, signer: key, path: '/markets/info', body: listing, options: { nonce: 1 } });
    const { listingId } = (await made) as Body;
    const at = async (place: string) => {
      const http = {
        options: { environment: realEnvironment },
        get: async (path: string, query: Body) =>
          path === '/events'
            ? (await home.client.get(`/api/v1/events?${new URLSearchParams(query)}`)).body
            : { buyer: payee, buyerPublicKeyHex: agreementKeyOf(payee) },
      } as unknown as Http;
      const action = { kind: 'info-order', action: 'deliver', input: [] };
      const parameters = { listingId, orderId: 'ord-1' };
      const seller = heldKeyOf(key);
      return (await completed({ action, key: seller, http, parameters, body: {}, place: async () => place })).members
        .sealed;
    };
    expect(await at(`v2:devnet:${home.did}`)).to.have.property('keyEnvelope');
    expect(await at(`v2:devnet:${payee}`)).to.deep.equal({});
    expect(await at(`v2:testnet:${home.did}`)).to.deep.equal({});
  });

  const lies: { readonly [lie: string]: (prepared: Body) => void } = {
    'another amount': ({ payload }) => (payload.input.amount += 1),
    'another payee': ({ payload }) => (payload.input.to = home.did),
    'another home': ({ event }) => (event.home = payee),
    'another network': ({ event }) => (event.network = 'mainnet'),
    'another nonce': ({ event }) => (event.nonce = 9),
    'no limit of what it costs': ({ event }) => delete event.most,
    'a text beside it': (prepared) => (prepared.signs = [{ at: '/signature', message: '00' }]),
  };
  for (const [name, lie] of Object.entries(lies)) {
    it(`signs nothing if the home asks for ${name}`, async () => {
      wire = async (asked, there) => {
        const view = await there();
        if (asked.body?.prepare) lie((view.body as Body).prepared);
        return view;
      };
      await failed(pay(5, 1, { most: 5 }), UnexpectedPayload);
      expect(sent.filter(isSubmission)).to.deep.equal([]);
      expect(await store.listLocal('acts')).to.deep.equal([]);
    });
  }

  it('takes no answer with another status than the API has', async () => {
    for (const status of [204, 302, 99, 700, 1.5]) {
      wire = async () => ({ status, body: {} });
      await failed(pay(5, 1), UnreachableError);
    }
  });

  it('ends soon when the node stops, though the home does not answer', async () => {
    const asked = new Promise<void>((resolve) => {
      wire = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const outcome = failed(pay(5, 1), UnreachableError);
    await asked;
    await acts.close();
    expect(String((await outcome).cause)).to.contain('the node stops');
  });

  it('remembers no more than a bounded number of refused events', async () => {
    wire = async (it, there) =>
      isSubmission(it) ? { status: 409, body: { code: 'CONFLICT', detail: 'no' } } : there();
    for (let count = 0; count < 105; count++) await failed(pay(1, 1), ApiError);
    const [record] = await store.listLocal('acts');
    expect(record?.value.refused).to.have.length(100);
  });

  it('lets no more than a bounded number of acts wait', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    wire = (_, there) => released.then(there);
    const all = Array.from({ length: actBounds.waiting + 5 }, () => pay(1, 1).catch(() => 'refused there'));
    const refused = await Promise.race(all.slice(-1));
    expect(isRefusal(refused) && refused.code).to.equal('RATE_LIMITED');
    release();
    const outcomes = await Promise.all(all);
    expect(outcomes.filter(isRefusal)).to.have.length(4);
    expect(await balanceOf(payee)).to.equal(1);
  });
});
