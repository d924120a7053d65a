/** A home in a separate process that a test kills, with its writers. Its store may be embedded or on MongoDB. */
import { join } from 'node:path';
import { expect } from 'chai';
import { isRefusal } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { askNode, noNodeRunning } from '../../../src/node/control/client.js';
import { copiesFor, openJournal } from '../../../src/node/store-choice.js';
import { auditOwn } from '../../../src/peers/audit/own-audit.js';
import { auditPeers, type PeersReport } from '../../../src/peers/audit/peers-audit.js';
import type { TradeFacts } from '../../../src/peers/audit/trade-facts.js';
import type { PeerView } from '../../../src/peers/peering/peer-view.js';
import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import type { StoreReader } from '../../../src/store/store.js';
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
  /** Seconds after which Tokens of other homes' residents go home; absent: they stay. */
  readonly homeward?: number;
  /** How long a write waits for the answer of another home; absent: the default. */
  readonly answerWaitMs?: number;
}

export class KilledHome {
  node!: NodeProcess;
  did!: string;
  readonly writers: Writer[] = [];
  readonly dir: string;

  constructor(readonly options: KilledHomeOptions) {
    this.dir = options.dir ?? scratch();
  }

  static async withOwnStore(more: Pick<KilledHomeOptions, 'homeward' | 'answerWaitMs'> = {}): Promise<KilledHome> {
    return new KilledHome({
      port: await freePort(),
      database: onMongo ? await TestDatabase.fresh(network) : undefined,
      ...more,
    });
  }

  /** Starts a process without waiting until it listens. */
  spawn(): NodeProcess {
    const { port, database, homeward = 0, answerWaitMs } = this.options;
    return NodeProcess.spawn(this.dir, [], {
      SVC_LISTEN: `/ip4/127.0.0.1/tcp/${port}`,
      SVC_PEERS_HOMEWARD: String(homeward),
      SVC_PEERS_ALONE: '5',
      SVC_RATE_LIMIT_LOOPBACK: 'off',
      ...(database ? { SVC_STORE: database.url } : {}),
      ...(answerWaitMs === undefined ? {} : { SVC_SETTLEMENT_WAIT_MS: String(answerWaitMs) }),
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

  /** Waits until it has all that the other one's journal has now. */
  async sees(other: KilledHome): Promise<void> {
    const height = await other.height();
    await until(`${this.did} has all of ${other.did}`, () => this.peer(other.did), {
      is: ({ adopted }) => adopted >= height,
      longestMs: 60_000,
    });
  }

  get acknowledged(): readonly string[] {
    return acknowledgedBy(this.writers);
  }

  /** Reads what is on disk, of the own journal or of the copy of another home's. Nothing may run there. */
  async reads<T>(home: string, read: (journal: StoreReader) => Promise<T>): Promise<T> {
    const { database } = this.options;
    if (!database) {
      const place = home === this.did ? this.dir : join(this.dir, 'peers', home.slice('did:svc:'.length));
      const journal = openFrozen(place);
      return read(journal).finally(() => journal.close());
    }
    const store = await database.open();
    const replicas = store.replicas();
    const journal = home === this.did ? store : await replicas.open(home, 'read');
    return read(journal).finally(async () => {
      await replicas.close();
      await store.close();
    });
  }

  /**
   * Audits its journal and its copies of the others, as `svc-node audit --peers` does.
   * @returns also what the journal says about requests
   */
  async audit(): Promise<{ readonly report: PeersReport; readonly facts: TradeFacts }> {
    const place = { store: this.options.database?.url ?? 'embedded', dataDir: this.dir, network } as const;
    const { journal } = await openJournal(place);
    try {
      const own = await auditOwn(journal, { network });
      const report = await auditPeers(own, await copiesFor(place), { catalogue, network });
      return { report, facts: own.facts! };
    } finally {
      await journal.close();
    }
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
