/** Actors over a memory store in a fake environment. Requests are validated as the derived routes do. */

import type { Accepted, Command } from '../../src/actors/command.js';
import { SystemWriter } from '../../src/actors/system.js';
import { WritePath, type WritePathOptions } from '../../src/actors/write-path.js';
import { type Json, type JsonObject, sha256Hex } from '../../src/core/canonical.js';
import { withTexts } from '../../src/core/leaf.js';
import { assert, invalid, isRefusal, type Refusal } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';
import { deriveSigner, systemKeyInfo } from '../../src/keys/signing.js';
import { catalogue as everyKind } from '../../src/machines/catalogue.js';
import type { Catalogue } from '../../src/machines/kernel/definition.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Account } from '../../src/store/store.js';
import { type AuditReport, audit } from '../../src/verify/audit.js';
import './undeclared-changes.js';
import { erasedAfterTest } from './erasing.js';
import { FakeWorld } from './fake-world.js';
import { MirroredStore, onMongo } from './mirrored-store.js';
import { didOf, signer } from './people.js';

export const network = 'devnet';

export interface BenchOptions {
  readonly world?: FakeWorld;
  readonly store?: MemoryStore;
  readonly catalogue?: Catalogue;
  readonly bounds?: Partial<WritePathOptions['bounds']>;
  readonly onAlarm?: (at: number) => void;
  /** Name of the person whose key is the node's. */
  readonly node?: string;
}

/** What a caller may state in addition to the input. */
export type Stated = Partial<Omit<Command, 'kind' | 'id' | 'action' | 'input' | 'signer' | 'unlock'>> & {
  /** The Idempotency-Key. */
  readonly key?: string;
  /** A text in place of the body, for its fingerprint. */
  readonly body?: string;
};

const bounds: WritePathOptions['bounds'] = {
  registry: { mailbox: 1_000, actors: 20_000, bytes: 2 ** 26 },
  nonces: { ahead: 64, waitMs: 1_000, waiting: 256 },
  committed: { count: 20_000, bytes: 2 ** 26 },
  written: 256,
  regroupings: 3,
  losses: 8,
  tsSlackMs: 600_000,
};

async function mirrored({ world = new FakeWorld(), ...options }: BenchOptions): Promise<BenchOptions> {
  return { ...options, world, store: await MirroredStore.open(world) };
}

export class Bench {
  readonly world: FakeWorld;
  readonly store: MemoryStore;
  readonly actors: WritePath;
  readonly system: SystemWriter;
  readonly catalogue: Catalogue;
  readonly node: string;
  /** Faults reported to `onFault`. */
  readonly faults: unknown[] = [];
  #ids = 0;

  private constructor(private readonly options: BenchOptions) {
    this.node = options.node ?? 'node';
    this.world = options.world ?? new FakeWorld();
    this.store = options.store ?? new MemoryStore({ world: this.world });
    this.catalogue = options.catalogue ?? everyKind;
    this.actors = new WritePath({
      catalogue: this.catalogue,
      store: this.store,
      world: this.world,
      network,
      node: didOf(this.node),
      bounds: { ...bounds, ...options.bounds },
      onFault: (fault) => this.faults.push(fault),
      ...(options.onAlarm ? { onAlarm: options.onAlarm } : {}),
    });
    this.system = new SystemWriter(this.actors, deriveSigner(signer(this.node), systemKeyInfo));
  }

  /** Opens the store, appoints the system key, and gives each named person that many Tokens. */
  static async open(options: BenchOptions = {}, tokens: { readonly [name: string]: number } = {}): Promise<Bench> {
    const bench = new Bench(onMongo && !options.store ? await mirrored(options) : options);
    await bench.world.settle(bench.actors.committer.open());
    const refusal = await bench.world.settle(bench.system.appoint(signer(bench.node)));
    assert(!refusal, `the system key is appointed: ${refusal?.detail}`);
    for (const [name, amount] of Object.entries(tokens)) await bench.mint(name, amount);
    erasedAfterTest(bench.store.tables, () => bench.#undisturbed());
    return bench;
  }

  /** The next process on the same data; this one is not stopped first. */
  restart(options: BenchOptions = {}): Promise<Bench> {
    return Bench.open({ ...this.options, world: this.world, store: this.store.survivor(), ...options });
  }

  /** The next process on the same data, in an environment without the faults and timers of this one. */
  #undisturbed(): Promise<Bench> {
    const world = new FakeWorld('undisturbed', this.world.now());
    return this.restart({ world, store: this.store.survivor({ world }) });
  }

  newId(prefix: string): string {
    return `${prefix}${String(++this.#ids).padStart(4, '0')}`;
  }

  /** A command as the HTTP layer makes it: validated, normalised, with `resourcePrev` where the route requires it. */
  command(
    who: string,
    kind: string,
    id: string,
    action: string,
    body: JsonObject,
    stated: Stated = {},
  ): Command | Refusal {
    const definition = this.catalogue.definitions[kind]!;
    const machine = definition.form === 'machine' ? definition : undefined;
    const scalar = machine && action === 'create' ? machine.create.input : definition.actions[action]!.input;
    const { key, body: text = 'body', ...rest } = stated;
    const resourcePrev = stated.resourcePrev;
    const stating = resourcePrev !== undefined && scalar.fields?.resourcePrev ? { resourcePrev } : {};
    // Through JSON, like the body of a request.
    const input = is.parse(scalar, JSON.parse(JSON.stringify({ ...body, ...stating })));
    if (isRefusal(input)) return input;
    if (machine?.actions[action]?.resourcePrev === 'required' && !resourcePrev) {
      return invalid('resourcePrev', 'is required');
    }
    const by = signer(who);
    const idempotency =
      key === undefined ? undefined : { fingerprint: sha256Hex(text), key, principal: by.did, status: 200 };
    return { kind, id, action, input, signer: by.did, unlock: () => by, idempotency, ...rest };
  }

  /** Starts a request without waiting for it. */
  async start(...asked: Parameters<Bench['command']>): Promise<Accepted | Refusal> {
    const command = this.command(...asked);
    return isRefusal(command) ? command : this.actors.execute(command);
  }

  ask(...asked: Parameters<Bench['command']>): Promise<Accepted | Refusal> {
    return this.world.settle(this.start(...asked));
  }

  transfer(from: string, to: string, amount: number, stated: Stated = {}, more: JsonObject = {}) {
    return this.ask(from, 'account', didOf(from), 'transfer', { to: didOf(to), amount, ...more }, stated);
  }

  /** Starts a transfer without waiting for it. */
  startTransfer(from: string, to: string, amount: number, stated: Stated = {}) {
    return this.start(from, 'account', didOf(from), 'transfer', { to: didOf(to), amount }, stated);
  }

  operate(kind: string, id: string, action: string, input: JsonObject = {}): Promise<Accepted | Refusal> {
    return this.world.settle(this.system.execute({ kind, id, action, input }));
  }

  async mint(name: string, amount: number): Promise<Accepted> {
    return accepted(await this.operate('account', didOf(name), 'mint', { amount }));
  }

  account(name: string): Promise<Account> {
    return this.world.settle(Promise.resolve(this.actors.committed.account(didOf(name))));
  }

  /** `[available, reserved, escrowed]`. */
  async balances(name: string): Promise<[number, number, number]> {
    const { available, reserved, escrowed } = await this.account(name);
    return [available, reserved, escrowed];
  }

  /** The value with the texts of its leaves. */
  told<T>(value: T): T {
    return withTexts(value as Json, (hash) => this.store.tables.text(hash)) as T;
  }

  audit(): Promise<AuditReport> {
    return audit(this.store, this.catalogue, network);
  }

  /** The store's whole content as text, to show that a refusal changed nothing. */
  dump(): string {
    const { journal, keys, accounts, house, snapshots, labels, alarms, touches } = this.store.tables;
    const sets = [...labels].map(([key, set]) => [key, [...set]]);
    return JSON.stringify([journal, [...keys], [...accounts], house, [...snapshots], sets, [...alarms], [...touches]]);
  }
}

export function accepted(result: Accepted | Refusal): Accepted {
  assert(!isRefusal(result), `accepted, not ${isRefusal(result) ? `${result.code}: ${result.detail}` : ''}`);
  return result;
}

/** The code of a refusal, or `accepted`. */
export const codeOf = (result: Accepted | Refusal): string => (isRefusal(result) ? result.code : 'accepted');
