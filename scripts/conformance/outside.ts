/**
 * A running node, driven from outside. Its stored state cannot be inspected, but every event that it recorded for the
 * walk's requests can be read and is decided again here, because state is the fold of the journal.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ReferenceModel } from '../../packages/model/src/reference-model.js';
import type { View } from '../../packages/model/src/scenario.js';
import { versionsOf } from '../../src/actors/build-entry.js';
import type { Json, JsonObject } from '../../src/core/canonical.js';
import { type LeafText, type RenderedLeaves, unrendered } from '../../src/core/leaf.js';
import { isRefusal } from '../../src/core/refusal.js';
import { catalogue } from '../../src/machines/catalogue.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import type { Resource } from '../../src/machines/kernel/resource.js';
import { dividedContext } from '../../src/machines/kernel/visibility.js';
import { type Ask, Astray, type Driver, type Journaled, type Reply, type Who } from './driver.js';
import { Stuck, type Wire } from './wire.js';

interface Guest extends Who {
  readonly passphrase: string;
  /** Reads with a key of this DID. */
  readonly reads: Wire;
}

export interface NodeInfo {
  readonly network: string;
  readonly version: string;
  readonly did: string;
}

/** How often to look: an event of another process may be numbered a little later. */
const mostLooks = 20;
const lookMs = 250;
/** The most faucet claims for one resource, in case the faucet gives nothing. */
const mostClaims = 20;

export class OutsideDriver implements Driver<Guest> {
  readonly #model: ReferenceModel;
  readonly #journal = new Map<string, Journaled>();
  readonly #texts = new Map<string, LeafText>();
  readonly #purses = new Map<string, number>();

  private constructor(
    readonly wire: Wire,
    readonly info: NodeInfo,
    /** How far the node's clock is ahead of this one. */
    private readonly aheadMs: number,
  ) {
    this.#model = new ReferenceModel(catalogue, info.network);
  }

  /** @throws Stuck if there is no node, or one on which the walk must not run */
  static async open(wire: Wire): Promise<OutsideDriver> {
    const { status, body, headers, text } = await wire.get('/api/v1/node');
    if (status !== 200 || typeof body?.network !== 'string')
      throw new Stuck(`${wire.url} does not answer as a node does: ${status} ${text.slice(0, 200)}`);
    if (body.network === 'mainnet') throw new Stuck('the walk is not for mainnet: it takes Tokens from the faucet');
    const ahead = Date.parse(String(headers.date)) - Date.now();
    // The header has whole seconds only.
    return new OutsideDriver(wire, body as NodeInfo, Math.abs(ahead) > 2_000 ? ahead : 0);
  }

  get network(): string {
    return this.info.network;
  }

  now(): number {
    return Date.now() + this.aheadMs;
  }

  async join(name: string): Promise<Guest> {
    const passphrase = `conformance walk as ${name}`;
    const { did } = this.#must(await this.wire.post('/api/v1/identities', { passphrase }), 'making an identity');
    const { key } = this.#must(
      await this.wire.post(`/api/v1/identities/${did}/api-keys`, { passphrase, scope: 'read' }),
      'making an API key for an identity',
    );
    return { did, passphrase, nonce: 1, reads: this.wire.keyed(key) };
  }

  /**
   * Claims Tokens from the faucet as often as necessary. Refunds to a wallet are not tracked, so the balance is read
   * when the count is short.
   */
  async supply({ did }: Guest, tokens: number): Promise<void> {
    let purse = this.#purses.get(did) ?? 0;
    if (purse < tokens) purse = await this.#purse(did);
    for (let claims = 0; purse < tokens && claims < mostClaims; claims++) {
      this.#must(await this.wire.post('/api/v1/faucet', { did }), 'a claim at the faucet');
      purse = await this.#purse(did);
    }
    if (purse < tokens) throw new Stuck(`the faucet has given ${purse} Tokens, and the walk needs ${tokens}`);
    this.#purses.set(did, purse - tokens);
  }

  async #purse(did: string): Promise<number> {
    return this.#must(await this.wire.get(`/api/v1/wallets/${did}`), 'reading a wallet').availableBalance;
  }

  async ask(who: Guest, { path, body }: Ask): Promise<Reply> {
    const { did, passphrase, nonce } = who;
    const reply = await this.wire.post(path, { did, passphrase, nonce, ...body });
    if (reply.status >= 300) return reply;
    who.nonce += 1;
    await this.#follow(who, reply);
    return reply;
  }

  view(definition: AnyResource, id: string, who: Guest): Promise<Reply> {
    const wire = definition.payloadReaders ? who.reads : this.wire;
    return wire.get(`/api/v1${definition.route.path}/${id}`);
  }

  async situation(kind: string, id: string): Promise<Resource> {
    const resource = this.#model.resource(kind, id);
    if (!resource) throw new Astray(`no event that the node has made of the requests leads to ${kind} ${id}`);
    return resource;
  }

  async journaled(eventHash: string): Promise<Journaled> {
    const journaled = this.#journal.get(eventHash);
    if (!journaled) throw new Astray(`no event ${eventHash} was seen`);
    return journaled;
  }

  async texts() {
    return this.#texts;
  }

  /** Decides the recorded event again, and compares the result with the node's. */
  async #follow(who: Guest, { body }: Reply): Promise<void> {
    const { eventHash } = body ?? {};
    if (typeof eventHash !== 'string') throw new Astray('a write was accepted without an eventHash', undefined, body);
    const entry = await this.#entry(who, eventHash);
    const { time, event } = entry;
    const { leaves = {} } = entry;
    const input = unrendered(entry.payload.input, leaves);
    if (typeof input === 'string') throw new Astray(input, undefined, entry.payload);
    for (const [pointer, { leaf, salt }] of Object.entries(leaves as RenderedLeaves))
      this.#texts.set(leaf, { salt: Buffer.from(salt ?? '', 'hex'), value: valueAt(entry.payload.input, pointer) });
    const payload = { ...entry.payload, input: input.value };
    const outcome = this.#model.ask(payload, { signer: who.did, time, hash: eventHash });
    this.#journal.set(eventHash, { time, input: payload.input, ids: payload.ids });
    if (isRefusal(outcome))
      throw new Astray(`it was accepted against the law: ${outcome.detail}`, outcome.code, payload as Json);
    const versions = versionsOf(catalogue, outcome, () => '');
    const salted = outcome.written.map(({ kind, context }) => isSalted(kind, context));
    // The hash of confidential members needs a salt, which only the readers of that resource get.
    const comparable = (all: readonly object[]) =>
      all.map((each, at) => (salted[at] ? { ...each, stateHash: null } : each));
    const issuer = who.did;
    const mine = plain({ law: outcome.law, type: outcome.eventType, issuer, versions: comparable(versions) });
    const its = plain({
      ...{ law: entry.law, type: event.type, issuer: event.issuer },
      versions: comparable(entry.versions),
    });
    if (!isDeepStrictEqual(mine, its))
      throw new Astray('the entry is not what the law makes of the request', mine, its);
  }

  async #entry({ reads }: Guest, eventHash: string): Promise<View> {
    for (let looks = 0; looks < mostLooks; looks++) {
      const { status, body } = await reads.get(`/api/v1/events/${eventHash}`);
      if (status === 200 && body.payload) return body;
      await pause(lookMs);
    }
    throw new Astray(`event ${eventHash} can not be read with its payload by who signed it`);
  }

  #must({ status, body, text }: Reply, what: string): View {
    if (status === 200 || status === 201) return body;
    throw new Stuck(`${what} was refused: ${status} ${body?.detail ?? text.slice(0, 200)}`);
  }
}

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

const isSalted = (kind: string, context: JsonObject): boolean =>
  dividedContext(catalogue.definitions[kind], context).confidential !== null;

/** The value at a JSON pointer. */
const valueAt = (value: Json, pointer: string): Json =>
  pointer
    .split('/')
    .slice(1)
    .reduce<Json>((at, name) => (at as JsonObject)[name.replaceAll('~1', '/').replaceAll('~0', '~')] ?? null, value);
