/** A home that answers `GET /feed` with any bytes. It has a valid certificate, and is a peer of the node that it attacks. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import type { SeedSigner } from '../../../src/keys/signing.js';
import { signCheckpoint } from '../../../src/peers/checkpoint.js';
import { noHash } from '../../../src/store/entry.js';
import { credentialsOf } from '../../peers/transport/raw-client.js';
import { signer } from '../../world/people.js';

export class Liar {
  readonly signer: SeedSigner;
  /** Requests for the feed so far. */
  asked = 0;
  address = '';
  readonly #server;

  constructor(name: string, feed: (response: ServerResponse) => unknown) {
    this.signer = signer(name);
    const credentials = { ...credentialsOf(this.signer), requestCert: true, rejectUnauthorized: false };
    this.#server = createServer({ ...credentials, minVersion: 'TLSv1.3' }, (request, response) => {
      response.on('error', () => {});
      request.resume();
      if (request.url?.startsWith('/feed')) {
        this.asked++;
        response.writeHead(200, { 'content-encoding': 'gzip' }).flushHeaders();
        feed(response);
      } else response.writeHead(204).end();
    });
  }

  get did(): string {
    return this.signer.did;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    this.address = `/ip4/127.0.0.1/tcp/${port}/p2p/${peerIdOf(this.signer.did)}`;
    return this;
  }

  /** The line of a checkpoint of its empty journal. */
  heartbeat(): string {
    const checkpoint = signCheckpoint(
      this.signer,
      { seq: 0, chainHash: noHash },
      { network: 'devnet', time: Date.now() },
    );
    return JSON.stringify({ checkpoint, head: 0 });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Sends the piece until the reader has gone, as fast as it reads. */
export async function endlessly(response: ServerResponse, piece: Uint8Array): Promise<void> {
  const gone = once(response, 'close');
  let isOpen = true;
  void gone.then(() => {
    isOpen = false;
  });
  while (isOpen) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), gone]);
    else await new Promise(setImmediate);
  }
}

export const packed = (...lines: readonly string[]): Buffer => gzipSync(lines.map((line) => `${line}\n`).join(''));
