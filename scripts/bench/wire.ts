/** A TCP connection between two nodes that the benchmark can cut. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class Wire {
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** Forwards what reaches a new port of this machine to the other port. */
  static open(to: number): Promise<Wire> {
    return new Promise((resolve) => {
      const server = createServer((from) => wire.#accept(from, to));
      let wire: Wire;
      server.listen(0, '127.0.0.1', () => {
        wire = new Wire(server, (server.address() as { port: number }).port);
        resolve(wire);
      });
    });
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  #accept(from: Socket, port: number): void {
    if (this.#isCut) return void from.destroy();
    const to = connect(port, '127.0.0.1');
    for (const [one, other] of [[from, to] as const, [to, from] as const]) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
