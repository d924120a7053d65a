/** The peers' transport on node:tls and node:http. */
import { type PeerBounds, peerBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Multiaddr } from '../../core/codecs/multiaddr.js';
import { peerIdOf } from '../../core/codecs/peer-id.js';
import type { Environment } from '../../core/environment.js';
import type { Signer } from '../../keys/signing.js';
import { TlsPeerConnection } from './connection.js';
import { Dialer } from './dialer.js';
import { PeerServer } from './server.js';
import type { PeerAddress, PeerConnection, PeerListener, PeerService, PeerTransport } from './transport.js';

export interface TlsTransportOptions {
  readonly world: Environment;
  /** The node's own key; it must have a seed. */
  readonly signer: Signer;
  readonly bounds?: PeerBounds;
}

export class TlsTransport implements PeerTransport {
  readonly did: Did;
  readonly peerId: string;
  readonly #world: Environment;
  readonly #bounds: PeerBounds;
  readonly #signer: Signer;
  readonly #dialer: Dialer;
  readonly #servers = new Set<PeerServer>();
  readonly #connections = new Set<PeerConnection>();

  constructor({ world, signer, bounds = peerBounds }: TlsTransportOptions) {
    this.did = signer.did;
    this.peerId = peerIdOf(signer.did);
    this.#world = world;
    this.#bounds = bounds;
    this.#signer = signer;
    this.#dialer = new Dialer(world, bounds, signer);
  }

  async listen(addresses: readonly Multiaddr[], service: PeerService): Promise<PeerListener> {
    const server = new PeerServer({ world: this.#world, bounds: this.#bounds, signer: this.#signer, service });
    await server.listen(addresses);
    this.#servers.add(server);
    return server;
  }

  dial(address: PeerAddress): PeerConnection {
    const connection = new TlsPeerConnection({
      ...{ world: this.#world, bounds: this.#bounds, dialer: this.#dialer, address },
      onClose: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    return connection;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await Promise.all([...this.#servers].map((server) => server.close()));
  }
}
