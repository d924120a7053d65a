/**
 * Decides when the next request of a connection starts. `Intake` passes bytes to Node's parser one request at a time.
 * Node itself would parse everything that one read returned (64 KiB, some 650 requests) and start each of them; here
 * the rest stays unparsed until there is room. `Turn` decides whose request is next.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { bounds } from '../../../core/bounds.js';
import type { Environment } from '../../../core/environment.js';

/** The budget of all connections for bytes that were read but not parsed. */
export interface Unparsed {
  /** Takes bytes from the budget; false if the connection must be closed. */
  hold(bytes: number): boolean;
  give(bytes: number): void;
}

/** One space between its parts, and no protocol but HTTP/1: node's parser also takes two spaces, RTSP and ICE. */
const strictLine = /^[^ ]+ [^ ]+ HTTP\/1\.[01]\r?\n$/;
const lineEnd = 0x0a;
const carriageReturn = 0x0d;

/** In the form of an error of node's parser. */
export class BadRequestLine extends Error {
  override name = 'BadRequestLine';
  readonly code = 'HPE_INVALID_VERSION';
}

/** Checks the line that each request of a connection begins with, however its bytes arrive. */
class RequestLine {
  /** What has come of the line; undefined: it is complete, and the rest of its request follows. */
  #line: string | undefined = '';

  /** The next bytes begin another request. */
  restart(): void {
    this.#line = '';
  }

  /** Whether the line may be passed on, as far as it has come. */
  accepts(bytes: Buffer): boolean {
    if (this.#line === undefined) return true;
    let from = 0;
    // RFC 9112, 2.2: empty lines before a request are ignored.
    if (this.#line === '') while (bytes[from] === lineEnd || bytes[from] === carriageReturn) from += 1;
    const end = bytes.indexOf(lineEnd, from);
    this.#line += bytes.toString('latin1', from, end < 0 ? bytes.length : end + 1);
    // The parser refuses a line that is too long.
    if (end < 0 && this.#line.length <= bounds.headerBytes) return true;
    const isFine = end < 0 || strictLine.test(this.#line);
    this.#line = undefined;
    return isFine;
  }
}

const endOfHead = Buffer.from('\r\n\r\n');
/** No request is shorter, so that bare line ends are not passed one by one. */
const leastBytes = 16;
const ignore = () => {};

export class Intake {
  /** Bytes that were read but not parsed; null marks the end of the connection. */
  readonly #waiting: (Buffer | null)[] = [];
  readonly #push: (bytes: Buffer | null) => boolean;
  readonly #read: (size: number) => void;
  /** Reading from the operating system's handle is stopped. */
  #isStopped = false;
  /** Bytes left of the current request's body, if its length was announced. */
  #bodyLeft = 0;
  #current: IncomingMessage | undefined;
  readonly #line = new RequestLine();
  /** Bytes of memory behind `#waiting`, as counted in `unparsed`. */
  #held = 0;

  constructor(
    private readonly socket: Socket,
    private readonly hasRoom: () => boolean,
    private readonly unparsed: Unparsed,
    private readonly refuseLine: () => void,
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
    // Node's parser reads the operating system's handle directly, bypassing the stream, until a listener for data was
    // added.
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
  expectBodyOf(request: IncomingMessage): void {
    this.#current = request;
    const { headers } = request;
    const length = Number(headers['content-length'] ?? 0);
    this.#bodyLeft = Number.isSafeInteger(length) ? length : 0;
  }

  /** @returns whether the socket may read on, as `push` of a stream does */
  deliver(): boolean {
    let readOn = true;
    while (this.#waiting.length > 0) {
      // The end of the connection needs no memory, and passing it on at once aborts requests whose client has gone.
      if (this.socket.isPaused() || (this.#waiting[0] !== null && !this.hasRoom())) return false;
      const bytes = this.#next();
      if (bytes !== null && !this.#isHttp(bytes)) {
        this.#waiting.splice(0);
        this.refuseLine();
        break;
      }
      readOn = this.#push(bytes);
    }
    this.#release();
    // The stream assumes that a read is in progress, and would not start one.
    if (readOn && this.#isStopped) this.#readOn(0);
    return readOn;
  }

  #isHttp(bytes: Buffer): boolean {
    if (this.#current?.complete) {
      this.#current = undefined;
      this.#line.restart();
    }
    // The body of a request that has begun.
    return this.#current !== undefined || this.#line.accepts(bytes);
  }

  #readOn(size: number): void {
    this.#isStopped = false;
    if (!this.socket.destroyed) this.#read(size);
  }

  /** Counts the whole buffer of the read, because a slice keeps it in memory. */
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

interface TurnWaiter {
  readonly address: string;
  /** Starts one request. */
  resume(): void;
}

export class Turn {
  readonly #waiting = new Map<string, Set<TurnWaiter>>();
  /** Requests in progress, by address. */
  readonly #inWork = new Map<string, number>();
  #began: number | undefined;
  #granted: TurnWaiter | undefined;

  constructor(private readonly world: Environment) {}

  began({ address }: TurnWaiter): void {
    this.#inWork.set(address, (this.#inWork.get(address) ?? 0) + 1);
  }

  ended({ address }: TurnWaiter): void {
    const left = (this.#inWork.get(address) ?? 0) - 1;
    if (left > 0) this.#inWork.set(address, left);
    else this.#inWork.delete(address);
  }

  /** Whether another request may start now; otherwise its connection is resumed later. */
  allows(waiter: TurnWaiter): boolean {
    if (this.#granted === waiter) {
      this.#granted = undefined;
      return true;
    }
    if (!this.#inWork.has(waiter.address) || (this.#waiting.size === 0 && !this.#isOver())) return true;
    this.wait(waiter);
    return false;
  }

  wait(waiter: TurnWaiter): void {
    this.#start();
    const same = this.#waiting.get(waiter.address) ?? new Set();
    this.#waiting.set(waiter.address, same.add(waiter));
  }

  leave(waiter: TurnWaiter): void {
    const same = this.#waiting.get(waiter.address);
    if (same?.delete(waiter) && same.size === 0) this.#waiting.delete(waiter.address);
  }

  #start(): void {
    if (this.#began !== undefined) return;
    this.#began = this.world.monotonic();
    this.world.after(0, () => this.#next());
  }

  #isOver(): boolean {
    this.#start();
    return this.world.monotonic() - this.#began! > bounds.turnMs;
  }

  #next(): void {
    this.#began = undefined;
    if (this.#waiting.size === 0) return;
    do {
      const [[, same]] = this.#waiting as unknown as [[string, Set<TurnWaiter>]];
      const [first] = same as unknown as [TurnWaiter];
      this.leave(first);
      if (same.size > 0) {
        // Moves the address behind the others.
        this.#waiting.delete(first.address);
        this.#waiting.set(first.address, same);
      }
      this.#granted = first;
      first.resume();
      this.#granted = undefined;
    } while (this.#waiting.size > 0 && !this.#isOver());
  }
}
