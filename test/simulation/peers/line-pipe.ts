/** A stream of lines through the simulated network: both ends, with the back-pressure of the real one. */
import type { PeerBounds } from '../../../src/core/bounds.js';
import type { Timer } from '../../../src/core/environment.js';
import {
  type LineStream,
  type LineStreamOptions,
  type LineWriter,
  PeerError,
  type PeerErrorKind,
} from '../../../src/peers/transport/transport.js';
import type { Network } from './network.js';
import type { SimulatedProcess } from './simulated-process.js';

export interface LinePipeOptions {
  readonly network: Network;
  readonly client: SimulatedProcess;
  readonly server: SimulatedProcess;
  readonly bounds: PeerBounds;
  readonly stream: LineStreamOptions;
  /** The client has ended it or given up. */
  readonly onClosed: () => void;
  /** The server has disconnected a client that does not read. */
  readonly onCut: () => void;
}

/** How often a sender checks a receiver that does not read. */
const probeMs = 100;

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length + 1, 0);

export class LinePipe implements LineWriter, LineStream {
  /** Sent but not yet arrived: chunks of lines, or the end. */
  readonly #under: (readonly string[] | 'end')[] = [];
  #unsent = 0;
  #isSending = false;
  #isServerOpen = true;
  #drained: (() => void)[] = [];
  #arrived: string[] = [];
  #ended: 'ended' | PeerError | undefined;
  #wake: (() => void) | undefined;
  #idle: Timer;

  constructor(private readonly options: LinePipeOptions) {
    this.#idle = this.#watch();
    options.stream.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => this.close();

  // The server's side.

  async write(lines: readonly string[]): Promise<boolean> {
    const { bounds, server, onCut } = this.options;
    if (server.reaches('before', 'a line is sent')) return new Promise(() => {});
    if (!this.#isServerOpen) return false;
    if (lines.length === 0) return true;
    this.#under.push(lines);
    this.#unsent += bytesOf(lines);
    this.#send();
    if (this.#unsent <= bounds.unsentBytes) return true;
    let unsent = this.#unsent;
    const look = (): void => {
      if (unsent - this.#unsent < Math.min(bounds.stallBytes, unsent)) onCut();
      unsent = this.#unsent;
      timer = server.after(bounds.stallMs, look);
    };
    let timer = server.after(bounds.stallMs, look);
    await new Promise<void>((resolve) => this.#drained.push(resolve));
    timer.cancel();
    return this.#isServerOpen;
  }

  end(): void {
    if (!this.#isServerOpen) return;
    this.#isServerOpen = false;
    this.#under.push('end');
    this.#send();
  }

  /** The server's side learns that the connection is closed. */
  serverBroken(): void {
    this.#isServerOpen = false;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #send(): void {
    const { network, client, server } = this.options;
    if (this.#isSending || this.#under.length === 0) return;
    this.#isSending = true;
    network.deliver(
      server.name,
      client.name,
      () => {
        this.#isSending = false;
        if (this.#ended) return;
        if (bytesOf(this.#arrived) > this.options.bounds.aheadBytes) {
          network.scheduler.after(probeMs, () => this.#send());
          return;
        }
        this.#arrive(this.#under.shift()!);
        if (this.#under.length === 0) for (const resolve of this.#drained.splice(0)) resolve();
        this.#send();
      },
      () => !this.#ended,
    );
  }

  // The client's side.

  async take(most: { readonly lines?: number; readonly bytes?: number } = {}): Promise<readonly string[] | undefined> {
    const { bounds, client } = this.options;
    while (this.#arrived.length === 0) {
      if (this.#ended === 'ended') return undefined;
      if (this.#ended) throw this.#ended;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (client.reaches('after', 'lines are taken')) return new Promise(() => {});
    let count = 0;
    for (let bytes = 0; count < Math.min(this.#arrived.length, most.lines ?? bounds.takeLines); count++) {
      bytes += this.#arrived[count]!.length;
      if (count > 0 && bytes > (most.bytes ?? bounds.takeBytes)) break;
    }
    return this.#arrived.splice(0, count);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (let lines = await this.take(); lines; lines = await this.take()) yield* lines;
    } finally {
      this.close();
    }
  }

  close(): void {
    if (this.fail('closed', 'this side closed the stream')) this.#arrived = [];
  }

  /** Nothing more arrives. @returns false if it had already ended */
  fail(kind: PeerErrorKind, what: string): boolean {
    return this.#close(new PeerError(kind, `${this.options.server.name}: ${what}`));
  }

  /** The connection broke: some of the lines under way still arrive. */
  clientBroken(): void {
    const [torn] = this.#under;
    const { draws } = this.options.network;
    if (!this.#ended && Array.isArray(torn)) this.#arrived.push(...torn.slice(0, draws.below(torn.length + 1)));
    this.fail('unreachable', 'the connection broke');
  }

  #arrive(piece: readonly string[] | 'end'): void {
    this.#idle.cancel();
    if (piece === 'end') return void this.#close('ended');
    this.#unsent -= bytesOf(piece);
    this.#idle = this.#watch();
    const longest = this.options.stream.lineBytes ?? this.options.bounds.lineBytes;
    if (piece.some(({ length }) => length > longest))
      this.fail('too-large', `sent a line of more than ${longest} bytes`);
    else this.#arrived.push(...piece);
    this.#wake?.();
  }

  #watch(): Timer {
    const { client, bounds, stream } = this.options;
    const idleMs = stream.idleMs ?? bounds.idleMs;
    return client.after(idleMs, () => {
      if (bytesOf(this.#arrived) > bounds.aheadBytes) this.#idle = this.#watch();
      else this.fail('silent', `sent nothing for ${idleMs} ms`);
    });
  }

  #close(end: 'ended' | PeerError): boolean {
    if (this.#ended) return false;
    this.#ended = end;
    this.#idle.cancel();
    this.options.stream.signal?.removeEventListener('abort', this.#abort);
    this.#wake?.();
    this.options.onClosed();
    return true;
  }
}
