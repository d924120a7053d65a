/** The server side of a stream of lines, with back-pressure through TCP. */

import { encoding, type LineCompression } from './compression.js';
import { type OutflowOptions, outflow } from './outflow.js';
import type { LineWriter } from './transport.js';

export interface LineSenderOptions extends OutflowOptions {
  /** Absent: the client does not accept compressed lines. */
  readonly compression: LineCompression | undefined;
}

export class LineSender implements LineWriter {
  constructor(private readonly options: LineSenderOptions) {
    const { response } = options;
    const compressed = options.compression ? { 'content-encoding': encoding } : {};
    response.writeHead(200, { 'content-type': 'application/x-ndjson', ...compressed });
    response.flushHeaders();
  }

  async write(lines: readonly string[]): Promise<boolean> {
    const { response, bounds, compression } = this.options;
    if (!this.#isOpen) return false;
    if (lines.length === 0) return true;
    const text = `${lines.join('\n')}\n`;
    const bytes = compression ? await compression.compressed(text) : text;
    if (!this.#isOpen) return false;
    response.write(bytes);
    // Below the stream's own bound, which Node.js 22 has raised, nothing says when it has drained.
    if (response.writableLength <= bounds.unsentBytes || !response.writableNeedDrain) return true;
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
