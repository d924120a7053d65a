/**
 * Collects bytes that arrive in pieces in one buffer, because thousands of small pieces cost far more memory than their
 * bytes.
 */
const smallest = 4 * 1024;
const nothing = Buffer.alloc(0);

export class GrowingBuffer {
  #bytes = nothing;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(smallest, 2 ** Math.ceil(Math.log2(length))));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** The bytes so far; valid until the next `append`. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    // Releases a large buffer.
    if (this.#bytes.length > smallest) this.#bytes = nothing;
  }
}
