/**
 * The server for peers: TCP, then TLS 1.3 in which both sides prove their keys, then HTTP/1.1. Each step has its bounds
 * before the next one begins, and nothing that a peer sends can throw outside of its connection.
 */
import { constants } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { PeerBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { formatMultiaddr, type Multiaddr } from '../../core/codecs/multiaddr.js';
import { peerIdOf } from '../../core/codecs/peer-id.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { assert } from '../../core/refusal.js';
import type { Signer } from '../../keys/signing.js';
import { certificateOf, didOfCertificate, pemOf, withPrivateKeyPem } from './certificate.js';
import { LineCompression } from './compression.js';
import { Conduct } from './conduct.js';
import { ConnectionLimits, type ConnectionPlace } from './connection-limits.js';
import { type InboundConnection, InboundReply, InboundRequest } from './inbound.js';
import { tlsProfile } from './tls-profile.js';
import {
  type InboundPeer,
  type PeerAddress,
  PeerError,
  type PeerListener,
  type PeerService,
  type TransportCounts,
} from './transport.js';

export interface PeerServerOptions {
  readonly world: Environment;
  readonly bounds: PeerBounds;
  readonly signer: Signer;
  readonly service: PeerService;
}

/** A connection whose peer is authenticated and admitted. */
interface AdmittedConnection extends InboundConnection {
  readonly socket: TLSSocket;
  /** The newest reply. */
  response: ServerResponse | undefined;
}

/** Ends a connection without waiting for its other end. */
const reset = (socket: Socket): void => {
  socket.on('error', ignore).resetAndDestroy();
};

/** Ignores errors of one connection: its `close` event follows, and is handled. */
const ignore = (): void => {};

const endpointOf = ({ remoteFamily, remoteAddress, remotePort }: Socket): string =>
  remoteFamily === 'IPv6' ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;

export class PeerServer implements PeerListener {
  readonly #limits: ConnectionLimits;
  readonly #conduct: Conduct;
  readonly #compression = new LineCompression();
  readonly #counts = { accepted: 0, crowded: 0, unproven: 0, refused: 0, badInput: 0, slow: 0 };
  readonly #listeners: Server[] = [];
  readonly #tls: ReturnType<typeof createTlsServer>;
  readonly #http: ReturnType<typeof createHttpServer>;
  /** All raw sockets by their two addresses, because a TLS socket shows its raw socket's address, not the socket. */
  readonly #places = new Map<string, { readonly socket: Socket; readonly place: ConnectionPlace }>();
  readonly #admitted = new Map<Socket, AdmittedConnection>();
  #addresses: readonly PeerAddress[] = [];

  constructor(private readonly options: PeerServerOptions) {
    const { world, bounds, signer, service } = options;
    this.#limits = new ConnectionLimits(world, bounds, (address) => service.isKnown?.(address) ?? false);
    this.#conduct = new Conduct(world, bounds);
    this.#tls = withPrivateKeyPem(signer, (key) =>
      createTlsServer({
        ...tlsProfile,
        ALPNProtocols: [...tlsProfile.ALPNProtocols],
        key,
        cert: pemOf(certificateOf(signer)),
        requestCert: true,
        // Checked by us instead: the certificate is self-signed.
        rejectUnauthorized: false,
        // A resumed session would prove no key.
        secureOptions: constants.SSL_OP_NO_TICKET,
        handshakeTimeout: bounds.handshakeMs,
      }),
    );
    this.#tls.on('secureConnection', (socket) => this.#prove(socket));
    this.#tls.on('tlsClientError', (_error, socket) => {
      this.#counts.unproven++;
      socket.destroy();
    });
    this.#http = createHttpServer({
      maxHeaderSize: bounds.headerBytes,
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.arrivalMs,
      keepAliveTimeout: bounds.keepAliveMs,
      connectionsCheckingInterval: bounds.slowClientsCheckMs,
    });
    this.#http.maxHeadersCount = bounds.headers;
    this.#http.on('request', (message, response) => this.#answer(message, response));
    this.#http.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#failed(error, socket as Socket));
    // Starts the server's checks of slow clients, which begin with this event. The HTTP server itself never listens,
    // because it only takes authenticated connections.
    this.#http.emit('listening');
  }

  get addresses(): readonly PeerAddress[] {
    return this.#addresses;
  }

  connections(): readonly InboundPeer[] {
    return [...this.#admitted.values()].map(({ peer }) => peer);
  }

  counts(): TransportCounts {
    return { ...this.#counts };
  }

  disconnect(did: Did): void {
    for (const { peer, socket } of [...this.#admitted.values()]) if (peer.did === did) socket.destroy();
  }

  /** Rejects with a PeerError `listening`; no port is open then. */
  async listen(addresses: readonly Multiaddr[]): Promise<void> {
    const peerId = peerIdOf(this.options.signer.did);
    const bound: PeerAddress[] = [];
    try {
      for (const address of addresses) bound.push({ ...address, port: await this.#listenOn(address), peerId });
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#addresses = bound;
  }

  async close(): Promise<void> {
    const closed = this.#listeners.map((listener) => new Promise<void>((resolve) => listener.close(() => resolve())));
    for (const { socket } of this.#places.values()) reset(socket);
    // This server has never listened: `close` only ends the checks of slow clients.
    this.#http.close(ignore);
    await Promise.all(closed);
  }

  /** @returns the port on which it listens */
  #listenOn(address: Multiaddr): Promise<number> {
    const { family, host, port } = address;
    const listener = createTcpServer({ noDelay: true, keepAlive: true }, (socket) => this.#enter(socket));
    this.#listeners.push(listener);
    return new Promise((resolve, reject) => {
      listener.once('error', (error) => {
        reject(new PeerError('listening', `${formatMultiaddr(address)}: cannot listen there: ${messageOf(error)}`));
      });
      listener.listen({ host, port, ipv6Only: family === 'ip6', exclusive: true }, () => {
        // An error of `accept` (for example, no free file descriptors) affects only the connection that was not
        // accepted.
        listener.on('error', ignore);
        const bound = listener.address();
        assert(typeof bound === 'object' && bound !== null, 'a TCP server has a port');
        resolve(bound.port);
      });
    });
  }

  /** Registers a connection before its handshake. */
  #enter(socket: Socket): void {
    const { remoteAddress } = socket;
    const drop = () => {
      this.#counts.crowded++;
      reset(socket);
    };
    const place = remoteAddress === undefined ? undefined : this.#limits.enter(remoteAddress, drop);
    if (!place) {
      drop();
      return;
    }
    const key = this.#keyOf(socket);
    this.#places.set(key, { socket, place });
    socket.on('error', ignore);
    socket.once('close', () => {
      this.#places.delete(key);
      place.leave();
    });
    this.#tls.emit('connection', socket);
  }

  #keyOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
    `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

  /** Checks a connection after its handshake: it stays if its certificate has our form and its DID is admitted. */
  #prove(socket: TLSSocket): void {
    socket.on('error', ignore);
    const place = this.#places.get(this.#keyOf(socket))?.place;
    const certificate = socket.isSessionReused() ? undefined : socket.getPeerX509Certificate();
    const did = certificate && didOfCertificate(certificate);
    if (!place || did === undefined) {
      this.#counts.unproven++;
      socket.destroy();
      return;
    }
    place.proven();
    if (this.#conduct.isBarred(did) || !this.options.service.admit(did, socket.remoteAddress ?? '')) {
      this.#counts.refused++;
      socket.destroy();
      return;
    }
    this.#admit(socket, did);
  }

  #admit(socket: TLSSocket, did: Did): void {
    const { world, bounds } = this.options;
    const own = [...this.#admitted.values()].filter(({ peer }) => peer.did === did);
    // Ends the oldest: its end may be one that this side has not noticed yet.
    if (own.length >= bounds.connectionsPerDid) own[0]!.socket.destroy();
    const ended = new AbortController();
    const peer = { did, peerId: peerIdOf(did), address: endpointOf(socket), connectedAt: world.now() };
    this.#admitted.set(socket, {
      ...{ world, bounds, peer, socket, signal: ended.signal, response: undefined, compression: this.#compression },
      badInput: (count) => this.#badInput(did, count),
      mayRead: (bytes) => this.#conduct.mayRead(did, bytes),
      cut: () => {
        this.#counts.slow++;
        socket.destroy();
      },
    });
    this.#counts.accepted++;
    socket.once('close', () => {
      this.#admitted.delete(socket);
      ended.abort();
    });
    this.#http.emit('connection', socket);
  }

  #badInput(did: Did, count: number): void {
    this.#counts.badInput += count;
    if (this.#conduct.isBadInput(did, count)) this.disconnect(did);
  }

  /** Handles what is not HTTP, has too large a head, or is too slow. */
  #failed(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.#admitted.get(socket);
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#counts.slow++;
    else if (connection && error.code !== 'ECONNRESET') connection.badInput(1);
    socket.destroy();
  }

  #answer(message: IncomingMessage, response: ServerResponse): void {
    const connection = this.#admitted.get(message.socket);
    message.on('error', ignore);
    response.on('error', ignore);
    if (!connection) {
      message.socket.destroy();
      return;
    }
    const reply = new InboundReply(message, response, connection);
    // `writableEnded`, not `writableFinished`: the next request may arrive while the system still sends the end of a reply.
    const isBusy = connection.response?.writableEnded === false;
    connection.response = response;
    if (isBusy) {
      // Pipelined requests are rejected, because their number would have no bound.
      connection.badInput(1);
      connection.socket.destroy();
    } else if (!this.#conduct.requests(connection.peer.did)) {
      void reply.send(429);
    } else {
      void this.#handle(new InboundRequest(message, reply, connection), reply, response);
    }
  }

  async #handle(request: InboundRequest, reply: InboundReply, response: ServerResponse): Promise<void> {
    const { service } = this.options;
    try {
      await service.handle(request, reply);
      assert(reply.isBegun, `${request.method} ${request.path} has no reply`);
      response.end();
    } catch (error) {
      service.onFault(error);
      // A reply that has begun can't be replaced by an error.
      if (reply.isBegun) response.destroy();
      else void reply.send(500);
    }
  }
}
