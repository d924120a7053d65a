/** Nodes of several operators on this machine, each with its own keystore and database, connected with real TLS. */
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { createLog } from '../../../src/core/log.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { askNode, noNodeRunning } from '../../../src/node/control/client.js';
import type { NodeOptions } from '../../../src/node/dependencies.js';
import type { PeerView } from '../../../src/peers/peering/peer-view.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { TestNode, type TestNodeOptions, type Variables } from '../../node/support/node.js';
import { dropShared } from '../../node/support/shared-store.js';
import { until } from '../../support/until.js';

const listening = { SVC_LISTEN: '/ip4/127.0.0.1/tcp/0', SVC_PEERS_ALONE: '1' };

export interface HomeOptions {
  readonly dir?: string;
  readonly variables?: Variables;
  readonly parts?: Partial<NodeOptions>;
  readonly store?: TestNodeOptions['store'];
  readonly world?: TestNodeOptions['world'];
}

/** One operator's node. */
export class Home {
  private constructor(
    readonly node: TestNode,
    readonly options: HomeOptions,
  ) {}

  static async start(options: HomeOptions = {}): Promise<Home> {
    const { dir, variables, parts, store, world } = options;
    const node = await TestNode.start({
      ...(dir === undefined ? {} : { dir }),
      ...(store ? { store } : {}),
      ...(world ? { world } : {}),
      parts: { ...(process.env.SVC_TEST_LOG ? { log: createLog({ level: 'warn' }) } : {}), ...parts },
      variables: { ...listening, ...variables },
    });
    return new Home(node, options);
  }

  get did(): string {
    return this.node.did;
  }

  /** A command of this node's operator. */
  async operator(act: string, input: JsonObject = {}): Promise<Body> {
    const answer = await askNode(this.node.dir, act, input);
    if (answer === noNodeRunning) expect.fail('the node runs');
    if (isRefusal(answer)) expect.fail(`${answer.code}: ${answer.detail}`);
    return answer as Body;
  }

  async address(): Promise<string> {
    return (await this.operator('peers.list')).listens[0];
  }

  /** Where this node reaches the other. */
  async addressOf({ did }: Home): Promise<string> {
    const { peers } = await this.operator('peers.list');
    return peers.find((peer: PeerView) => peer.did === did).multiaddrs[0];
  }

  async get(path: string, status = 200): Promise<Body> {
    return expectStatus(await this.node.client.get(`/api/v1${path}`), status);
  }

  async peers(): Promise<readonly PeerView[]> {
    return (await this.get('/node/peers?limit=100')).peers;
  }

  async peer({ did }: { readonly did: string }): Promise<PeerView> {
    const found = (await this.peers()).find((each) => each.did === did);
    if (!found) expect.fail(`${did} is a peer`);
    return found;
  }

  /** Waits until this node has followed the other's journal as it is now. */
  async sees(other: Home): Promise<void> {
    const { seq } = await other.node.store.head();
    await until(`${other.did} is followed up to ${seq}`, () => this.peer(other), {
      is: ({ followed }) => followed >= seq,
    });
  }

  /** Waits until this node has followed all that it knows of the other's journal. */
  async isCurrentWith(other: { readonly did: string }): Promise<PeerView> {
    return until(`${other.did} is current`, () => this.peer(other), { is: ({ status }) => status === 'current' });
  }

  stop(): Promise<void> {
    return this.node.stop();
  }
}

/** Makes each home a peer of all others. */
export async function acquaint(homes: readonly Home[]): Promise<void> {
  for (const home of homes) {
    const address = await home.address();
    for (const other of homes) if (other !== home) await other.operator('peers.add', { address });
  }
}

export async function discard(homes: readonly Home[]): Promise<void> {
  for (const { node } of homes) {
    await node.stop().catch(() => {});
    await dropShared(node.dir);
    await rm(node.dir, { recursive: true, force: true });
  }
}
