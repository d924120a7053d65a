/** The server side of a stream of lines, with back-pressure through TCP. */
import { type OutflowOptions, outflow } from './outflow.js';
import type { LineWriter } from './transport.js';

export class LineSender implements LineWriter {
  constructor(private readonly options: OutflowOptions) {
    const { response } = options;
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.flushHeaders();
  }

  async write(lines: readonly string[]): Promise<boolean> {
    const { response, bounds } = this.options;
    if (!this.#isOpen) return false;
    if (lines.length === 0) return true;
    response.write(`${lines.join('\n')}\n`);
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
