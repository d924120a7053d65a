/**
 * MongoDB operators in every text and object of every route's request: each is refused as malformed, or treated as plain data
 * that gives the same result as a harmless value of the same form. Routes and members come from their descriptions.
 */
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { canonical } from '../../src/core/canonical.js';
import { leavesIn, withTexts } from '../../src/core/leaf.js';
import type { Route } from '../../src/http/server/route.js';
import { MongoStore } from '../../src/store/mongo/mongo-store.js';
import { derivedExercises, type Exercises, ownExercises } from '../conformance/exercises.js';
import { stageLabel } from '../conformance/stage.js';
import { TestDatabase } from '../mongo/support/database.js';
import { describeMongo, missing } from '../mongo/support/server.js';
import { FakeChain } from '../node/support/chain.js';
import type { Reply } from '../node/support/client.js';
import { TestNode, type TestNodeOptions } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { isLong } from '../support/long.js';
import { withToyDeals } from '../world/toy-deal.js';
import { type Attempt, at, attemptsOn, type Path } from './places.js';
import { type Intercept, type Passing, Tamperer } from './tamperer.js';
import { through } from './through.js';

/** What must not depend on which of the two values was sent: the result, and how much was found. */
function gist({ status, body }: Reply): string {
  const found = Object.values(body ?? {}).map((member) => (Array.isArray(member) ? member.length : ''));
  return [status, body?.code, body?.total, ...found].join(' ').trim();
}

const titleOf = ({ method, path }: Route, { name }: Attempt) => `${method} ${path}: ${name}`;

class Injection {
  node!: TestNode;
  #tamperer!: Tamperer;
  #exercises!: Exercises;
  readonly #people: Person[] = [];
  counts = { attempts: 0, refused: 0, plain: 0, stored: 0 };

  async open(options: TestNodeOptions): Promise<void> {
    // A chain that never settles, so that no request waits for it.
    const chain = new FakeChain();
    chain.verdict = 'late';
    this.node = await TestNode.start({
      ...options,
      parts: { settlement: chain, onChain: chain, catalogue: withToyDeals },
    });
    // The alarm clock would write other entries.
    this.node.world.hold();
    this.#tamperer = await Tamperer.before(this.node.url);
    const seen = through(this.node, this.#tamperer, this.#people);
    const [ada, ben] = [await seen.rich(1_000_000), await seen.person()];
    const admin = await seen.keyed({ scope: 'admin' });
    this.#exercises = { ...(await derivedExercises(seen)), ...ownExercises({ node: seen, ada, ben, admin }) };
    this.#tamperer.around = async (send) => {
      // The audit at the end checks the state that follows from the entries.
      const before = await this.node.store.head();
      let reply = await send();
      if (reply.status === 429) {
        // Moves past the minute of the quota for wrong passphrases.
        this.node.world.outrun(61_000);
        reply = await send();
      }
      if (reply.status >= 400) expect(await this.node.store.head(), reply.text).to.deep.equal(before);
      return reply;
    };
  }

  async close(): Promise<void> {
    const report = await this.node?.audit();
    await this.#tamperer?.close();
    await this.node?.discard();
    expect(report?.flaw?.what, 'the audit after all of it').to.equal(undefined);
  }

  get routes(): readonly Route[] {
    return this.node.running.routes;
  }

  async #intercept(route: Route, intercept: Intercept): Promise<void> {
    const run = this.#exercises[route.name];
    if (!run) expect.fail(`${route.name} has no exercise in test/conformance/exercises.ts`);
    // A person whose request was changed may have a wrong nonce, and reads it again.
    for (const person of this.#people) {
      if (!this.#tamperer.named.delete(person.did)) continue;
      person.nonce = ((await this.node.store.account(person.did))?.nonce ?? 0) + 1;
    }
    await this.#forgetWhatIsBounded();
    const wasSent = await this.#tamperer.intercept(route, intercept, run);
    expect(wasSent, `the exercise of ${route.name} sent nothing to the route`).to.equal(true);
  }

  /** Removes API keys and webhooks, whose number is bounded and of which each attempt may create one. */
  async #forgetWhatIsBounded(): Promise<void> {
    for (const { id } of await this.node.store.listLocal('webhooks')) await this.node.store.deleteLocal('webhooks', id);
    const keys = await this.node.store.listLocal('api-keys');
    // Keeps those of the stages.
    const own = keys.filter(({ value }) => value.did !== undefined && value.label !== stageLabel);
    if (own.length < bounds.apiKeysPerDid / 2) return;
    for (const { id } of own) await this.node.store.deleteLocal('api-keys', id);
  }

  async attemptsOn(route: Route): Promise<Attempt[]> {
    let attempts: Attempt[] = [];
    await this.#intercept(route, async (request, send) => {
      const reply = await send(request);
      expect(reply.status, `${route.name}, unchanged: ${reply.text}`).to.equal(route.success.status);
      attempts = attemptsOn(route, request);
      return reply;
    });
    return attempts;
  }

  /**
   * An exercise first creates what its request needs. What was not accepted has changed nothing (see `around`), so the next
   * attempt uses the same; after an accepted write the exercise runs again.
   */
  async attempt(route: Route, attempts: readonly Attempt[]): Promise<void> {
    const left = [...attempts];
    while (left.length > 0) {
      let accepted: { attempt: Attempt; sent: Passing; reply: Reply } | undefined;
      await this.#intercept(route, async (request, send) => {
        const isAccepted = ({ status }: Reply) => route.method !== 'GET' && status < 300;
        for (let attempt = left.shift(); attempt !== undefined; attempt = left.shift()) {
          const title = titleOf(route, attempt);
          const sent = attempt.hostile(request);
          const reply = await send(sent);
          this.counts.attempts++;
          expect(reply.status, `${title}: ${reply.text.slice(0, 300)}`).to.be.below(500);
          if (reply.status === 400) {
            this.counts.refused++;
            expect(reply.body, title).to.have.property('code');
            continue;
          }
          if (isAccepted(reply)) {
            accepted = { attempt, sent, reply };
            return reply;
          }
          const twin = await send(attempt.harmless(request));
          this.#expectAlike(title, reply, twin);
          if (isAccepted(twin)) return twin;
        }
        return send(request);
      });
      if (accepted) await this.#compareAccepted(route, accepted);
    }
  }

  #expectAlike(title: string, reply: Reply, twin: Reply): void {
    expect(gist(reply), `${title}: ${reply.text.slice(0, 300)}`).to.equal(gist(twin));
    this.counts.plain++;
  }

  /** Does the same with the harmless value, and compares the results and what the journal has of both. */
  async #compareAccepted(route: Route, done: { attempt: Attempt; sent: Passing; reply: Reply }): Promise<void> {
    const { attempt, sent, reply } = done;
    const title = titleOf(route, attempt);
    let twin = reply;
    await this.#intercept(route, async (request, send) => {
      twin = await send(attempt.harmless(request));
      return twin;
    });
    this.#expectAlike(title, reply, twin);
    for (const path of attempt.paths ?? []) {
      const [kept, keptTwin] = [await this.#kept(reply, path), await this.#kept(twin, path)];
      if (kept === undefined) continue; // not in the journal, or unknown to the route
      if (kept === canonical(at(sent.body, path))) this.counts.stored++;
      // Members that an object may not have are removed, whatever their value is.
      else expect(kept, title).to.equal(keptTwin);
    }
  }

  /** The journal's value at a path of the body. */
  async #kept(reply: Reply, path: Path): Promise<string | undefined> {
    const hash = reply.body?.eventHash;
    const entry = hash === undefined ? undefined : await this.node.store.entryByEvent(hash);
    if (!entry) return undefined;
    const { input } = entry.payload;
    const texts = await this.node.store.texts([...leavesIn(input)]);
    const kept = at(
      withTexts(input, (leaf) => texts.get(leaf)),
      path,
    );
    return kept === undefined ? undefined : canonical(kept);
  }
}

/** @param inEveryPlace whether all routes are tried */
function injection(options: () => Promise<TestNodeOptions>, inEveryPlace = true): void {
  const bench = new Injection();

  before(async () => {
    await bench.open(await options());
  });
  after(() => bench.close());

  const every = inEveryPlace ? it : () => {};
  every('is refused or plain data, in every place of every route', async () => {
    for (const route of bench.routes) {
      await bench.attempt(route, await bench.attemptsOn(route));
    }
    const { attempts, refused, plain, stored } = bench.counts;
    expect(refused + plain).to.equal(attempts);
    expect(attempts, 'every route was tried in several places').to.be.above(bench.routes.length * 3);
    // The short form tries few places of each route: which of them are stored changes with each new member.
    expect(stored).to.be.above(isLong ? 100 : 5);
  });

  it('is no API key, and as an Idempotency-Key is one like any other', async () => {
    const { node } = bench;
    for (const key of ['{"$gt":""}', '$ne', 'a.b']) {
      expect((await node.client.get('/api/v1/wallets/x', { 'X-Api-Key': key })).status).to.equal(401);
    }
    const person = await node.rich(100);
    const pay = (key: string, nonce: number) =>
      node.client.post(
        '/api/v1/transfers',
        { ...person.signed, nonce, to: node.did, amount: 1 },
        { 'Idempotency-Key': key },
      );
    const keys = ['{"$gt":""}', '{"$ne":null}', '$exists', 'a.b', 'a.b.$'];
    for (const [index, key] of keys.entries()) {
      const first = await pay(key, index + 1);
      expect([first.status, first.headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
      const again = await pay(key, index + 1);
      expect([again.status, again.headers['idempotent-replayed']]).to.deep.equal([200, 'true']);
    }
  });
}

describe('An operator in a request, on the embedded store', () => {
  // The operators are MongoDB's, so in the short form MongoDB alone is tried in every place.
  injection(async () => ({}), isLong || missing !== undefined);
});

describeMongo('An operator in a request, on MongoDB', () => {
  let database: TestDatabase;
  before(async () => {
    database = await TestDatabase.fresh();
  });
  injection(async () => ({ store: () => MongoStore.open({ url: database.url, network: 'devnet' }) }));
  // After the node has stopped, which would lose its lease with the database.
  after(() => database.dispose());
});
