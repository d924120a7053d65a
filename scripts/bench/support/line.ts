/** A minimal keep-alive HTTP connection: sends a text and reads the status of the reply. */
import net from 'node:net';
import { AssertionError } from '../../../src/core/refusal.js';

export interface Answer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

export class Line {
  #text = '';
  /** Position of the reply's body in the text; unknown until its head is complete. */
  #body: { readonly from: number; readonly to: number } | undefined;
  #heard: ((answer: Answer) => void) | undefined;

  private constructor(
    readonly host: string,
    private readonly socket: net.Socket,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => {
      throw error;
    });
    socket.on('close', () => {
      if (this.#heard) throw new AssertionError('the server closed a connection that waited for an answer');
    });
  }

  /** @param localAddress the address of the client */
  static open(url: string, localAddress = '127.0.0.1'): Promise<Line> {
    const { host, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress }, () => {
        socket.off('error', reject);
        resolve(new Line(host, socket));
      });
      socket.once('error', reject);
    });
  }

  /** Sends one request; call it again only after the reply. */
  send(text: string): Promise<Answer> {
    return new Promise((resolve) => {
      this.#heard = resolve;
      this.socket.write(text, 'latin1');
    });
  }

  close(): void {
    this.#heard = undefined;
    this.socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#text += chunk.toString('latin1');
    this.#body ??= bodyOf(this.#text);
    if (!this.#body || this.#text.length < this.#body.to) return;
    const { from } = this.#body;
    const status = Number(this.#text.slice(9, 12));
    const answer = { status, head: this.#text.slice(0, from), body: this.#text.slice(from) };
    const heard = this.#heard;
    this.#text = '';
    this.#body = undefined;
    this.#heard = undefined;
    heard?.(answer);
  }
}

function bodyOf(text: string): { from: number; to: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text) ?? [];
  if (length === undefined) throw new AssertionError(`an answer without a length: ${text.slice(0, end)}`);
  return { from: end + 4, to: end + 4 + Number(length) };
}
