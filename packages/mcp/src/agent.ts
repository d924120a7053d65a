/** The agent's own key at its node: what all tools read and write with. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing, writeFileDurably } from '../../../src/core/durable-file.js';
import type { ClientEnvironment } from '../../client/src/environment.js';
import { Homes } from '../../client/src/homes.js';
import type { Http } from '../../client/src/http.js';
import type { HeldKey } from '../../client/src/signing/key.js';
import { noEvents, type Outbox } from '../../client/src/signing/key-writes.js';
import { Writes } from '../../client/src/writes.js';
import { ToolRefusal } from './data-block.js';
import { definitionsOf } from './definitions.js';
import { Proposals, type RefusedEvent } from './proposals.js';

export interface AgentLimits {
  /** Patterns of `kind.action` that may be proposed; without it, all but those on accounts and identities. */
  readonly allow?: readonly string[];
  /** An act that costs more is confirmed by a person; 0: every act. */
  readonly askAbove: number;
  /** The same for the sum of a day of acts that were not confirmed. */
  readonly askAboveDaily: number;
}

export interface AgentOptions {
  readonly key: HeldKey;
  /** Reads without a key. */
  readonly http: Http;
  /** For what is kept on disk; private. */
  readonly folder: string;
  /** The network that the key is for. */
  readonly network?: string | undefined;
  readonly networkArbiter?: string | undefined;
  readonly limits: AgentLimits;
  readonly payments?: AgentPayments;
}

/** HTTP APIs that may be paid. */
export interface AgentPayments {
  /** As in a URL: `weather.example`. */
  readonly hosts: readonly string[];
  /** Also over `http` on this machine: for tests. */
  readonly loopback?: boolean;
}

interface PinnedPlace {
  readonly home: string;
  readonly network: string;
}

export class Agent {
  readonly did: string;
  readonly limits: AgentLimits;
  readonly proposals: Proposals;
  readonly environment: ClientEnvironment;
  /** Read once: a node's definitions change when it starts anew. */
  readonly definitions = once(() => definitionsOf(this.options.http));
  readonly #writes = once(() => this.#connected([]));

  constructor(readonly options: AgentOptions) {
    this.did = options.key.did;
    this.limits = options.limits;
    this.environment = options.http.options.environment;
    this.proposals = new Proposals(options.folder, this.environment);
  }

  /** Reads as the DID of the key. */
  async get<T>(...asked: Parameters<Http['get']>): Promise<T> {
    return (await this.writes()).http.get<T>(...asked);
  }

  /**
   * @param outbox keeps what is signed
   * @param refused events that earlier programs have sent: nothing is signed unless the node shows others in their places
   */
  async writes(outbox?: Outbox, refused: readonly RefusedEvent[] = []): Promise<Writes> {
    const writes = await (refused.length > 0 ? this.#connected(refused) : this.#writes());
    return outbox && writes.signer && 'key' in writes.signer ? writes.as({ ...writes.signer, outbox }) : writes;
  }

  async #connected(refused: readonly RefusedEvent[]): Promise<Writes> {
    const { key, http, networkArbiter } = this.options;
    const { home, network } = await this.place();
    const { table } = await this.definitions();
    const homes = new Homes(http);
    const known = new Map(refused.map(({ hash, nonce }) => [hash, { nonce }]));
    homes.signers.held.set(key.did, { ...noEvents(home, network), refused: known });
    return new Writes(http, { key, home, network, actions: table, ...(networkArbiter && { networkArbiter }) }, homes);
  }

  /** Home and network, as they were when this key was first used here: no event is signed for others. */
  async place(): Promise<PinnedPlace> {
    const { http, folder, network } = this.options;
    const file = join(folder, 'place.json');
    const known = await unlessMissing(readFile(file, 'utf8'));
    const pinned = known === undefined ? undefined : (JSON.parse(known) as PinnedPlace);
    const said = pinned ?? (await http.get<PinnedPlace>('/node'));
    if (network !== undefined && said.network !== network)
      throw new ToolRefusal(`The agent's key is for ${network}, and the node is of ${said.network}.`);
    if (!/^did:svc:z[1-9A-HJ-NP-Za-km-z]{40,64}$/.test(said.home) || !/^[a-z]{1,32}$/.test(said.network))
      throw new ToolRefusal('The node does not say what home and network it has.');
    if (!pinned) await writeFileDurably(file, JSON.stringify({ home: said.home, network: said.network }));
    return said;
  }
}

/** Does it at the first call, and again only after a failure. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= work().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
