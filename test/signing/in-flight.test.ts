/** Several writes of one key in flight: whatever is lost, refused or overtaken, none takes effect twice. */
import { expect } from 'chai';
import fc from 'fast-check';
import { Client } from '../../packages/client/src/client.js';
import { ApiError } from '../../packages/client/src/errors.js';
import { type HeldKey, keys, publicKeyIn } from '../../packages/client/src/signing/key.js';
import type { SignedWrite } from '../../packages/client/src/signing/key-writes.js';
import type { Body } from '../node/support/client.js';
import { nodeForSuite } from '../node/support/node.js';
import { isLong } from '../support/long.js';

const home = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';
const network = 'devnet';

/** How a request ends: it is done, refused, or lost on its way there or back; once, or as often as it is sent. */
type Chance = 'done' | 'refused' | 'lost there' | 'lost back' | 'always lost there' | 'always lost back' | Lie;
/** It is done, and said to be refused; or it is said to be done, and is not. */
type Lie = 'denied' | 'feigned';
const mishap = fc.constantFrom<Chance>('refused', 'lost there', 'lost back', 'always lost there', 'always lost back');
const chance = fc.oneof({ weight: 4, arbitrary: fc.constant<Chance>('done') }, { weight: 1, arbitrary: mishap });
const lies = fc.oneof(
  { weight: 4, arbitrary: chance },
  { weight: 1, arbitrary: fc.constantFrom<Chance>('denied', 'feigned') },
);

const reply = (body: Body, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const refusal = (code: string, more: Body = {}): Response =>
  reply({ error: { code: 'CONFLICT', message: '' }, detail: code, code, ...more }, 409);

/** A node that has one account: it takes the event that follows its newest one, and nothing else. */
class ModelNode {
  readonly journal: SignedWrite[] = [];
  /** Requests to prepare. */
  prepared = 0;
  /** Of events that never get an answer, by hash. */
  readonly #fates = new Map<string, Chance>();
  /** Hashes of submitted events. */
  readonly sent = new Set<string>();
  /** Submissions that wait. */
  #waiting = 0;
  /** The most that waited at the same time. */
  most = 0;

  constructor(
    public chances: (write: SignedWrite) => Chance,
    private readonly pick: (count: number) => number,
  ) {}

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const path = new URL(url).pathname.slice('/api/v1'.length);
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    if (path === '/node') return reply({ home, network });
    if (body?.prepare) return this.#prepared(body);
    if (path !== '/events') {
      const found = this.journal.find(({ event }) => path.endsWith(event.hash));
      return found ? reply(found) : refusal('NOT_FOUND');
    }
    await this.#turn();
    const { hash } = body.event;
    this.sent.add(hash);
    const what = this.#fates.get(hash) ?? this.chances(body);
    if (what.startsWith('always')) this.#fates.set(hash, what);
    if (what.endsWith('lost there')) throw new Error('lost');
    if (what === 'feigned') return reply({ eventHash: hash });
    const answer = this.submitted(body, what === 'refused');
    // So do the answers.
    await this.#turn();
    if (what === 'denied') return refusal('UNPROCESSABLE');
    if (what.endsWith('lost back')) throw new Error('lost');
    return answer;
  }

  /** Submissions overtake each other. */
  async #turn(): Promise<void> {
    this.most = Math.max(this.most, ++this.#waiting);
    for (let turns = this.pick(40); turns >= 0; turns--) await new Promise(setImmediate);
    this.#waiting -= 1;
  }

  #next() {
    const last = this.journal.at(-1)?.event;
    return { nonce: (last?.nonce ?? 0) + 1, prev: last?.hash ?? null };
  }

  #prepared({ did, prepare: _, nonce: __, ...input }: Body): Response {
    this.prepared += 1;
    const ts = Date.now();
    const event = { v: 3, type: 'transfer.sent', issuer: did, home, network, ts, until: ts + 60_000, ...this.#next() };
    const pub = Buffer.from(publicKeyIn(did)).toString('hex');
    return reply({
      prepared: { event: { ...event, pub }, payload: { kind: 'account', id: did, action: 'transfer', input } },
    });
  }

  submitted(write: SignedWrite, isRefused = false): Response {
    const { hash, nonce, prev } = write.event;
    if (!this.journal.some(({ event }) => event.hash === hash)) {
      const next = this.#next();
      if (isRefused) return refusal('UNPROCESSABLE');
      if (nonce !== next.nonce || prev !== next.prev) return refusal('CONFLICT', { nextNonce: next.nonce });
      this.journal.push(write);
    }
    return reply({ eventHash: hash, amount: write.payload.input.amount as number });
  }
}

describe('Writes of a key in flight', () => {
  const node = nodeForSuite();
  let key: HeldKey;
  before(async () => {
    key = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
  });

  const picks = fc.infiniteStream(fc.nat());
  /** How many writes begin at the same time. */
  const bursts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
  let most: number;

  const played = async (
    chances: Iterator<Chance>,
    picks: Iterator<number>,
    bursts: readonly number[],
    isHonest = true,
  ) => {
    const model = new ModelNode(
      () => chances.next().value!,
      (count) => picks.next().value! % count,
    );
    const kept = new Map<string, SignedWrite>();
    const client = clientOf(model, kept);
    const outcomes: { amount: number; reply?: Body; error?: Body }[] = [];
    let amount = 0;
    for (const burst of bursts) {
      const writes = Array.from({ length: burst }, async () => {
        const asked = ++amount;
        await client.wallets.transfer({ to: home, amount: asked }).then(
          (came) => outcomes.push({ amount: asked, reply: came }),
          (error) => outcomes.push({ amount: asked, error }),
        );
      });
      await Promise.all(writes);
    }
    const times = (asked: number) => model.journal.filter(({ payload }) => payload.input.amount === asked).length;
    expect(outcomes).to.have.lengthOf(amount);
    for (let asked = 1; asked <= amount; asked++) expect(times(asked), String(asked)).to.be.at.most(1);
    if (!isHonest) return { model, outcomes };
    for (const { amount: asked, reply: came, error } of outcomes) {
      const note = `${asked}: ${error ?? 'done'}`;
      if (came) {
        expect(times(asked), note).to.equal(1);
        expect(
          model.journal.some(({ event }) => event.hash === came.eventHash),
          note,
        ).to.equal(true);
      } else if (error?.write) {
        expect(times(asked), note).to.be.at.most(1);
        expect(kept.has(error.write.event.hash), note).to.equal(true);
        kept.delete(error.write.event.hash);
      } else {
        expect(error, note).to.be.instanceOf(ApiError);
        expect(times(asked), note).to.equal(0);
      }
    }
    expect([...kept]).to.deep.equal([]);
    most = Math.max(most, model.most);
    return { model, outcomes };
  };
  const clientOf = (model: Pick<ModelNode, 'fetch'>, kept = new Map<string, SignedWrite>()): Client =>
    new Client({
      url: 'http://node.example',
      environment: { wait: async () => {} },
      fetch: (url, init) => model.fetch(url, init),
      signer: {
        key,
        outbox: {
          put: async (write) => void kept.set(write.event.hash, write),
          drop: async ({ event }) => void kept.delete(event.hash),
        },
      },
    });
  const paying = (client: Client, amount: number): Promise<Body> =>
    client.wallets.transfer({ to: home, amount }).catch((error: unknown) => error as Body);
  const numRuns = isLong ? 3_000 : 150;

  beforeEach(() => {
    most = 0;
  });

  it('take effect once each, whatever is refused, lost or overtaken', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(chance), picks, bursts, async (...given) => void (await played(...given))),
      { numRuns },
    );
    expect(most).to.be.greaterThan(1);
  });

  it('take effect at most once each, whatever the node says', async () => {
    const property = fc.asyncProperty(
      fc.infiniteStream(lies),
      picks,
      bursts,
      async (...given) => void (await played(...given, false)),
    );
    await fc.assert(property, { numRuns });
  });

  it('are all done if they only overtake each other, and one alone is prepared', async () => {
    const done = fc.infiniteStream(fc.constant<Chance>('done'));
    const property = fc.asyncProperty(done, picks, bursts, async (...given) => {
      const { model, outcomes } = await played(...given);
      expect(outcomes.filter(({ error }) => error)).to.deep.equal([]);
      expect(model.prepared).to.equal(1);
    });
    await fc.assert(property, { numRuns });
    expect(most).to.be.greaterThan(1);
  });

  it('take effect once each, in whatever order the answers of one turn of the event loop are heard', async () => {
    for (let later = -40; later <= 40; later++) {
      const model = new ModelNode(
        ({ payload }) => (payload.input.amount === 5 ? 'denied' : 'done'),
        () => 0,
      );
      let release = () => {};
      const both = new Promise<void>((resolve) => {
        release = resolve;
      });
      const answered: unknown[] = [];
      const client = clientOf({
        async fetch(url, init) {
          const response = await model.fetch(url, init);
          const asked = JSON.parse(String(init.body ?? '{}')).payload?.input.amount;
          if (![5, 6].includes(asked) || answered.push(asked) > 2) return response;
          if (answered.length === 2) release();
          await both;
          for (let ticks = asked === 5 ? -later : later; ticks > 0; ticks--) await undefined;
          return response;
        },
      });
      await paying(client, 1);
      await Promise.all([5, 6].map((amount) => paying(client, amount)));
      const amounts = model.journal.map(({ payload }) => payload.input.amount);
      expect(new Set(amounts).size, `${later}: ${amounts}`).to.equal(amounts.length);
    }
  });

  it('follow the newest one that is accepted, though an answer before it is still to come', async () => {
    const model = new ModelNode(
      () => 'done',
      () => 0,
    );
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const client = clientOf({
      async fetch(url, init) {
        const response = await model.fetch(url, init);
        if (JSON.parse(String(init.body ?? '{}')).payload?.input.amount === 5) await held;
        return response;
      },
    });
    await paying(client, 1);
    const first = paying(client, 5);
    for (const amount of [6, 7, 8]) expect(await paying(client, amount)).to.include({ amount });
    release();
    expect(await first).to.include({ amount: 5 });
    expect([model.prepared, model.sent.size]).to.deep.equal([1, 5]);
  });

  it('are fewer after a refusal, which takes along what follows it', async () => {
    const isRefused = ({ payload }: SignedWrite) => (payload.input.amount as number) % 2 === 1;
    const model = new ModelNode(
      (write) => (isRefused(write) ? 'refused' : 'done'),
      () => 2_000,
    );
    const client = clientOf(model);
    await paying(client, 2);
    const paid = await Promise.all(Array.from({ length: 48 }, (_, index) => paying(client, 101 + index)));
    expect(paid.map(({ amount }) => amount)).to.deep.equal(
      paid.map((_, index) => (index % 2 ? 101 + index : undefined)),
    );
    // Each once, and those that are refused twice. A refusal takes along two for each place that it takes away; an acceptance gives one.
    expect(model.sent.size).to.be.at.most(1 + 48 + 24 + 2 * (16 + 25));
  });

  it('go on after one that came late, once the caller has heard of it', async () => {
    let late: SignedWrite | undefined;
    const kept = new Map<string, SignedWrite>();
    const model = new ModelNode(
      (write) => {
        if (write.payload.input.amount !== 7) return 'done';
        const isFirst = late === undefined;
        late ??= write;
        return isFirst ? 'lost there' : 'refused';
      },
      () => 0,
    );
    const client = clientOf(model, kept);
    await paying(client, 1);
    expect((await paying(client, 7)).refusal).to.equal('UNPROCESSABLE');
    expect(kept.size).to.equal(0);
    model.submitted(late!);
    for (const amount of [2, 3]) {
      const error = await paying(client, amount);
      expect(error.paths).to.deep.equal(['event.prev']);
      expect(error.message).to.include(late!.event.hash);
      expect(error.write).to.deep.equal(late);
    }
    model.chances = () => 'done';
    expect(await client.events.submit(late!)).to.include({ amount: 7 });
    for (const amount of [2, 3]) expect(await paying(client, amount)).to.include({ amount });
    expect(model.journal.map(({ payload }) => payload.input.amount)).to.deep.equal([1, 7, 2, 3]);
    expect(kept.size).to.equal(0);
  });

  it('are built no more after as many refusals as the bound says', async () => {
    const model = new ModelNode(
      ({ payload }) => (payload.input.amount === 1 ? 'done' : 'refused'),
      () => 0,
    );
    const client = clientOf({
      fetch: (url, init) =>
        model.sent.size > 0 && String(init.body).includes('"prepare":true')
          ? Promise.resolve(reply({ prepared: null }))
          : model.fetch(url, init),
    });
    await paying(client, 1);
    for (let tries = 0; tries < 80; tries++) expect((await paying(client, 2)).paths).to.deep.equal(['prepared']);
    expect(model.sent.size).to.be.within(2, 1 + 64);
  });

  it('are not built after events of another program without end, down to one that was refused', async () => {
    const model = new ModelNode(
      ({ payload }) => (payload.input.amount === 7 ? 'refused' : 'done'),
      () => 0,
    );
    const [client, other] = [clientOf(model), clientOf(model)];
    await paying(client, 1);
    expect((await paying(client, 7)).refusal).to.equal('UNPROCESSABLE');
    await Promise.all(Array.from({ length: 1_001 }, () => paying(other, 2)));
    expect((await paying(client, 3)).message).to.include('more than 1000 events');
    expect(model.journal).to.have.lengthOf(1_002);
  });

  it('are as many as the bound says, and all are in the journal in their order', async () => {
    let [now, most, prepared] = [0, 0, 0];
    const counting: typeof fetch = async (url, init) => {
      if (String(url).endsWith('/transfers')) prepared += 1;
      if (!String(url).endsWith('/events')) return fetch(url, init);
      most = Math.max(most, ++now);
      return fetch(url, init).finally(() => now--);
    };
    await node().fund(key, 1_000);
    const client = new Client({ url: node().url, fetch: counting as never, signer: { key } });
    const pay = (amount: number) => client.wallets.transfer({ to: node().did, amount });
    await pay(1);
    const paid = await Promise.all(Array.from({ length: 40 }, (_, index) => pay(index + 1)));
    const entries = await Promise.all(paid.map(({ eventHash }) => client.events.get(eventHash!)));
    expect(entries.map(({ event }) => event.nonce)).to.deep.equal(paid.map((_, index) => index + 2));
    expect(most).to.be.within(2, 16);
    // What follows a refused one is made anew, and need not be prepared.
    const amounts = [1, 2, 100_000, 3, 4, 5];
    const some = await Promise.allSettled(amounts.map(pay));
    expect(some.map(({ status }) => status === 'fulfilled')).to.deep.equal(amounts.map((each) => each < 100));
    expect(prepared).to.equal(2);
    expect((await node().audit()).flaw?.what).to.equal(undefined);
  });
});
