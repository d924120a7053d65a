/**
 * The typed client of a node, for Node 20, Deno and browsers.
 *
 * ```ts
 * const client = new Client({ url: 'http://127.0.0.1:9528' });
 * const { did } = await client.identities.create(passphrase);
 * const ada = client.as({ did, passphrase });
 * await ada.wallets.transfer({ to: ben, amount: 5 });
 * ```
 */
import { type ClientEnvironment, realEnvironment } from './environment.js';
import { Admin } from './groups/admin.js';
import { type TaskBids, taskBids } from './groups/bids.js';
import { type Contracts, contractsOf } from './groups/contracts.js';
import { Events } from './groups/events.js';
import { Faucet } from './groups/faucet.js';
import { Identities } from './groups/identities.js';
import { Information } from './groups/information.js';
import { type Leases, leasesOf } from './groups/leases.js';
import { Machines } from './groups/machines.js';
import { Node } from './groups/node.js';
import { Reputations } from './groups/reputations.js';
import { Search } from './groups/search.js';
import { System } from './groups/system.js';
import { Wallets } from './groups/wallets.js';
import { Webhooks } from './groups/webhooks.js';
import type { HomeOptions, OfHome } from './homes.js';
import { Http } from './http.js';
import { type Kind, type KindShape, type KindTypes, type ResourceClient, resourceClient } from './kind.js';
import { disputeKind } from './kinds/contract.js';
import { escrowKind } from './kinds/escrow.js';
import { infoOrderKind } from './kinds/info-order.js';
import { capabilityListingKind, infoListingKind, taskListingKind } from './kinds/listing.js';
import { bidKind, taskOrderKind } from './kinds/task.js';
import type { KeyCredentials } from './signing/key-writes.js';
import { type SignerCredentials, Writes } from './writes.js';

export interface ClientOptions {
  /** Base URL of the node: `http://127.0.0.1:9528`, with or without `/api/v1`. */
  readonly url: string | URL;
  /** API key. A devnet or testnet node on this machine needs none. */
  readonly key?: string;
  /** Signs the writes; `as` returns the same client with another signer. */
  readonly signer?: SignerCredentials | KeyCredentials;
  /** Sends the requests; default the global `fetch`. */
  readonly fetch?: ClientEnvironment['fetch'];
  /** Per attempt of a read, milliseconds; default 5,000. */
  readonly readTimeoutMs?: number;
  /** Per attempt of a write, milliseconds; default 30,000. */
  readonly writeTimeoutMs?: number;
  /** Clock, timers, randomness and `fetch`, for tests. */
  readonly environment?: Partial<ClientEnvironment>;
}

export class Client {
  readonly escrows: ResourceClient<typeof escrowKind>;
  /** Listings, by market. */
  readonly markets: {
    /** What sells information. */
    readonly info: ResourceClient<typeof infoListingKind>;
    /** Work that requesters publish. */
    readonly tasks: ResourceClient<typeof taskListingKind>;
    /** Capabilities that can be leased. */
    readonly capabilities: ResourceClient<typeof capabilityListingKind>;
  };
  /** Leases of capabilities. */
  readonly leases: Leases;
  /** Orders of information. */
  readonly infoOrders: ResourceClient<typeof infoOrderKind>;
  /** The content of information listings and orders. */
  readonly information: Information;
  readonly contracts: Contracts;
  readonly disputes: ResourceClient<typeof disputeKind>;
  /** Bids on tasks, and the orders that are created when a bid is accepted. */
  readonly bids: ResourceClient<typeof bidKind> & TaskBids;
  readonly taskOrders: ResourceClient<typeof taskOrderKind>;
  readonly wallets: Wallets;
  readonly identities: Identities;
  readonly faucet: Faucet;
  readonly reputations: Reputations;
  /** Searches of the markets. */
  readonly search: Search;
  readonly events: Events;
  /** The definitions of all kinds, and the history of each resource. */
  readonly machines: Machines;
  readonly node: Node;
  readonly admin: Admin;
  readonly webhooks: Webhooks;
  /** What the node serves outside of /api/v1: health, metrics, explanations of errors. */
  readonly system: System;
  readonly #writes: Writes;

  constructor(from: ClientOptions | Writes) {
    this.#writes = from instanceof Writes ? from : writesOf(from);
    this.escrows = this.resource(escrowKind);
    this.markets = {
      info: this.resource(infoListingKind),
      tasks: this.resource(taskListingKind),
      capabilities: this.resource(capabilityListingKind),
    };
    this.leases = leasesOf(this.#writes);
    this.infoOrders = this.resource(infoOrderKind);
    this.information = new Information(this.#writes);
    this.contracts = contractsOf(this.#writes);
    this.disputes = this.resource(disputeKind);
    this.bids = { ...this.resource(bidKind), ...taskBids(this.#writes) };
    this.taskOrders = this.resource(taskOrderKind);
    this.wallets = new Wallets(this.#writes);
    this.identities = new Identities(this.#writes);
    this.faucet = new Faucet(this.#writes);
    this.reputations = new Reputations(this.#writes);
    this.search = new Search(this.#writes);
    this.events = new Events(this.#writes);
    this.machines = new Machines(this.#writes);
    this.node = new Node(this.#writes);
    this.admin = new Admin(this.#writes);
    this.webhooks = new Webhooks(this.#writes);
    this.system = new System(this.#writes);
  }

  /** The DID that signs, if there is a signer. */
  get did(): string | undefined {
    return this.#writes.did;
  }

  /**
   * Returns the same client with a signer. Nonces are tracked per DID and shared by all clients that `as` made from the
   * same one, so any number of writes may be in flight at once, up to 16 with a key of the caller's.
   */
  as(signer: SignerCredentials | KeyCredentials): Client {
    return new Client(this.#writes.as(signer));
  }

  /**
   * Sends many writes in few requests, each with its own outcome. Once one is refused, others of its signer may change
   * places: wait for the outcome of what another one depends on.
   * `ada.batch(payments.map((payment) => (each) => each.wallets.transfer(payment)))`
   * @param writes each makes one write with the client that it is given, or with another signer by its `as`
   */
  batch<T extends readonly unknown[]>(
    writes: {
      readonly [N in keyof T]: (client: Client) => Promise<T[N]>;
    },
  ): Promise<{ -readonly [N in keyof T]: PromiseSettledResult<T[N]> }> {
    const client = new Client(this.#writes.gathered());
    return Promise.allSettled(writes.map(async (write) => write(client))) as Promise<{
      -readonly [N in keyof T]: PromiseSettledResult<T[N]>;
    }>;
  }

  /**
   * The same client at another home, with the same key: everything that it reads and writes is there. Tokens do not come
   * along. What another home says of itself is taken for nothing else than its address: events are signed for this home.
   * With a passphrase, writes go to the client's own node, which signs and sends them; reads are those of anyone.
   * @param home its DID, or what a read has found: without `home` in it that is at this client's home
   */
  async at(home: string | OfHome, options: HomeOptions = {}): Promise<Client> {
    const named = typeof home === 'string' ? home : home.home;
    return named === undefined ? this : new Client(await this.#writes.at(named, options));
  }

  /** The methods of any kind of resource; `escrows` is `resource(escrowKind)`. */
  resource<T extends KindTypes, S extends KindShape>(kind: Kind<T, S>) {
    return resourceClient<T, S>(this.#writes, kind);
  }
}

function writesOf({ url, key, signer, fetch, readTimeoutMs, writeTimeoutMs, environment }: ClientOptions): Writes {
  const http = new Http({
    url: String(url),
    key,
    readTimeoutMs: readTimeoutMs ?? 5_000,
    writeTimeoutMs: writeTimeoutMs ?? 30_000,
    environment: { ...realEnvironment, ...environment, ...(fetch ? { fetch } : {}) },
  });
  return new Writes(http, signer);
}
