/**
 * Passes the bytes of a connection to node's parser one request at a time. Node by itself parses everything that one
 * read returned (64 KiB, some 650 requests) and starts all of them; here the rest stays unparsed until there is
 * capacity.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The budget for bytes that were read and not parsed, of all connections. */
export interface Unparsed {
  /** Whether the connection may hold so many bytes. */
  hold(bytes: number): boolean;
  give(bytes: number): void;
}

const endOfHead = Buffer.from('\r\n\r\n');
/** No request is shorter; bare line ends are not passed one by one. */
const leastBytes = 16;
const ignore = () => {};

export class Intake {
  /** Bytes read and not parsed; null: the client has ended the connection. */
  readonly #waiting: (Buffer | null)[] = [];
  readonly #push: (bytes: Buffer | null) => boolean;
  readonly #read: (size: number) => void;
  /** Reading from the operating system's handle is stopped. */
  #isStopped = false;
  /** Bytes left of the current request's body, if its length was announced. */
  #bodyLeft = 0;
  /** Bytes of memory behind `#waiting`, as counted in `unparsed`. */
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
    // Node's parser reads the operating system's handle directly, bypassing the stream, until another listener for data
    // is added.
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

  /** Lets the body of this request pass in one piece. */
  expectBodyOf({ headers }: IncomingMessage): void {
    const length = Number(headers['content-length'] ?? 0);
    this.#bodyLeft = Number.isSafeInteger(length) ? length : 0;
  }

  /** @returns whether the socket may read on, as `push` of a stream does */
  deliver(): boolean {
    let readOn = true;
    while (this.#waiting.length > 0) {
      // The end of the connection takes no memory, and requests whose client has gone should be aborted soon.
      if (this.socket.isPaused() || (this.#waiting[0] !== null && !this.hasRoom())) return false;
      readOn = this.#push(this.#next());
    }
    this.#release();
    // The stream believes that it is reading, and would not ask again.
    if (readOn && this.#isStopped) this.#readOn(0);
    return readOn;
  }

  #readOn(size: number): void {
    this.#isStopped = false;
    if (!this.socket.destroyed) this.#read(size);
  }

  /** A slice keeps the whole buffer of its read in memory, so the whole buffer counts. */
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
