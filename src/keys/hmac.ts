/**
 * HMAC-SHA256 (RFC 2104) of texts, on the path of every signed write: two one-shot hashes. An Hmac object of node:crypto
 * would have to be collected again, which under load costs several times what it computes.
 */
import { hash } from 'node:crypto';
import { assert } from '../machines/kernel/refusal.js';

const blockBytes = 64;
const hashBytes = 32;
const innerPad = 0x36;
const outerPad = 0x5c;

export class Hmac {
  /** The padded key, and behind it the text or the inner hash. Larger than what V8 would keep on its heap. */
  readonly #inner: Buffer;
  readonly #outer = Buffer.alloc(blockBytes + hashBytes);

  /** @param key at most 64 bytes @param longestBytes of UTF-8, of a text */
  constructor(
    key: Uint8Array,
    private readonly longestBytes: number,
  ) {
    assert(key.length <= blockBytes, 'a longer key would be hashed first');
    this.#inner = Buffer.alloc(blockBytes + longestBytes);
    for (let i = 0; i < blockBytes; i++) {
      const byte = key[i] ?? 0;
      this.#inner[i] = byte ^ innerPad;
      this.#outer[i] = byte ^ outerPad;
    }
  }

  /** The 32 bytes; nothing of the text stays behind. */
  of(text: string): Buffer {
    assert(Buffer.byteLength(text) <= this.longestBytes, 'a text has its bound');
    const end = blockBytes + this.#inner.write(text, blockBytes, 'utf8');
    this.#outer.write(hash('sha256', this.#inner.subarray(0, end), 'hex'), blockBytes, 'hex');
    this.#inner.fill(0, blockBytes, end);
    return hash('sha256', this.#outer, 'buffer');
  }
}
