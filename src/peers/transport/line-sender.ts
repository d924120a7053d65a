/** The server side of a stream of lines, with back-pressure through TCP. */
import { type OutflowOptions, outflow } from './outflow.js';
import { type LinePacking, packing } from './packing.js';
import type { LineWriter } from './transport.js';

export interface LineSenderOptions extends OutflowOptions {
  /** Absent: the client does not accept packed lines. */
  readonly packing: LinePacking | undefined;
}

export class LineSender implements LineWriter {
  constructor(private readonly options: LineSenderOptions) {
    const { response } = options;
    const packed = options.packing ? { 'content-encoding': packing } : {};
    response.writeHead(200, { 'content-type': 'application/x-ndjson', ...packed });
    response.flushHeaders();
  }

  async write(lines: readonly string[]): Promise<boolean> {
    const { response, bounds, packing } = this.options;
    if (!this.#isOpen) return false;
    if (lines.length === 0) return true;
    const text = `${lines.join('\n')}\n`;
    response.write(packing ? packing.packed(text) : text);
    if (response.writableLength <= bounds.unsentBytes) return true;
    await outflow(this.options);
    return this.#isOpen;
  }

  end(): void {
    if (this.#isOpen) this.options.response.end();
  }

  get #isOpen(): boolean {
    const { response } = this.options;
    return !response.writableEnded && !response.destroyed && response.socket?.destroyed === false;
  }
}
