/** An answer of JSON-RPC as it comes in: a long `result` in hex becomes bytes piece by piece, all else stays text. */
const opening = /^[^"]*(?:"(?!result")[^"]*"[^"]*)*"result"\s*:\s*"0x/;
/** An answer that says nothing for so long holds no dump. */
const longestHead = 64 * 1024;

export class HexResult {
  #text = '';
  #pieces: Buffer[] | undefined;
  #isOver = false;

  take(piece: Buffer): void {
    if (this.#isOver) return;
    this.#text += piece.toString('latin1');
    if (this.#pieces === undefined) this.#open();
    if (this.#pieces !== undefined) this.#decode(this.#pieces);
  }

  /** Of the result; undefined where it was none in hex, or is not whole. */
  get bytes(): Buffer | undefined {
    return this.#isOver && this.#pieces ? Buffer.concat(this.#pieces) : undefined;
  }

  /** The answer, where its result is no hex. */
  get rest(): string {
    return this.#text;
  }

  #open(): void {
    const found = opening.exec(this.#text.slice(0, longestHead));
    if (!found) return;
    this.#text = this.#text.slice(found[0].length);
    this.#pieces = [];
  }

  #decode(pieces: Buffer[]): void {
    const quote = this.#text.indexOf('"');
    this.#isOver = quote >= 0;
    const digits = this.#isOver ? quote : this.#text.length - (this.#text.length % 2);
    pieces.push(Buffer.from(this.#text.slice(0, digits), 'hex'));
    this.#text = this.#isOver ? '' : this.#text.slice(digits);
  }
}
