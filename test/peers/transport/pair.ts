/** Two nodes' transports on 127.0.0.1. */
import { createHash } from 'node:crypto';
import { type PeerBounds, peerBounds } from '../../../src/core/bounds.js';
import { type Environment, realEnvironment } from '../../../src/core/environment.js';
import { type SeedSigner, signerOf } from '../../../src/keys/signing.js';
import { TlsTransport } from '../../../src/peers/transport/tls-transport.js';
import type {
  PeerAddress,
  PeerConnection,
  PeerListener,
  PeerService,
  PeerTransport,
} from '../../../src/peers/transport/transport.js';

export const signerNamed = (name: string): SeedSigner => signerOf(createHash('sha256').update(name).digest());

export const anywhere = { family: 'ip4', host: '127.0.0.1', port: 0 } as const;

export type Handle = PeerService['handle'];

export interface Pair {
  readonly ada: PeerTransport;
  readonly bob: PeerTransport;
  readonly listener: PeerListener;
  /** Ada's address. */
  readonly address: PeerAddress;
  /** From Bob to Ada. */
  readonly connection: PeerConnection;
  readonly faults: unknown[];
  close(): Promise<void>;
}

interface PairOptions {
  readonly bounds?: Partial<PeerBounds>;
  readonly world?: Environment;
  readonly admit?: PeerService['admit'];
}

export const transportOf = (name: string, { bounds = {}, world = realEnvironment }: PairOptions = {}): TlsTransport =>
  new TlsTransport({ world, signer: signerNamed(name), bounds: { ...peerBounds, ...bounds } });

/** Ada listens and answers with `handle`; Bob is connected to her. */
export async function pairOf(handle: Handle, options: PairOptions = {}): Promise<Pair> {
  const [ada, bob] = [transportOf('ada', options), transportOf('bob', options)];
  const faults: unknown[] = [];
  const { admit = () => true } = options;
  const listener = await ada.listen([anywhere], { admit, handle, onFault: (error) => faults.push(error) });
  const address = listener.addresses[0]!;
  return {
    ...{ ada, bob, listener, address, connection: bob.dial(address), faults },
    async close() {
      await Promise.all([ada.close(), bob.close()]);
    },
  };
}
