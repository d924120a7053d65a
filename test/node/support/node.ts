/** A real node: every part as in production except the KDF, in its own directory and on a free port. */
import '../../world/undeclared-changes.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { cheapKdf } from '../../../packages/fake-node/src/cheap-kdf.js';
import { MovableClock } from '../../../packages/fake-node/src/movable-clock.js';
import type { Accepted } from '../../../src/actors/command.js';
import { SystemWriter } from '../../../src/actors/system.js';
import { noSettlement } from '../../../src/chain/settlement/settlement.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { addressOf } from '../../../src/core/codecs/address.js';
import { createLog } from '../../../src/core/log.js';
import { isRefusal, type Refusal } from '../../../src/core/refusal.js';
import { ApiKeyRegistry, type NewKey } from '../../../src/http/access/api-keys.js';
import { deriveSigner, signerOf, systemKeyInfo } from '../../../src/keys/signing.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { type Config, loadConfig } from '../../../src/node/config/config.js';
import type { NodeOptions, RunningNode } from '../../../src/node/dependencies.js';
import { openNode } from '../../../src/node/node.js';
import type { Store } from '../../../src/store/store.js';
import { type AuditReport, audit } from '../../../src/verify/audit.js';
import { type ErasableJournal, eraseAtRandom } from '../../world/erasing.js';
import { expectStatus } from './answers.js';
import { type Body, Client } from './client.js';
import { seedIn } from './kdf.js';
import { Person } from './person.js';
import { dropShared, sharedStore } from './shared-store.js';

export type Variables = { readonly [name: string]: string };

export interface TestNodeOptions {
  readonly variables?: Variables;
  /** The directory of a stopped node; otherwise a new one. */
  readonly dir?: string;
  /** Another store on the node's directory, for instance a faulty one. */
  readonly store?: (dir: string) => Promise<Store>;
  readonly parts?: Partial<NodeOptions>;
  readonly world?: MovableClock;
}

/** Silent, unless somebody looks for why a test failed (CONTRIBUTING.md). */
const log = createLog({ level: process.env.SVC_LOG_LEVEL ?? 'silent' });
export const nodePassphrase = 'the passphrase of the node';

export function configOf(dir: string, variables: Variables = {}): Config {
  const config = loadConfig(
    {},
    {
      SVC_PORT: '0',
      SVC_DATA_DIR: dir,
      SVC_CHAIN: variables.SVC_NETWORK === 'mainnet' ? 'auto' : 'none',
      ...variables,
    },
  );
  if (Array.isArray(config)) expect.fail(config.join(' '));
  return Object.defineProperty({ ...(config as Config) }, 'passphrase', { value: nodePassphrase, enumerable: false });
}

/** Of a node without peers: a peer may have any DID. */
const anyPeer = { limit: async () => undefined, mirror: async () => undefined };

export class TestNode {
  readonly world: MovableClock;
  readonly faults: unknown[] = [];
  #node!: RunningNode;
  #client!: Client;
  #system!: SystemWriter;
  #people = 0;
  #isRunning = false;

  private constructor(
    readonly dir: string,
    private options: TestNodeOptions,
  ) {
    this.world = options.world ?? new MovableClock();
  }

  static async start(options: TestNodeOptions = {}): Promise<TestNode> {
    const node = new TestNode(options.dir ?? (await mkdtemp(join(tmpdir(), 'svc-test-node-'))), options);
    await node.#open();
    return node;
  }

  async #open(): Promise<void> {
    const { variables, store, parts } = this.options;
    const config = configOf(this.dir, variables);
    const given = store ? { store: await store(this.dir) } : await sharedStore(this.dir, variables?.SVC_NETWORK);
    this.#node = await openNode({
      config,
      world: this.world,
      log,
      kdf: cheapKdf,
      onFault: (fault) => this.faults.push(fault),
      peerActs: anyPeer,
      // Mainnet refuses to start without a chain, but most tests of it are about something else.
      ...(variables?.SVC_NETWORK === 'mainnet' && !variables.SVC_CHAIN ? { settlement: noSettlement } : {}),
      ...given,
      ...parts,
    }).catch(async (error: unknown) => {
      // A start that is refused early leaves the store open.
      await given.store?.close().catch(() => {});
      throw error;
    });
    this.#client = new Client(this.#node.url);
    const node = signerOf(await seedIn(this.dir, addressOf(this.#node.did), nodePassphrase));
    this.#system = new SystemWriter(this.#node.actors, deriveSigner(node, systemKeyInfo));
    this.#isRunning = true;
  }

  get client(): Client {
    return this.#client;
  }

  get url(): string {
    return this.#node.url;
  }

  get did(): string {
    return this.#node.did;
  }

  get running(): RunningNode {
    return this.#node;
  }

  get store(): Store {
    return this.#node.store;
  }

  /** A new DID, created through the API. */
  async person(client: Client = this.#client): Promise<Person> {
    const passphrase = `correct horse battery ${++this.#people}`;
    const { did, address } = expectStatus(await client.post('/api/v1/identities', { passphrase }), 201);
    return new Person(client, did, address, passphrase, this.dir);
  }

  async people(count: number): Promise<Person[]> {
    const made: Person[] = [];
    while (made.length < count) made.push(await this.person());
    return made;
  }

  /** Mints Tokens like the faucet, in any amount. */
  async fund(who: { readonly did: string }, amount: number): Promise<void> {
    const minted = await this.operate('account', who.did, 'mint', { amount });
    expect(isRefusal(minted), 'minting').to.equal(false);
  }

  /** Executes a system action. */
  operate(kind: string, id: string, action: string, input: JsonObject): Promise<Accepted | Refusal> {
    return this.#system.execute({ kind, id, action, input });
  }

  async rich(amount = 1_000, client?: Client): Promise<Person> {
    const person = await this.person(client);
    await this.fund(person, amount);
    return person;
  }

  /** Creates an API key directly in the database, as the command line does. */
  async key(key: Partial<NewKey> = {}): Promise<{ key: string; id: string }> {
    const keys = new ApiKeyRegistry({ store: this.store, world: this.world, log });
    const made = await keys.create({ label: 'a test', scope: 'read', ...key });
    if (isRefusal(made)) expect.fail(made.detail);
    return { key: made.key, id: made.record.id };
  }

  async keyed(key: Partial<NewKey> = {}): Promise<Client> {
    return this.#client.keyed((await this.key(key)).key);
  }

  /** Everything that a refused write must not change. */
  async state(): Promise<Body> {
    return { head: await this.store.head(), totals: await this.store.totals(), census: await this.store.census() };
  }

  audit(): Promise<AuditReport> {
    return audit(this.store, this.options.parts?.catalogue ?? catalogue, this.#node.actors.options.network);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#client.close();
    await this.#node.close();
  }

  /** @param variables in addition to those before */
  async restart(variables: Variables = {}): Promise<void> {
    await this.stop();
    this.options = { ...this.options, variables: { ...this.options.variables, ...variables } };
    await this.#open();
  }

  async discard(): Promise<void> {
    try {
      if (this.#isRunning && this.faults.length === 0) await eraseAtRandom(async () => this.#journal());
    } finally {
      await this.stop();
      await dropShared(this.dir);
      await rm(this.dir, { recursive: true, force: true });
    }
  }

  #journal(): ErasableJournal {
    const { store, actors } = this.#node;
    return { store, actors, operate: (...asked) => this.operate(...asked) };
  }
}

/** One node for the tests of a `describe`. At the end its journal is audited. */
export function nodeForSuite(options: TestNodeOptions = {}): () => TestNode {
  let node: TestNode | undefined;
  before(async () => {
    node = await TestNode.start(options);
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what, 'the audit after these tests').to.equal(undefined);
  });
  return () => node!;
}
