/**
 * Where the requests of a connection begin and end (RFC 9112, 6 and 7), so that Node's parser gets one at a time, and
 * only behind a strict request line.
 */
import type { IncomingMessage } from 'node:http';
import { bounds } from '../../../core/bounds.js';

/** One space between its parts, and no protocol but HTTP/1: Node's parser also takes two spaces, RTSP and ICE. */
const strictLine = /^[^ ]+ [^ ]+ HTTP\/1\.[01]\r?\n$/;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** A chunk's size: the parser refuses signs and prefixes, which `parseInt` takes. */
const chunkSize = /^[0-9A-Fa-f]+/;
/** The longest request line, with its method and version, around a target that the parser still takes. */
const longestLine = bounds.headerBytes + 64;
/** The longest line with the size of a chunk. */
const longestSize = 2 * bounds.headerBytes;
/** Length of a line end: a line that is no longer is empty. */
const emptyLine = 2;
/** The CRLF behind the data of a chunk. */
const chunkEnd = 2;

type MessagePart = 'request line' | 'headers' | 'end of head' | 'body' | 'chunk size' | 'chunk' | 'trailers';

/** A request line that is not strict; a line that is too long. */
export type Misframing = 'not HTTP' | 'too long';

export class Framing {
  #part: MessagePart = 'request line';
  /** The part of a request line or of a chunk's size that has arrived. */
  #text = '';
  /** Bytes of a header's or trailer's line that have arrived. */
  #lineBytes = 0;
  /** Bytes left of the body, or of the chunk and its line end. */
  #left = 0;
  #refused: Misframing | undefined;

  /** What is wrong with the last bytes: nothing from them on may be passed to the parser. */
  get refused(): Misframing | undefined {
    return this.#refused;
  }

  /** @returns how many of the bytes belong to the current head or body */
  take(bytes: Buffer): number {
    // The parser has refused the head, or the connection is not HTTP any more.
    if (this.#part === 'end of head') return bytes.length;
    let at = 0;
    do at = this.#step(bytes, at);
    while (at < bytes.length && !this.#isAtAnEnd && this.#refused === undefined);
    return at;
  }

  /**
   * The parser has seen the head of this request; its body follows.
   * @returns false if no head has ended here: the parser has read the bytes differently
   */
  begin({ headers }: IncomingMessage): boolean {
    if (this.#part !== 'end of head') return false;
    this.#left = Number(headers['content-length'] ?? 0);
    // An empty one counts for nothing; the parser refuses all others.
    if (headers['transfer-encoding']?.toLowerCase().includes('chunked')) this.#start('chunk size');
    else this.#start(this.#left > 0 ? 'body' : 'request line');
    return true;
  }

  get #isAtAnEnd(): boolean {
    return this.#part === 'end of head' || (this.#part === 'request line' && this.#text === '');
  }

  #start(part: MessagePart): void {
    this.#part = part;
    this.#text = '';
    this.#lineBytes = 0;
  }

  /** @returns where the next step begins */
  #step(bytes: Buffer, at: number): number {
    switch (this.#part) {
      case 'request line':
        return this.#requestLine(bytes, at);
      case 'headers':
        return this.#line(bytes, at, 'end of head');
      case 'trailers':
        return this.#line(bytes, at, 'request line');
      case 'chunk size':
        return this.#chunkSize(bytes, at);
      default:
        return this.#counted(bytes, at);
    }
  }

  #requestLine(bytes: Buffer, at: number): number {
    let from = at;
    // RFC 9112, 2.2: empty lines before a request are ignored.
    if (this.#text === '') while (bytes[from] === lineFeed || bytes[from] === carriageReturn) from += 1;
    if (from === bytes.length) return from;
    const end = this.#read(bytes, from);
    if (!this.#text.endsWith('\n')) {
      if (this.#text.length > longestLine) this.#refused = 'too long';
    } else {
      if (!strictLine.test(this.#text)) this.#refused = 'not HTTP';
      this.#start('headers');
    }
    return end;
  }

  #line(bytes: Buffer, at: number, next: MessagePart): number {
    const end = endOfLine(bytes, at);
    this.#lineBytes += end - at;
    if (bytes[end - 1] !== lineFeed) return end;
    if (this.#lineBytes <= emptyLine) this.#start(next);
    this.#lineBytes = 0;
    return end;
  }

  #chunkSize(bytes: Buffer, at: number): number {
    const end = this.#read(bytes, at);
    if (this.#text.endsWith('\n')) {
      const size = Number.parseInt(chunkSize.exec(this.#text)?.[0] ?? '', 16);
      this.#left = size + chunkEnd;
      this.#start(size === 0 ? 'trailers' : 'chunk');
    } else if (this.#text.length > longestSize) this.#refused = 'too long';
    return end;
  }

  #counted(bytes: Buffer, at: number): number {
    const taken = Math.min(this.#left, bytes.length - at);
    // A size that is no number is the parser's to refuse.
    if (Number.isNaN(taken)) return bytes.length;
    this.#left -= taken;
    if (this.#left === 0) this.#start(this.#part === 'chunk' ? 'chunk size' : 'request line');
    return at + taken;
  }

  /** Adds the text up to the end of the line. @returns where it ends */
  #read(bytes: Buffer, at: number): number {
    const end = endOfLine(bytes, at);
    this.#text += bytes.toString('latin1', at, end);
    return end;
  }
}

function endOfLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(lineFeed, at);
  return end < 0 ? bytes.length : end + 1;
}
