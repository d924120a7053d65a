import { expect } from 'chai';
import { isSoundKey } from '../../src/core/codecs/key-soundness.js';
import { bytes, rfc8032, smallOrderKeys } from './fixtures.js';

/** 2^255 - 19 + offset, little-endian, with the sign bit asked for. */
function fromFieldPrime(offset: number, sign: number): Uint8Array {
  const key = new Uint8Array(32).fill(255);
  key[0] = 0xed + offset;
  key[31] = 0x7f | (sign << 7);
  return key;
}

describe('soundness of a public key', () => {
  it('accepts the keys of RFC 8032', () => {
    for (const { publicKey } of rfc8032) expect(isSoundKey(bytes(publicKey))).to.equal(true);
  });

  for (const key of smallOrderKeys) {
    it(`refuses the small-order key ${key}`, () => {
      expect(isSoundKey(bytes(key))).to.equal(false);
    });
  }

  it('refuses every y that is not below the field prime', () => {
    for (let offset = 0; offset < 19; offset++) {
      expect(isSoundKey(fromFieldPrime(offset, 0)), `p + ${offset}`).to.equal(false);
      expect(isSoundKey(fromFieldPrime(offset, 1)), `p + ${offset}, sign bit`).to.equal(false);
    }
  });

  it('refuses what is not on the curve', () => {
    expect(isSoundKey(bytes('02'.padEnd(64, '0')))).to.equal(false);
  });

  it('refuses other lengths', () => {
    const { publicKey } = rfc8032[0];
    for (const text of ['', publicKey.slice(2), `${publicKey}00`]) expect(isSoundKey(bytes(text))).to.equal(false);
  });

  it('gives the same verdict again from its cache', () => {
    const sound = bytes(rfc8032[1].publicKey);
    const unsound = bytes(smallOrderKeys[4]);
    for (let i = 0; i < 3; i++) {
      expect(isSoundKey(sound)).to.equal(true);
      expect(isSoundKey(unsound)).to.equal(false);
    }
  });

  it('judges the bytes, whatever buffer contains them', () => {
    const wide = new Uint8Array(96);
    wide.set(bytes(rfc8032[0].publicKey), 32);
    expect(isSoundKey(wide.subarray(32, 64))).to.equal(true);
    expect(isSoundKey(wide.subarray(0, 32))).to.equal(false);
  });
});
