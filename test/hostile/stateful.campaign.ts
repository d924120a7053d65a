/**
 * Random requests generated from the node's OpenAPI document, by real signers, on resources that earlier requests created.
 * Every reply is validated against the document; afterwards the journal is audited and the Tokens are counted.
 */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { Description } from '../node/support/described.js';
import type { Person } from '../node/support/person.js';
import { isLong } from '../support/long.js';
import { tidy } from '../support/scratch.js';
import { keep } from './support/fixtures.js';
import { Generator, Known } from './support/generator.js';
import { Random } from './support/random.js';
import { Target } from './support/target.js';

const seed = Number(process.env.SVC_TEST_SEED ?? 20_261_123);
const requestsPerSeed = isLong ? 40_000 : 1_000;
const seeds = isLong ? [seed, seed + 1, seed + 2, seed + 3] : [seed];
/** Fewer successful operations would mean that the session tested little. */
const leastOperations = 60;
/** Operations whose response has no end, or which would end the campaign. */
const leftOut = new Set(['streamEvents', 'revokeApiKey', 'deleteApiKey', 'freezeAccount']);

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300).toWellFormed();

class Session {
  readonly #random: Random;
  readonly #known = new Known();
  readonly #generator: Generator;
  readonly #operations: readonly Body[];
  readonly failures: string[] = [];
  readonly statuses = new Map<number, number>();

  constructor(
    seedOfSession: number,
    private readonly target: Target,
    private readonly description: Description,
    private readonly people: readonly Person[],
    private readonly adminKey: string,
  ) {
    this.#random = new Random(seedOfSession);
    this.#generator = new Generator(this.#random, this.#known, 0.015);
    this.#operations = description.operations.filter(({ operationId }) => !leftOut.has(operationId));
    for (const { did } of people)
      for (const name of ['did', 'to', 'beneficiary', 'provider', 'target']) this.#known.add(name, did);
  }

  async step(): Promise<void> {
    const operation = this.#random.pick(this.#operations);
    const signer = this.#random.pick(this.people);
    const content = operation.requestBody?.content['application/json'];
    const body = content ? this.#body(this.description.resolved(content.schema), content.example, signer) : undefined;
    const path = this.#path(operation);
    const headers = operation['x-scope'] === 'admin' ? { 'X-Api-Key': this.adminKey } : {};
    const request = { method: operation.method, path, headers, ...(body ? { body } : {}) };
    const reply = await this.target.client.send(request);
    this.statuses.set(reply.status, (this.statuses.get(reply.status) ?? 0) + 1);
    if (reply.status < 300) this.#known.learn(reply.body);
    await this.#follow(signer, reply, body);
    this.#judge(request, reply);
  }

  /** Half of the time the document's example, because it gets furthest. */
  #body(schema: Body, example: Body | undefined, signer: Person): Body {
    const generated = this.#generator.object(schema);
    const body = example && this.#random.chance(0.5) ? this.#mixed(example, generated) : generated;
    if ('did' in (schema.properties ?? {}) && 'passphrase' in (schema.properties ?? {}) && this.#random.chance(0.97)) {
      Object.assign(body, { did: signer.did, passphrase: signer.passphrase });
      if ('nonce' in schema.properties) body.nonce = signer.nonce;
      for (const name of ['prev', 'ts', 'resourcePrev']) if (this.#random.chance(0.8)) delete body[name];
    }
    return body;
  }

  /** The example with a generated member now and then, and with existing people and resources. */
  #mixed(example: Body, generated: Body): Body {
    const mixed = { ...example };
    for (const name of Object.keys(mixed)) {
      const known = this.#known.of(name);
      if (known.length > 0) mixed[name] = this.#random.pick(known);
      else if (name in generated && this.#random.chance(0.1)) mixed[name] = generated[name];
    }
    return mixed;
  }

  #path({ path, parameters = [] }: Body): string {
    const filled = path.replace(/\{(\w+)\}/g, (_: string, name: string) => {
      const { schema } = parameters.find((each: Body) => each.name === name) ?? { schema: { type: 'string' } };
      const names = /^(id|taskId)$/.test(name) ? ['id', 'listingId', 'escrowId'] : [name];
      const known = names.flatMap((each) => this.#known.of(each));
      const value =
        known.length > 0 && this.#random.chance(0.9) ? this.#random.pick(known) : this.#generator.value(schema, name);
      const segment = encodeURIComponent(textOf(value));
      // One or two dots would be resolved to another path, and so to another operation.
      return /^\.{0,2}$/.test(segment) ? 'x' : segment;
    });
    const query = new URLSearchParams();
    for (const { in: where, name, schema } of parameters as Body[]) {
      if (where !== 'query' || !this.#random.chance(0.25)) continue;
      query.set(name, textOf(this.#generator.value(schema, name)));
    }
    return query.size > 0 ? `${filled}?${query}` : filled;
  }

  /** Tracks the signer's nonce as a client does, from the answers. */
  async #follow(signer: Person, { status, body: reply, headers }: Reply, body: Body): Promise<void> {
    if (body?.did !== signer.did || headers['idempotent-replayed']) return;
    if (typeof reply?.nextNonce === 'number') signer.nonce = reply.nextNonce;
    else if (status < 300 && reply?.nonce === signer.nonce) signer.nonce += 1;
  }

  #judge(request: { method: string; path: string; body?: Body }, reply: Reply): void {
    try {
      expect(reply.status, 'an unexpected 5xx').to.be.below(500);
      this.description.check(request, reply);
    } catch (error) {
      const found = (error as Error).message.slice(0, 300);
      const { method, path, body } = request;
      const file = keep({ found, method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      this.failures.push(`${method} ${path}: ${found} (${file})`);
    }
  }
}

/** Supply and balances from the API, on a node whose Tokens all come from the faucet. */
async function tokensOf(target: Target): Promise<{ supply: number; held: number }> {
  const { supply, available, reserved, escrowed, fees } = expectStatus(await target.client.get('/api/v1/supply'));
  return { supply, held: available + reserved + escrowed + fees };
}

describe('Random sessions from the description', () => {
  after(tidy);

  for (const each of seeds) {
    it(`${requestsPerSeed} requests of seed ${each} are answered as described`, async () => {
      const target = await Target.start();
      const description = new Description(expectStatus(await target.client.get('/openapi.json')));
      const people: Person[] = [];
      while (people.length < 5) people.push(await target.person());
      const session = new Session(each, target, description, people, await target.boundlessKey());
      target.watch();
      let cases = 0;
      // Ids and times differ in each run, and with them the successes: a session with too few successes continues.
      const isOver = () => description.answered.size >= leastOperations || cases >= 3 * requestsPerSeed;
      for (; cases < requestsPerSeed || !isOver(); cases++) await session.step();
      const serverErrors = [...session.statuses].filter(([status]) => status >= 500).reduce((sum, [, n]) => sum + n, 0);
      await target.report({ name: `seed ${each}`, cases, serverErrors });
      const counts = [...session.statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
      process.stdout.write(`      ${counts.join(', ')}; ${description.answered.size} operations succeeded\n`);
      expect(session.failures).to.deep.equal([]);
      expect(description.answered.size, 'operations that succeeded').to.be.at.least(leastOperations);
      const { supply, held } = await tokensOf(target);
      expect(held, 'Tokens').to.equal(supply);
      await target.stop();
    });
  }
});
