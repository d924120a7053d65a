/** Homes of several operators on this machine that follow each other. */
import type { Did } from '../../../src/core/codecs/did.js';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { freePort } from '../../../test/support/free-port.js';
import { until } from '../../../test/support/until.js';
import type { Node } from './contest.js';
import { Founder } from './people.js';

/** A feed that takes longer is a failure of the run. */
export const longestMs = 120_000;

/** A home in a directory, and the port at which its peers reach it. */
export interface FoundedHome {
  readonly dir: string;
  readonly did: string;
  readonly port: number;
}

/** A home in this directory, which may have people. */
export async function made(dir: string): Promise<FoundedHome> {
  const founder = await Founder.open(dir);
  await founder.close();
  return { dir, did: founder.node.did, port: await freePort() };
}

export interface PeerHome extends FoundedHome {
  readonly node: Node;
}

export const peerVariables = (port: number, addresses: readonly string[]) => ({
  ...{ SVC_LOG_LEVEL: 'error', SVC_PEERS_ALONE: '1' },
  ...{ SVC_LISTEN: `/ip4/127.0.0.1/tcp/${port}`, SVC_PEERS: addresses.join(',') },
});
export const addressOf = (did: string, port: number): string =>
  `/ip4/127.0.0.1/tcp/${port}/p2p/${peerIdOf(did as Did)}`;

async function read<T>({ node }: Pick<PeerHome, 'node'>, path: string): Promise<T> {
  return (await (await fetch(`${node.url}/api/v1${path}`)).json()) as T;
}
export const heightOf = async (home: Pick<PeerHome, 'node'>): Promise<number> =>
  (await read<{ height: number }>(home, '/node')).height;

interface SeenPeer {
  readonly did: string;
  readonly status: string;
  readonly followed: number;
}
export const peersOf = async (home: Pick<PeerHome, 'node'>): Promise<readonly SeenPeer[]> =>
  (await read<{ peers: readonly SeenPeer[] }>(home, '/node/peers')).peers;

/** Waits until each home has followed each other one to its end. */
export const level = (homes: readonly PeerHome[]): Promise<unknown> =>
  until(
    'all feeds are followed to their ends',
    async () => {
      const heads = new Map<string, number>();
      for (const home of homes) heads.set(home.did, await heightOf(home));
      const seen = (await Promise.all(homes.map(peersOf))).flat();
      const isLevel = ({ did, status, followed }: SeenPeer) => status === 'current' && followed === heads.get(did);
      return seen.length === homes.length * (homes.length - 1) && seen.every(isLevel);
    },
    { longestMs },
  );
