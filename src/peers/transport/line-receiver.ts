/** The client side of a stream of lines: reads ahead up to a bound, and then applies back-pressure through TCP. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { PeerBounds } from '../../core/bounds.js';
import type { Environment, Timer } from '../../core/environment.js';
import { isBadlyCompressed } from './compression.js';
import { GrowingBuffer } from './growing-buffer.js';
import { type LineStream, PeerError, type PeerErrorKind } from './transport.js';

const lineEnd = 0x0a;
/** The part of the time without lines by which a look is late if the event loop was busy. */
const lateShare = 10;

export interface LineReceiverOptions {
  readonly world: Environment;
  readonly bounds: PeerBounds;
  readonly lineBytes: number;
  readonly idleMs: number;
  /** Name of the peer, for messages. */
  readonly peer: string;
  /** What the peer sends. */
  readonly source: Readable;
  /** The same, decompressed: another stream where the peer compresses it. */
  readonly lines: Readable;
}

interface WaitingLine {
  readonly text: string;
  readonly cost: number;
}

export class LineReceiver implements LineStream {
  #lines: WaitingLine[] = [];
  /** Index of the first line that was not taken. */
  #first = 0;
  #waitingBytes = 0;
  /** The beginning of a line that has not arrived completely. */
  readonly #torn = new GrowingBuffer();
  /** When the last line was complete. */
  #heardAt: number;
  /** Bytes received beyond those of the lines: an honest peer compresses, and sends nothing between its lines. */
  #surplusBytes = 0;
  #idleTimer!: Timer;
  /** When the next look is due, monotonic ms. */
  #lookAt = 0;
  /** Why nothing more arrives: the regular end, or an error. */
  #end: 'ended' | PeerError | undefined;
  #wake: (() => void) | undefined;

  constructor(private readonly options: LineReceiverOptions) {
    const { source, lines, world } = options;
    this.#heardAt = world.monotonic();
    this.#lookLater();
    source.on('data', ({ length }: Buffer) => this.#count(length));
    lines.on('data', (piece: Buffer) => this.#receive(piece));
    lines.once('end', () => this.#ended());
    lines.on('error', (error: NodeJS.ErrnoException) => {
      if (isBadlyCompressed(error)) this.#bad('malformed', 'cannot be decompressed');
      else this.#fail('unreachable', 'the connection broke');
    });
    lines.once('close', () => this.#fail('unreachable', 'the connection broke'));
  }

  async take(most: { readonly lines?: number; readonly bytes?: number } = {}): Promise<readonly string[] | undefined> {
    while (this.#first === this.#lines.length) {
      if (this.#end === 'ended') return undefined;
      if (this.#end) throw this.#end;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#taken(most);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (let lines = await this.take(); lines; lines = await this.take()) yield* lines;
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#fail('closed', 'this side closed the stream');
    this.#lines = [];
    this.#first = 0;
  }

  #taken({ lines: mostLines, bytes: mostBytes }: { readonly lines?: number; readonly bytes?: number }): string[] {
    const { takeLines, takeBytes, aheadBytes, lineOverheadBytes } = this.options.bounds;
    const taken: string[] = [];
    let bytes = 0;
    while (this.#first < this.#lines.length && taken.length < (mostLines ?? takeLines)) {
      const { text, cost } = this.#lines[this.#first]!;
      if (taken.length > 0 && bytes + cost - lineOverheadBytes > (mostBytes ?? takeBytes)) break;
      taken.push(text);
      bytes += cost - lineOverheadBytes;
      this.#waitingBytes -= cost;
      this.#first++;
    }
    // Releases taken lines. Moving the rest at each call would cost quadratic time.
    if (this.#first === this.#lines.length || this.#first > takeLines) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
    const { lines: source } = this.options;
    if (this.#waitingBytes <= aheadBytes / 2 && source.isPaused()) {
      this.#heard();
      source.resume();
    }
    return taken;
  }

  #count(bytes: number): void {
    const { surplusBytes } = this.options.bounds;
    this.#surplusBytes += bytes;
    if (this.#surplusBytes > surplusBytes) this.#bad('malformed', `does not come within ${surplusBytes} bytes`);
  }

  #heard(): void {
    this.#heardAt = this.options.world.monotonic();
  }

  #receive(piece: Buffer): void {
    if (this.#end) return;
    const { lineBytes, bounds, lines } = this.options;
    const end = piece.lastIndexOf(lineEnd);
    if (end >= 0) {
      let whole = piece.subarray(0, end);
      if (this.#torn.length > 0) {
        this.#torn.append(whole);
        whole = this.#torn.view();
      }
      if (!this.#split(whole)) return;
      this.#heard();
      this.#torn.clear();
    }
    this.#torn.append(piece.subarray(end + 1));
    if (this.#torn.length > lineBytes) this.#bad('too-large', `has more than ${lineBytes} bytes`, this.#torn.view());
    else if (this.#waitingBytes > bounds.aheadBytes) lines.pause();
    this.#wake?.();
  }

  /**
   * Splits and keeps the lines. Returns false if the stream has failed. @param whole complete lines, without the line
   * end of the last one
   */
  #split(whole: Buffer): boolean {
    const { lineBytes, bounds } = this.options;
    if (!isUtf8(whole)) return this.#bad('malformed', 'is not UTF-8', whole);
    for (let from = 0; from <= whole.length; ) {
      const found = whole.indexOf(lineEnd, from);
      const to = found < 0 ? whole.length : found;
      if (to - from > lineBytes) {
        return this.#bad('too-large', `has more than ${lineBytes} bytes`, whole.subarray(from, to));
      }
      if (to === from) return this.#bad('malformed', 'is empty');
      const text = whole.toString('utf8', from, to);
      const cost = to - from + bounds.lineOverheadBytes;
      this.#lines.push({ text, cost });
      this.#waitingBytes += cost;
      this.#surplusBytes = Math.max(0, this.#surplusBytes - cost);
      from = to + 1;
    }
    return true;
  }

  #look(): void {
    const { world, idleMs, lines } = this.options;
    const now = world.monotonic();
    const silentMs = now - this.#heardAt;
    // A busy event loop runs late timers before it reads what has arrived in the meantime: the silence is not the peer's.
    if (lines.isPaused() || now - this.#lookAt > idleMs / lateShare) this.#heardAt = now;
    else if (silentMs >= idleMs) return void this.#fail('silent', `sent nothing for ${idleMs} ms`);
    this.#lookLater();
  }

  #lookLater(): void {
    const { world, idleMs } = this.options;
    this.#lookAt = Math.max(this.#heardAt + idleMs, world.monotonic() + 1);
    this.#idleTimer = world.after(this.#lookAt - world.monotonic(), () => this.#look());
  }

  #ended(): void {
    if (this.#torn.length > 0) return void this.#fail('malformed', 'ended within a line');
    this.#close('ended');
  }

  /** @returns false, so that callers can return it */
  #fail(kind: PeerErrorKind, what: string): false {
    this.#close(new PeerError(kind, `${this.options.peer}: ${what}`));
    return false;
  }

  /** Fails at a line that no honest peer sends. @param what the end of a sentence that begins with 'the line' */
  #bad(kind: PeerErrorKind, what: string, line: Buffer = Buffer.alloc(0)): false {
    const text = line.toString('utf8', 0, this.options.bounds.evidenceBytes);
    this.#close(new PeerError(kind, `${this.options.peer}: sent a line that ${what}`, undefined, { what, line: text }));
    return false;
  }

  #close(end: 'ended' | PeerError): void {
    if (this.#end) return;
    this.#end = end;
    this.#idleTimer.cancel();
    this.#torn.clear();
    this.options.source.destroy();
    this.options.lines.destroy();
    this.#wake?.();
  }
}
