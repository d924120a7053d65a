/** A node that has one peer, where no node runs. */
import { formatMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { signer } from '../../world/people.js';
import { TestNode } from './node.js';

export const absentPeer = signer('absent peer').did;

export function nodeWithPeer(): Promise<TestNode> {
  const address = { family: 'ip4', host: '127.0.0.1', port: 1, peerId: peerIdOf(absentPeer) } as const;
  return TestNode.start({
    variables: { SVC_LISTEN: '/ip4/127.0.0.1/tcp/0', SVC_PEERS: formatMultiaddr(address), SVC_PEERS_ALONE: '0' },
    store: (dir) => SqliteStore.open({ dir, world: realEnvironment }),
  });
}
