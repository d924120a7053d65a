/**
 * Decides when the next request of a connection starts. `Intake` passes bytes to Node's parser one request at a time.
 * Node itself would parse everything that one read returned (64 KiB, some 650 requests) and start each of them; here
 * the rest stays unparsed until there is room. `Turn` decides whose request is next.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { bounds } from '../../../core/bounds.js';
import type { Environment } from '../../../core/environment.js';
import { Framing, type Misframing } from './framing.js';

/** The budget of all connections for bytes that were read but not parsed. */
export interface Unparsed {
  /** Takes bytes from the budget; false if the connection must be closed. */
  hold(bytes: number): boolean;
  give(bytes: number): void;
}

/** Like an error of Node's parser, with its codes. */
export class MisframedRequest extends Error {
  override name = 'MisframedRequest';
  readonly code: string;

  constructor(what: Misframing) {
    super(`the request is ${what}`);
    this.code = what === 'too long' ? 'HPE_HEADER_OVERFLOW' : 'HPE_INVALID_VERSION';
  }
}

const ignore = () => {};

export class Intake {
  /** Bytes that were read but not parsed; null marks the end of the connection. */
  #waiting: (Buffer | null)[] = [];
  readonly #push: (bytes: Buffer | null) => boolean;
  readonly #read: (size: number) => void;
  /** Reading from the operating system's handle is stopped. */
  #isStopped = false;
  readonly #framing = new Framing();
  /** Whether bytes come through the stream: in other runtimes than Node.js they do not. */
  #isFed = false;
  /** What comes is read and dropped: only the end of the connection still counts. */
  #isDiscarding = false;
  #leftToDiscard = bounds.lingerBytes;
  /** Bytes of memory behind `#waiting`, as counted in `unparsed`. */
  #held = 0;

  constructor(
    private readonly socket: Socket,
    private readonly hasRoom: () => boolean,
    private readonly unparsed: Unparsed,
    private readonly refuse: (error: MisframedRequest) => void,
  ) {
    this.#push = socket.push.bind(socket);
    this.#read = socket._read.bind(socket);
    socket.push = (bytes: Buffer | null) => {
      this.#isFed = true;
      // The end of the connection is noticed only while the socket is read.
      if (bytes !== null && (this.#isDiscarding || this.#framing.refused !== undefined)) {
        this.#leftToDiscard -= bytes.length;
        if (this.#leftToDiscard < 0) socket.destroy();
        return true;
      }
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

  /** The parser has seen the head of this request, and its body follows. */
  began(request: IncomingMessage): void {
    // The parser found a request where the framing finds none: which of the two is right cannot be known.
    if (this.#isFed && !this.#framing.begin(request)) this.socket.destroy();
  }

  /** @returns whether the socket may read on, as `push` of a stream does */
  deliver(): boolean {
    let readOn = true;
    while (this.#waiting.length > 0) {
      // The end of the connection needs no memory, and passing it on at once aborts requests whose client has gone.
      if (this.socket.isPaused() || (this.#waiting[0] !== null && !this.hasRoom())) return false;
      const bytes = this.#next();
      const { refused } = this.#framing;
      if (bytes === null || refused === undefined) {
        readOn = this.#push(bytes);
        continue;
      }
      this.#drop();
      this.refuse(new MisframedRequest(refused));
    }
    this.#release();
    // The stream assumes that a read is in progress, and would not start one.
    if (readOn && this.#isStopped) this.#readOn(0);
    return readOn;
  }

  /** The request is refused, and its sender may read the answer only when it has sent everything. */
  discard(): void {
    this.#isDiscarding = true;
    this.#drop();
    this.deliver();
  }

  #drop(): void {
    this.#waiting = this.#waiting.filter((each) => each === null);
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
    const end = bytes === null ? 0 : this.#framing.take(bytes);
    if (bytes === null || end >= bytes.length) return this.#waiting.shift()!;
    this.#waiting[0] = bytes.subarray(end);
    return bytes.subarray(0, end);
  }
}

interface TurnWaiter {
  readonly address: string;
  /** Starts one request. */
  resume(): void;
}

/** Whose requests start next: addresses take turns. What waits here is the queue of an overloaded node. */
export class Turn {
  /** When each began to wait, by address; monotonic ms. */
  readonly #waiting = new Map<string, Map<TurnWaiter, number>>();
  #waitingCount = 0;
  /** Requests in progress, by address and in all. */
  readonly #inWork = new Map<string, number>();
  #inWorkCount = 0;
  #began: number | undefined;
  /** Addresses of which a request began in this turn, also if it has ended. */
  readonly #begun = new Set<string>();
  #granted: TurnWaiter | undefined;
  /** Since when the request has waited that has the turn. */
  #since: number | undefined;

  constructor(private readonly world: Environment) {}

  /** Waiters. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** At most so many waiters have had no turn when a request of this address has one: the addresses take turns. */
  behind(address: string): number {
    const own = this.#waiting.get(address)?.size ?? 0;
    return Math.min(this.#waitingCount, (own + 1) * (this.#waiting.size + 1));
  }

  /** Requests in progress. */
  get inWork(): number {
    return this.#inWorkCount;
  }

  /** @returns when the request arrived: it may have waited for its turn; monotonic ms */
  began({ address }: TurnWaiter): number {
    this.#start();
    this.#begun.add(address);
    this.#inWork.set(address, (this.#inWork.get(address) ?? 0) + 1);
    this.#inWorkCount += 1;
    const since = this.#since ?? this.world.monotonic();
    this.#since = undefined;
    return since;
  }

  ended({ address }: TurnWaiter): void {
    this.#inWorkCount -= 1;
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
    const addresses = this.#inWork.size + this.#waiting.size;
    const isKnown = this.#inWork.has(waiter.address) || this.#begun.has(waiter.address);
    const isFirst = !isKnown && addresses < bounds.addressesInWork;
    if (isFirst || (this.#waiting.size === 0 && !this.#isOver())) return true;
    this.wait(waiter);
    return false;
  }

  wait(waiter: TurnWaiter): void {
    this.#start();
    const same = this.#waiting.get(waiter.address) ?? new Map<TurnWaiter, number>();
    if (same.has(waiter)) return;
    this.#waitingCount += 1;
    this.#waiting.set(waiter.address, same.set(waiter, this.world.monotonic()));
  }

  /** Resolves when a request may begin more work: at once, or in a later turn. */
  async hasTime(address: string): Promise<void> {
    if (this.#isOver()) await new Promise<void>((resume) => this.wait({ address, resume }));
  }

  leave(waiter: TurnWaiter): void {
    const same = this.#waiting.get(waiter.address);
    if (!same?.delete(waiter)) return;
    this.#waitingCount -= 1;
    if (same.size === 0) this.#waiting.delete(waiter.address);
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
    this.#startThoseTooMany();
    this.#began = undefined;
    this.#begun.clear();
    if (this.#waiting.size === 0) return;
    do {
      const [[, same]] = this.#waiting as unknown as [[string, Map<TurnWaiter, number>]];
      this.#startFirst(same);
    } while (this.#waiting.size > 0 && !this.#isOver());
  }

  /** Most of them are refused, which costs little, and takes nothing from the time of the others. */
  #startThoseTooMany(): void {
    const began = this.world.monotonic();
    const late = began - bounds.requestWaitMs;
    let before: number;
    do {
      before = this.#waitingCount;
      for (const same of [...this.#waiting.values()]) {
        const isOver = this.world.monotonic() - began > bounds.refusalsMs;
        if (isOver || this.#waitingCount <= bounds.requestsWaiting) return;
        const [since] = same.values() as unknown as [number];
        if (since <= late) this.#startFirst(same);
      }
    } while (this.#waitingCount < before);
  }

  #startFirst(same: Map<TurnWaiter, number>): void {
    const [[first, since]] = same as unknown as [[TurnWaiter, number]];
    this.leave(first);
    if (same.size > 0) {
      // Moves the address behind the others.
      this.#waiting.delete(first.address);
      this.#waiting.set(first.address, same);
    }
    this.#granted = first;
    this.#since = since;
    first.resume();
    this.#granted = undefined;
    this.#since = undefined;
  }
}
