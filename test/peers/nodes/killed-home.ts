/** A home in a separate process that a test kills, with its writers. Its store may be embedded or on MongoDB. */
import { expect } from 'chai';
import { isRefusal } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { askNode, noNodeRunning } from '../../../src/node/control/client.js';
import { openJournal } from '../../../src/node/store-choice.js';
import type { PeerView } from '../../../src/peers/peering/peer-view.js';
import { type AuditReport, audit } from '../../../src/verify/audit.js';
import { NodeProcess } from '../../crash/support/process.js';
import { Writer } from '../../crash/support/writer.js';
import { TestDatabase } from '../../mongo/support/database.js';
import { expectStatus } from '../../node/support/answers.js';
import { onMongo } from '../../node/support/shared-store.js';
import { freePort } from '../../support/free-port.js';
import { scratch } from '../../support/scratch.js';
import { until } from '../../support/until.js';

const network = 'devnet' as const;
const writersEach = 2;

export interface KilledHomeOptions {
  readonly port: number;
  /** Absent: embedded. */
  readonly database?: TestDatabase | undefined;
  /** Data directory of an earlier process of this home; absent: a new one. */
  readonly dir?: string;
}

export class KilledHome {
  node!: NodeProcess;
  did!: string;
  readonly writers: Writer[] = [];
  readonly dir: string;

  constructor(readonly options: KilledHomeOptions) {
    this.dir = options.dir ?? scratch();
  }

  static async withOwnStore(): Promise<KilledHome> {
    return new KilledHome({
      port: await freePort(),
      database: onMongo ? await TestDatabase.fresh(network) : undefined,
    });
  }

  /** Starts a process without waiting until it listens. */
  spawn(): NodeProcess {
    const { port, database } = this.options;
    return NodeProcess.spawn(this.dir, [], {
      SVC_LISTEN: `/ip4/127.0.0.1/tcp/${port}`,
      SVC_PEERS_ALONE: '5',
      SVC_RATE_LIMIT_LOOPBACK: 'off',
      ...(database ? { SVC_STORE: database.url } : {}),
    });
  }

  async start(): Promise<void> {
    const node = this.spawn();
    await node.ready();
    this.node = node;
    this.did = expectStatus(await this.node.client.get('/api/v1/node')).did;
  }

  /** @param claims faucet claims of each writer */
  async settle(claims: number): Promise<void> {
    const dids: string[] = [];
    while (dids.length < writersEach) {
      const writer = await Writer.create(this.node.client, dids);
      this.writers.push(writer);
      dids.push(writer.did);
      for (let claim = 0; claim < claims; claim++) {
        expectStatus(await this.node.client.post('/api/v1/faucet', { did: writer.did }));
      }
    }
  }

  /** Finds out by the nonce which requests in flight were accepted, as a client does. */
  async hear(writers: readonly Writer[] = this.writers): Promise<void> {
    const { client } = this.node;
    for (const writer of writers) {
      const { nonce } = expectStatus(await client.get(`/api/v1/wallets/${writer.did}`));
      for (const asked of writer.asked)
        if (asked.hash === undefined && asked.nonce <= nonce) await writer.send(client, asked);
      writer.settle(nonce);
    }
  }

  async operator(act: string, input = {}) {
    const answer = await askNode(this.dir, act, input);
    if (answer === noNodeRunning || isRefusal(answer)) expect.fail(`${act}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async address(): Promise<string> {
    return ((await this.operator('peers.list')).listens as string[])[0]!;
  }

  async peer(did: string): Promise<PeerView> {
    const { peers } = (await this.operator('peers.list')) as unknown as { readonly peers: readonly PeerView[] };
    return peers.find((each) => each.did === did) ?? expect.fail(`${did} is a peer`);
  }

  height = async (): Promise<number> => expectStatus(await this.node.client.get('/api/v1/node')).height;

  /** Waits until it is connected, and has all that the other one's journal has now. */
  async sees(other: KilledHome): Promise<void> {
    const height = await other.height();
    await until(`${this.did} has all of ${other.did}`, () => this.peer(other.did), {
      is: ({ status, followed }) => status === 'current' && followed >= height,
    });
  }

  get acknowledged(): readonly string[] {
    return acknowledgedBy(this.writers);
  }

  /** Audits what is on disk, as `svc-node audit` does. */
  async audit(): Promise<AuditReport> {
    const { journal } = await this.#journal();
    try {
      return await audit(journal, catalogue, network);
    } finally {
      await journal.close();
    }
  }

  /** @returns those of the hashes of events that are not in the journal on disk */
  async missing(hashes: readonly string[]): Promise<readonly string[]> {
    const { journal } = await this.#journal();
    try {
      const found = await Promise.all(hashes.map((hash) => journal.entryByEvent(hash)));
      return hashes.filter((_, index) => !found[index]);
    } finally {
      await journal.close();
    }
  }

  #journal() {
    return openJournal({ store: this.options.database?.url ?? 'embedded', dataDir: this.dir, network });
  }
}

export const acknowledgedBy = (writers: readonly Writer[]): readonly string[] =>
  writers.flatMap(({ acknowledged }) => acknowledged.map(({ hash }) => hash!));

/** Each becomes a peer of all others. */
export async function acquaintKilled(homes: readonly KilledHome[]): Promise<void> {
  for (const home of homes) {
    const address = await home.address();
    for (const other of homes) if (other !== home) await other.operator('peers.add', { address });
  }
}
