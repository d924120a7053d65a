/** A proxy in front of a MongoDB server that counts the commands of one process, their bytes, and how long each took. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { realEnvironment as world } from '../../../src/core/environment.js';

export interface CommandCount {
  count: number;
  /** Bytes of the commands and of their replies. */
  sent: number;
  received: number;
  /** From each command to its reply, ms. */
  waitedMs: number;
}

const headerBytes = 16;
/** The opcode of commands and replies. Others are sent by the driver's handshake alone. */
const message = 2013;

/** Calls back with each message of a socket: 16 bytes of header, then a document (the driver does not use other forms). */
function eachMessage(socket: Socket, take: (bytes: Buffer) => void): void {
  let waiting: Buffer = Buffer.alloc(0);
  socket.on('data', (some) => {
    waiting = waiting.length === 0 ? some : Buffer.concat([waiting, some]);
    while (waiting.length >= headerBytes && waiting.length >= waiting.readInt32LE(0)) {
      const length = waiting.readInt32LE(0);
      take(waiting.subarray(0, length));
      waiting = waiting.subarray(length);
    }
  });
}

/** `<command> <collection>`: the first member of the command's document, which follows flags, kind and length. */
function nameOf(bytes: Buffer): string | undefined {
  if (bytes.readInt32LE(12) !== message) return undefined;
  const document = headerBytes + 4 + 1;
  const end = bytes.indexOf(0, document + 5);
  const name = bytes.toString('latin1', document + 5, end);
  const isText = bytes[document + 4] === 2;
  return isText ? `${name} ${bytes.toString('latin1', end + 5, end + 4 + bytes.readInt32LE(end + 1))}` : name;
}

export class MongoWire {
  readonly counts = new Map<string, CommandCount>();
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param url of one server, whose host and port the proxy's `url` replaces */
  static async before(url: string): Promise<MongoWire> {
    const target = new URL(url.replace(/^mongodb:/, 'http:'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const wire = new MongoWire(server, url.replace(target.host, `127.0.0.1:${port}`));
    server.on('connection', (socket) => wire.#serve(socket, connect(Number(target.port), target.hostname)));
    return wire;
  }

  #serve(client: Socket, server: Socket): void {
    const open = new Map<number, readonly [name: string, at: number]>();
    eachMessage(client, (bytes) => {
      const name = nameOf(bytes);
      if (name === undefined) return;
      open.set(bytes.readInt32LE(4), [name, world.monotonic()]);
      const counted = this.#of(name);
      counted.count++;
      counted.sent += bytes.length;
    });
    eachMessage(server, (bytes) => {
      const [name, at] = open.get(bytes.readInt32LE(8)) ?? [];
      if (name === undefined || at === undefined) return;
      open.delete(bytes.readInt32LE(8));
      const counted = this.#of(name);
      counted.received += bytes.length;
      counted.waitedMs += world.monotonic() - at;
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => this.#sockets.delete(one));
    }
  }

  #of(name: string): CommandCount {
    const known = this.counts.get(name) ?? { count: 0, sent: 0, received: 0, waitedMs: 0 };
    this.counts.set(name, known);
    return known;
  }

  close(): void {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
