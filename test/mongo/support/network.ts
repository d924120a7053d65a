/** The network between a process and a server, as a TCP proxy that a test can cut. */
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

export class Network {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #mode: 'open' | 'deaf' | 'closed' = 'open';
  #trap: { readonly text: string; readonly spring: () => void } | undefined;
  #fuse: { pieces: number; readonly blow: () => void } | undefined;

  private constructor(private readonly target: { host: string; port: number }) {
    this.#server = createServer((client) => this.#connect(client));
    this.#server.unref();
  }

  static async to(url: string): Promise<Network> {
    const { hostname, port } = new URL(url);
    const network = new Network({ host: hostname, port: Number(port) });
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    return network;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The server's URL with the proxy's address. */
  through(url: string): string {
    return url.replace(/\/\/[^/]+/, `//127.0.0.1:${this.port}`);
  }

  /** Closes every connection, and accepts none until `open`. */
  close(): void {
    this.#mode = 'closed';
    this.#end();
  }

  /** Closes every connection, and accepts new ones. */
  cut(): void {
    this.#end();
  }

  /** Requests reach the server, and its replies are lost. */
  swallowReplies(): void {
    this.#mode = 'deaf';
  }

  /** The same, starting with the first insert into that collection. @returns when the insert has come */
  swallowRepliesToInsert(collection: string): Promise<void> {
    return new Promise((resolve) => {
      const text = `insert\0${String.fromCharCode(collection.length + 1)}\0\0\0${collection}\0`;
      this.#trap = { text, spring: resolve };
    });
  }

  /** Closes instead of passing on the nth chunk from now. @returns when it has */
  closeAfter(pieces: number): Promise<void> {
    return this.#after(pieces, () => this.close());
  }

  /** Cuts instead of passing on the nth chunk from now. @returns when it has */
  cutAfter(pieces: number): Promise<void> {
    return this.#after(pieces, () => this.cut());
  }

  #after(pieces: number, harm: () => void): Promise<void> {
    return new Promise((resolve) => {
      const blow = () => {
        this.#fuse = undefined;
        harm();
        resolve();
      };
      this.#fuse = { pieces, blow };
    });
  }

  /** Passes everything on from now, whatever was to happen. */
  open(): void {
    this.#fuse = undefined;
    this.#trap = undefined;
    const wasDeaf = this.#mode === 'deaf';
    this.#mode = 'open';
    // Lost replies never arrive, so the connections that wait for them are closed.
    if (wasDeaf) this.#end();
  }

  async dispose(): Promise<void> {
    this.close();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #end(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }

  #connect(client: Socket): void {
    if (this.#mode === 'closed') {
      client.destroy();
      return;
    }
    const server = createConnection(this.target);
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const end = () => {
      client.destroy();
      server.destroy();
      this.#pairs.delete(pair);
    };
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
    client.on('data', (bytes: Buffer) => {
      if (this.#fuse && --this.#fuse.pieces === 0) return this.#fuse.blow();
      if (this.#trap && bytes.includes(this.#trap.text)) {
        this.#mode = 'deaf';
        this.#trap.spring();
        this.#trap = undefined;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (this.#mode !== 'deaf') client.write(bytes);
    });
  }
}
