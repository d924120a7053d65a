/** The conformance walk's connection to a node in this process: the test moves its clock, and reads its store directly. */
import { expect } from 'chai';
import type { KeyCredentials } from '../../packages/client/src/signing/key-writes.js';
import type { SignerCredentials } from '../../packages/client/src/writes.js';
import type { Ask, Driver, Journaled, Reply, Who } from '../../scripts/conformance/driver.js';
import { Stage, type StageOptions } from '../../scripts/conformance/stage.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import type { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { Wire } from './through-client.js';

export { spell, type Try } from '../../scripts/conformance/stage.js';

export type NodeStage = Stage<Person>;

/** How the people of a walk come to be, and how they sign. */
export interface Signing<W extends Who> {
  join(node: TestNode): Promise<W>;
  credentials(who: W): SignerCredentials | KeyCredentials;
  /** The node of this person's own home, if that is another than the walk's. */
  from?(who: W): TestNode | undefined;
  /** The node that keeps this person's key and sends what they write, if that is another than the walk's. */
  keptBy?(who: W): TestNode;
}

/** With a passphrase, by a key that the node keeps. */
export const keptKeys: Signing<Person> = {
  join: (node) => node.rich(funds),
  credentials: ({ did, passphrase }) => ({ did, passphrase }),
};

/** Tokens that each person starts with. */
export const funds = 100_000;
/** Label of the API keys that a stage reads with. */
export const stageLabel = 'a stage';

export class NodeDriver<W extends Who = Person> implements Driver<W> {
  readonly network = 'devnet';
  readonly #wires = new Map<string, Wire>();
  readonly #keys = new Map<string, string>();
  /** Resources that were read with the published client. */
  readonly #read = new Set<string>();

  constructor(
    readonly node: TestNode,
    private readonly signing: Signing<W>,
  ) {}

  now(): number {
    return this.node.world.now();
  }

  readonly outrun = (ms: number): void => this.node.world.outrun(ms);

  readonly entries = async (): Promise<number> => (await this.node.store.head()).seq;

  join(): Promise<W> {
    return this.signing.join(this.node);
  }

  async supply(): Promise<void> {}

  /** Sends the request with the published client. */
  async ask(who: W, { definition, action, target, input }: Ask): Promise<Reply> {
    const { nonce } = who;
    // Only with a key the client asks again after a 503, as of a home that has not answered in time.
    const home = this.signing.keptBy && { home: this.node.did };
    const options = home ? { nonce, ...home } : ({ nonce, idempotencyKey: false } as const);
    const wire = this.#wireOf(who);
    const reply = await wire.send(definition, (resource) =>
      target
        ? resource[action]!(target.resourcePrev === null ? target.id : target, input, options)
        : resource.create(input, options),
    );
    if (reply.status < 300) who.nonce += 1;
    return reply;
  }

  async view(definition: AnyResource, id: string, who: W): Promise<Reply> {
    const key = definition.payloadReaders ? await this.#keyOf(who) : undefined;
    if (!this.#read.has(id) && !this.signing.keptBy) {
      this.#read.add(id);
      return this.#wireOf(who, key).send(definition, (resource) => resource.get(id));
    }
    const client = key === undefined ? this.node.client : this.node.client.keyed(key);
    return client.get(`/api/v1${definition.route.path}/${id}`);
  }

  async situation(kind: string, id: string) {
    return (await this.node.store.load(kind, id)) ?? expect.fail(`${id} is not in the store`);
  }

  async journaled(eventHash: string): Promise<Journaled> {
    const entry = await this.node.store.entryByEvent(eventHash);
    if (!entry?.payload) return expect.fail('the entry has no payload');
    return { time: entry.core.time, input: entry.payload.input, ids: entry.payload.ids };
  }

  texts(hashes: readonly string[]) {
    return this.node.store.texts(hashes);
  }

  #wireOf(who: W, key?: string): Wire {
    const name = `${who.did} ${key ?? ''}`;
    const wire =
      this.#wires.get(name) ??
      new Wire(this.signing.keptBy?.(who) ?? this.node, this.signing.credentials(who), key, this.signing.from?.(who));
    this.#wires.set(name, wire);
    return wire;
  }

  async #keyOf({ did }: W): Promise<string> {
    const key = this.#keys.get(did) ?? (await this.node.key({ scope: 'read', did, label: stageLabel })).key;
    this.#keys.set(did, key);
    return key;
  }
}

export const openStage = (node: TestNode, definition: AnyResource, options?: StageOptions): Promise<NodeStage> =>
  Stage.open(new NodeDriver(node, keptKeys), definition, options);
