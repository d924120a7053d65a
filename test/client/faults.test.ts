import { expect } from 'chai';
import { ApiError, Client, UnreachableError, type WriteOptions } from '../../packages/client/src/index.js';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { nodeForSuite } from '../node/support/node.js';
import { type Fault, FaultyProxy } from './support/faulty-proxy.js';

const passphrase = 'correct horse battery staple';
/** A client with short time-outs, whose pauses are a fiftieth of the default ones. */
const hurried = (url: string, patienceMs = 1_250) =>
  new Client({
    url,
    readTimeoutMs: patienceMs,
    writeTimeoutMs: patienceMs,
    environment: { wait: (ms, signal) => until(pause(realEnvironment, ms / 50), signal) },
  });

const until = (done: Promise<void>, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    done.then(resolve, reject);
  });

/** The same sequence on every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const faults: readonly Fault[] = ['lost before', 'lost after', 'truncated', 'twice', 'slow', 429, 503];

describe('client: on a bad network', () => {
  const node = nodeForSuite();
  let proxy: FaultyProxy | undefined;
  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
  });

  /** A signer and a receiver, created without faults. */
  async function pair(): Promise<[ada: string, ben: string]> {
    const plain = new Client({ url: node().url });
    const [ada, ben] = await Promise.all([1, 2].map(() => plain.identities.create(passphrase)));
    await node().fund({ did: ada!.did }, 1_000);
    return [ada!.did, ben!.did];
  }

  for (const fault of faults) {
    it(`a write that meets "${fault}" happens once, and says so`, async () => {
      const [ada, ben] = await pair();
      let isNext = true;
      proxy = await FaultyProxy.open(node().url, (method) => {
        if (method !== 'POST' || !isNext) return 'none';
        isNext = false;
        return fault;
      });
      const client = hurried(proxy.url).as({ did: ada, passphrase });
      const first = await client.wallets.transfer({ to: ben, amount: 7 });
      const second = await client.wallets.transfer({ to: ben, amount: 5 });
      expect(proxy.met.get(fault)).to.equal(1);
      expect([first.nonce, second.nonce]).to.deep.equal([1, 2]);
      expect(await new Client({ url: node().url }).wallets.get(ben)).to.include({ balance: 12 });
    });

    it(`a read that meets "${fault}" is read again`, async () => {
      let isNext = true;
      proxy = await FaultyProxy.open(node().url, () => {
        const met = isNext ? fault : 'none';
        isNext = false;
        return met;
      });
      expect(await hurried(proxy.url).node.status()).to.include({ network: 'devnet' });
      expect(proxy.met.get(fault)).to.equal(1);
    });
  }

  /** Repeats a transfer as the errors advise, until its result is known. */
  async function surely(client: Client, to: string): Promise<void> {
    let same: WriteOptions = {};
    for (;;) {
      try {
        await client.wallets.transfer({ to, amount: 1 }, same);
        return;
      } catch (error) {
        if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
        if (error instanceof ApiError && error.status === 422) return; // accepted before, under its first nonce
        const { nonce: _, ...key } = same;
        if (error instanceof ApiError && error.nextNonce !== undefined) same = key;
        else if (error instanceof ApiError && ![429, 503].includes(error.status)) throw error;
        // An error without a nonce means that nothing was sent.
        else if (error.nonce !== undefined) same = { idempotencyKey: error.idempotencyKey!, nonce: error.nonce };
      }
    }
  }

  it('sixty writes of one DID at once, two in five of which meet a fault, happen once each', async () => {
    const [ada, ben] = await pair();
    // Each fault has its place among 17 requests, so that all of them are met, whatever the order of the requests.
    const deck = [...faults, ...Array.from({ length: 10 }, () => 'none' as const)];
    let asked = 0;
    // Longer than the client's time-out, which is longer than a nonce waits for its predecessors.
    proxy = await FaultyProxy.open(node().url, () => deck[(asked++ * 5) % deck.length]!);
    const client = hurried(proxy.url).as({ did: ada, passphrase });
    await Promise.all(Array.from({ length: 60 }, () => surely(client, ben)));
    for (const fault of faults) expect(proxy.met.get(fault), String(fault)).to.be.above(0);
    const plain = new Client({ url: node().url });
    expect(await plain.wallets.get(ben)).to.include({ balance: 60 });
    expect(await plain.wallets.get(ada)).to.include({ balance: 940, nextNonce: 61 });
  });

  it('the stream of events resumes after every break, without one missing or twice', async () => {
    const [ada, ben] = await pair();
    const roll = dice(7);
    proxy = await FaultyProxy.open(node().url, (_, path) => {
      if (!path.includes('/stream')) return 'none';
      return roll() < 0.3 ? 503 : 'truncated';
    });
    const plain = new Client({ url: node().url });
    const { head } = await plain.events.list({ limit: 1 });
    const signed = plain.as({ did: ada, passphrase });
    const sent = (async () => {
      const hashes: string[] = [];
      for (let n = 0; n < 12; n++) hashes.push((await signed.wallets.transfer({ to: ben, amount: 1 })).eventHash);
      return hashes;
    })();
    const seen: string[] = [];
    for await (const { event } of hurried(proxy.url).events.stream({ after: head, issuer: ada })) {
      seen.push(event.hash);
      if (seen.length === 12) break;
    }
    expect(seen).to.deep.equal(await sent);
    // Each stream delivers two whole entries before it breaks.
    expect(proxy.met.get('truncated'), 'broken streams').to.be.at.least(6);
    expect(proxy.met.get(503), 'refused streams').to.be.above(0);
  });
});
