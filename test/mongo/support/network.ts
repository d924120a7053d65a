/** The network between a process and the server, as a TCP proxy that a test can cut. */
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

export class Network {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #mode: 'open' | 'deaf' | 'closed' = 'open';

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

  /** The URL with the proxy instead of the server. */
  through(url: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return url.replace(/\/\/[^/]+/, `//127.0.0.1:${port}`);
  }

  /** Ends every connection, and lets none through until `open`. */
  close(): void {
    this.#mode = 'closed';
    this.#end();
  }

  /** Ends every connection; new ones pass. */
  cut(): void {
    this.#end();
  }

  /** Requests still reach the server; what it answers does not come back. */
  swallowReplies(): void {
    this.#mode = 'deaf';
  }

  open(): void {
    const wasDeaf = this.#mode === 'deaf';
    this.#mode = 'open';
    // What was swallowed never comes: those who wait for it must hear so.
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
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes) => {
      if (this.#mode !== 'deaf') client.write(bytes);
    });
  }
}
