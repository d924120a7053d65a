/**
 * Lets the bytes of a connection through to node's parser a request at a time. Node by itself parses all that one read has
 * brought (64 KiB, some 650 requests) and starts each of them; here the rest stays bytes until there is room for it.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Room for bytes that were read and wait, of all connections. */
export interface Unparsed {
  /** Whether the connection may go on with so many of its own. */
  hold(bytes: number): boolean;
  give(bytes: number): void;
}

const endOfHead = Buffer.from('\r\n\r\n');
/** No request is shorter, and line ends alone are not let through one by one. */
const leastBytes = 16;
const ignore = () => {};

export class Intake {
  /** What was read and not parsed; null: the client has ended. */
  readonly #waiting: (Buffer | null)[] = [];
  readonly #push: (bytes: Buffer | null) => boolean;
  readonly #read: (size: number) => void;
  /** The operating system's handle has been told to stop. */
  #isStopped = false;
  /** Of the body of the latest request, where its length was announced. */
  #bodyLeft = 0;
  /** Bytes of memory behind what waits, as `unparsed` counts them. */
  #held = 0;

  constructor(
    private readonly socket: Socket,
    private readonly hasRoom: () => boolean,
    private readonly unparsed: Unparsed,
  ) {
    this.#push = socket.push.bind(socket);
    this.#read = socket._read.bind(socket);
    socket.push = (bytes: Buffer | null) => {
      this.#waiting.push(bytes);
      const readOn = this.deliver();
      if (this.#waiting.length > 0 && bytes !== null) this.#hold(bytes);
      this.#isStopped = !readOn;
      return readOn;
    };
    socket._read = (size) => {
      if (this.#waiting.length === 0) this.#readOn(size);
    };
    // Node's parser reads the operating system's handle past the stream until somebody else listens for data.
    socket.on('data', ignore);
    socket.off('data', ignore);
    socket.on('resume', () => this.deliver());
    socket.once('close', () => {
      this.#waiting.splice(0);
      this.#release();
    });
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** The body that follows passes in one piece. */
  expectBodyOf({ headers }: IncomingMessage): void {
    const length = Number(headers['content-length'] ?? 0);
    this.#bodyLeft = Number.isSafeInteger(length) ? length : 0;
  }

  /** @returns whether the socket may read on, as `push` of a stream does */
  deliver(): boolean {
    let readOn = true;
    while (this.#waiting.length > 0) {
      // The end takes no room, and who waits for nobody any more should be told soon.
      if (this.socket.isPaused() || (this.#waiting[0] !== null && !this.hasRoom())) return false;
      readOn = this.#push(this.#next());
    }
    this.#release();
    // The stream takes itself to be reading, and would not ask again.
    if (readOn && this.#isStopped) this.#readOn(0);
    return readOn;
  }

  #readOn(size: number): void {
    this.#isStopped = false;
    if (!this.socket.destroyed) this.#read(size);
  }

  /** The remainder of what one read has brought keeps all of it in memory. */
  #hold({ buffer }: Buffer): void {
    this.#held += buffer.byteLength;
    if (!this.unparsed.hold(buffer.byteLength)) this.socket.destroy();
  }

  #release(): void {
    if (this.#held > 0) this.unparsed.give(this.#held);
    this.#held = 0;
  }

  #next(): Buffer | null {
    const [bytes] = this.#waiting as [Buffer | null];
    const end = bytes === null ? 0 : this.#endOfNext(bytes);
    if (bytes === null || end >= bytes.length) return this.#waiting.shift()!;
    this.#waiting[0] = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  #endOfNext(bytes: Buffer): number {
    const body = Math.min(this.#bodyLeft, bytes.length);
    this.#bodyLeft -= body;
    if (body > 0) return body;
    const head = bytes.indexOf(endOfHead);
    return head < 0 ? bytes.length : Math.max(leastBytes, head + endOfHead.length);
  }
}
