/** Strangers and hostile peers: TCP and TLS with any certificate and any bytes. */
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { SeedSigner } from '../../../src/keys/signing.js';
import { certificateOf, pemOf, withPrivateKeyPem } from '../../../src/peers/transport/certificate.js';
import type { PeerAddress } from '../../../src/peers/transport/transport.js';

const ignore = (): void => {};

export const rawTcp = ({ host, port }: PeerAddress): Socket => connectTcp({ host, port }).on('error', ignore);

/** Private key and certificate of a node; another certificate may be given. */
export const credentialsOf = (signer: SeedSigner, certificate = certificateOf(signer)): { key: string; cert: string } =>
  withPrivateKeyPem(signer, (pem) => ({ key: pem.toString(), cert: pemOf(certificate) }));

export function rawTls({ host, port }: PeerAddress, options: ConnectionOptions = {}): TLSSocket {
  const socket = connectTls({ host, port, rejectUnauthorized: false, ...options });
  socket.on('error', ignore);
  return socket;
}

/** Resolves once the other side has closed, with everything that it sent. */
export async function closing(socket: Socket): Promise<string> {
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes.toString('latin1');
  });
  if (!socket.closed) await once(socket, 'close');
  return said;
}
