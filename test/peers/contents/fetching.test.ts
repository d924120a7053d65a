/** A home asks another one for a content: what it takes, what it keeps, and what it answers otherwise. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { contentBounds } from '../../../src/core/bounds.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { ContentFetcher } from '../../../src/peers/contents/content-fetcher.js';
import { ContentQueue } from '../../../src/peers/contents/content-queue.js';
import type { PeerConnection, PeerRequestOptions, PeerResponse } from '../../../src/peers/transport/transport.js';
import { PeerError } from '../../../src/peers/transport/transport.js';
import type { Store } from '../../../src/store/store.js';
import { FakeWorld } from '../../world/fake-world.js';

const home = 'did:svc:z6MkhomeOfTheSeller';
const bytes = Buffer.from('a ciphertext');
const hash = createHash('sha256').update(bytes).digest('hex');
const asked = { kind: 'info-order', id: 'ord-1', hash };

type Answer = (path: string, options: PeerRequestOptions) => Promise<PeerResponse> | PeerResponse;
const sending = (content: unknown, status = 200): PeerResponse => ({ status, body: JSON.stringify({ content }) });
const whole = sending(bytes.toString('base64'));

describe('Fetching a content of another home', () => {
  let world: FakeWorld;
  let answer: Answer;
  let requests: string[];
  let kept: Map<string, Uint8Array>;
  let hasRoom: boolean;
  let fetcher: ContentFetcher;
  let queue: ContentQueue;

  const resources: { readonly [ref: string]: object } = {
    'info-order/ord-1': {
      kind: 'info-order',
      id: 'ord-1',
      context: { listingId: 'lst-1', buyer: 'did:b', seller: 'did:s' },
    },
    'info-order/ord-2': {
      kind: 'info-order',
      id: 'ord-2',
      context: { listingId: 'lst-1', buyer: 'did:x', seller: 'did:s' },
    },
    'info-listing/lst-1': {
      ...{ kind: 'info-listing', id: 'lst-1', lastHash: 'e' },
      context: { seller: 'did:s', own: { package: { ciphertextHash: hash } } },
    },
  };

  beforeEach(() => {
    world = new FakeWorld();
    requests = [];
    kept = new Map();
    hasRoom = true;
    answer = () => whole;
    const store = {
      load: async (kind: string, id: string) => resources[`${kind}/${id}`],
      content: async (of: string) => kept.get(of),
      contentPart: async (of: string) => kept.get(of)?.slice(0, 1),
      entryByEvent: async () => ({ entryHash: 'the entry' }),
      keepContent: async (entryHash: string, content: { hash: string; bytes: Uint8Array }) => {
        expect(entryHash).to.equal('the entry');
        kept.set(content.hash, content.bytes);
      },
    } as unknown as Store;
    const connection = {
      async request(_method: string, path: string, options: PeerRequestOptions) {
        requests.push(path);
        return answer(path, options);
      },
    } as unknown as PeerConnection;
    const log = () => {};
    fetcher = new ContentFetcher({
      ...{ world, catalogue, log, hasRoom: () => hasRoom },
      peerAt: (of) => (of === home ? { link: { connection }, store } : undefined),
    });
    queue = new ContentQueue({
      ...{ world, catalogue, log, fetcher, copyOf: () => store },
      isResident: async (did) => did === 'did:b',
    });
  });
  afterEach(async () => {
    await Promise.all([fetcher.close(), queue.close()]);
  });

  const refused = async () => {
    const got = await fetcher.get(home, asked);
    if (!isRefusal(got)) expect.fail('it is refused');
    return got;
  };

  it('asks by the resource that a party has, keeps what its hash names, and asks once', async () => {
    const both = await Promise.all([fetcher.get(home, asked), fetcher.get(home, asked)]);
    for (const got of both) expect(got).to.deep.equal(bytes);
    expect(await fetcher.get(home, asked)).to.deep.equal(bytes);
    expect(requests).to.deep.equal([`/content?kind=info-order&id=ord-1&hash=${hash}`]);
    expect([...kept.keys()]).to.deep.equal([hash]);
  });

  it('bounds bytes and time before it reads', async () => {
    let options: PeerRequestOptions = {};
    answer = (_path, given) => {
      options = given;
      return whole;
    };
    await fetcher.get(home, asked);
    expect(options.maxBytes).to.be.within(contentBounds.bytes * 1.33, contentBounds.bytes * 1.34);
    expect(options.timeoutMs).to.equal(contentBounds.arrivalMs);
  });

  it('keeps nothing of other bytes, and does not ask again for a while', async () => {
    const wrong = [sending(Buffer.from('other').toString('base64')), sending(7), { status: 200, body: '{' }];
    for (const response of [...wrong, sending('', 404)]) {
      answer = () => response;
      expect(await refused()).to.include({ code: 'SERVICE_UNAVAILABLE' });
      const before = requests.length;
      expect(await refused()).to.include({ code: 'SERVICE_UNAVAILABLE' });
      expect(requests.length).to.equal(before);
      await world.advance(contentBounds.refusedMs + 1);
    }
    expect(kept.size).to.equal(0);
    answer = () => whole;
    expect(await fetcher.get(home, asked)).to.deep.equal(bytes);
  });

  it('answers SERVICE_UNAVAILABLE where the home is away, busy or not followed, and asks again', async () => {
    answer = () => {
      throw new PeerError('unreachable', 'no way');
    };
    expect((await refused()).detail).to.include('no way');
    answer = () => sending('', 503);
    expect(await refused()).to.include({ code: 'SERVICE_UNAVAILABLE' });
    expect(isRefusal(await fetcher.get('did:svc:z6Mkother', asked))).to.equal(true);
    answer = () => whole;
    expect(await fetcher.get(home, asked)).to.deep.equal(bytes);
  });

  it('asks for nothing that no verified entry names', async () => {
    const other = await fetcher.get(home, { ...asked, hash: 'f'.repeat(64) });
    expect(other).to.include({ code: 'NOT_FOUND' });
    expect(requests).to.deep.equal([]);
  });

  it('asks a home less often than that one would bar it', async () => {
    kept.set = () => kept;
    for (let n = 0; n < contentBounds.requestBurst; n++) expect(await fetcher.get(home, asked)).to.deep.equal(bytes);
    expect((await refused()).detail).to.include('too many');
    await world.advance(1_000);
    expect(await fetcher.get(home, asked)).to.deep.equal(bytes);
  });

  it('gives the caller what it cannot keep', async () => {
    hasRoom = false;
    expect(await fetcher.get(home, asked)).to.deep.equal(bytes);
    expect(kept.size).to.equal(0);
  });

  it('is begun by the entry of a resident’s order, and tried again until the home is back', async () => {
    let isAway = true;
    answer = () => {
      if (isAway) throw new PeerError('unreachable', 'no way');
      return whole;
    };
    const wrote = (id: string) => ({ core: { versions: [{ kind: 'info-order', id, version: 1, prev: null }] } });
    queue.adopted(home, [wrote('ord-2'), wrote('ord-1')] as never);
    await world.advance(1);
    expect(requests).to.have.length(1);
    isAway = false;
    await world.advance(contentBounds.retryMs + 1);
    expect(requests).to.have.length(2);
    expect([...kept.keys()]).to.deep.equal([hash]);
  });
});
