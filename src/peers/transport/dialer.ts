/**
 * Opens sockets to a peer: TLS 1.3 with our certificate, and no byte of a request before the other end has proven its
 * peer id.
 */
import { lookup } from 'node:dns';
import type { LookupFunction, TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { PeerBounds } from '../../core/bounds.js';
import { peerIdOf } from '../../core/codecs/peer-id.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { Signer } from '../../keys/signing.js';
import { certificateOf, didOfCertificate, pemOf, withPrivateKeyPem } from './certificate.js';
import { tlsProfile } from './tls-profile.js';
import { type PeerAddress, PeerError } from './transport.js';

/**
 * Looks up one name at a time. `dns.lookup` reads /etc/hosts, but with a slow server it blocks a thread that file
 * access needs.
 */
function lookupInTurn(): LookupFunction {
  let turn: Promise<void> = Promise.resolve();
  return (name, options, done) => {
    turn = turn.then(
      () =>
        new Promise((resolve) => {
          lookup(name, options, (error, address, family) => {
            resolve();
            done(error, address, family);
          });
        }),
    );
  };
}

/** Ignores errors of a socket that is not in use: its `close` event follows. */
const ignore = (): void => {};

export class Dialer {
  readonly #context: SecureContext;
  readonly #lookup = lookupInTurn();

  constructor(
    private readonly world: Environment,
    private readonly bounds: PeerBounds,
    signer: Signer,
  ) {
    this.#context = withPrivateKeyPem(signer, (key) =>
      createSecureContext({ ...tlsProfile, key, cert: pemOf(certificateOf(signer)) }),
    );
  }

  /** Rejects with a PeerError: unreachable, silent, wrong-peer. @param name the address as text, for messages */
  dial(address: PeerAddress, name: string): Promise<TLSSocket> {
    const { host, port, family } = address;
    return new Promise((resolve, reject) => {
      const target: ConnectionOptions & Partial<TcpNetConnectOpts> = {
        host,
        port,
        family: family.endsWith('4') ? 4 : 6,
        lookup: this.#lookup,
        secureContext: this.#context,
        ALPNProtocols: [...tlsProfile.ALPNProtocols],
        // Checked by us instead: the certificate is self-signed.
        rejectUnauthorized: false,
      };
      const socket = connect(target);
      const fail = (error: PeerError) => {
        timer.cancel();
        socket.destroy();
        reject(error);
      };
      const timer = this.world.after(this.bounds.connectMs, () => {
        fail(new PeerError('silent', `${name}: no connection within ${this.bounds.connectMs} ms`));
      });
      socket.on('error', ignore);
      socket.once('error', (error) => fail(failureOf(error, name)));
      socket.once('close', () => fail(new PeerError('unreachable', `${name}: closed the connection at once`)));
      socket.once('secureConnect', () => {
        const found = peerIdAt(socket);
        if (found !== address.peerId) {
          return fail(new PeerError('wrong-peer', `${name}: the node there proves ${found ?? 'no peer id'}`));
        }
        timer.cancel();
        socket.setNoDelay(true).setKeepAlive(true);
        resolve(socket);
      });
    });
  }
}

/** The peer id that the other end has proven; undefined if its certificate is not of our form. */
function peerIdAt(socket: TLSSocket): string | undefined {
  const certificate = socket.isSessionReused() ? undefined : socket.getPeerX509Certificate();
  const did = certificate && didOfCertificate(certificate);
  return did === undefined ? undefined : peerIdOf(did);
}

function failureOf(error: NodeJS.ErrnoException, name: string): PeerError {
  // TLS alerts, and replies that are not TLS: a wrong certificate, an older TLS version, or another protocol.
  const isTls = error.code?.startsWith('ERR_SSL_') || error.code === 'EPROTO';
  return isTls
    ? new PeerError('wrong-peer', `${name}: no peer answers there (${error.code})`)
    : new PeerError('unreachable', `${name}: ${messageOf(error)}`);
}
