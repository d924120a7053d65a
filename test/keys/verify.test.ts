import { createHash } from 'node:crypto';
import * as noble from '@noble/ed25519';
import { expect } from 'chai';
import { decodeBase58, encodeBase58 } from '../../src/core/codecs/base58.js';
import { isSoundKey, verify } from '../../src/core/codecs/signature-check.js';
import { bytes, rfc8032, smallOrderKeys } from './fixtures.js';

const [, { publicKey, message, signature }] = rfc8032;
const key = bytes(publicKey);
const raw = decodeBase58(signature)!;

noble.hashes.sha512 = (text) => Uint8Array.from(createHash('sha512').update(text).digest());

/** The group order, little-endian. */
const order = bytes('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

/** The same signature with S + order in place of S, the classic malleability. */
function malleated(): Uint8Array {
  const changed = raw.slice();
  let carry = 0;
  for (let i = 0; i < 32; i++) {
    const sum = changed[32 + i]! + order[i]! + carry;
    changed[32 + i] = sum & 255;
    carry = sum >> 8;
  }
  return changed;
}

describe('verify', () => {
  for (const vector of rfc8032) {
    it(`accepts the RFC 8032 signature of key ${vector.publicKey.slice(0, 8)}`, () => {
      expect(verify(bytes(vector.publicKey), bytes(vector.message), vector.signature)).to.equal(true);
    });
  }

  it('takes a string for its UTF-8 bytes', () => {
    expect(verify(key, 'r', signature)).to.equal(true);
  });

  it('refuses another message, key or signature', () => {
    expect(verify(key, bytes('73'), signature)).to.equal(false);
    expect(verify(bytes(rfc8032[0].publicKey), bytes(message), signature)).to.equal(false);
    for (let at = 0; at < 64; at += 7) {
      const changed = raw.slice();
      changed[at]! ^= 1;
      expect(verify(key, bytes(message), encodeBase58(changed)), String(at)).to.equal(false);
    }
  });

  it('refuses texts that are no signature', () => {
    const shorter = encodeBase58(raw.subarray(1));
    const longer = encodeBase58(Uint8Array.from([...raw, 0]));
    for (const text of [
      '',
      '0',
      signature.slice(1),
      `1${signature}`,
      `${signature} `,
      shorter,
      longer,
      '2'.repeat(99_999),
    ]) {
      expect(verify(key, bytes(message), text), text.slice(0, 99)).to.equal(false);
    }
  });

  it('refuses a signature whose S was raised by the group order', () => {
    expect(verify(key, bytes(message), encodeBase58(malleated()))).to.equal(false);
  });

  it('refuses a small-order key, under which a made-up signature satisfies the equation', () => {
    const identity = smallOrderKeys[0];
    const forged = new Uint8Array(64);
    forged[0] = 1;
    // Old versions of OpenSSL accept it too.
    expect(noble.verify(forged, Buffer.from('anything'), bytes(identity), { zip215: true })).to.equal(true);
    expect(verify(bytes(identity), 'anything', encodeBase58(forged))).to.equal(false);
    for (const weak of smallOrderKeys)
      expect(verify(bytes(weak), 'anything', encodeBase58(forged)), weak).to.equal(false);
  });

  it('refuses keys of another length without throwing', () => {
    for (const wrong of [new Uint8Array(0), key.subarray(1), Uint8Array.from([...key, 0])]) {
      expect(verify(wrong, bytes(message), signature)).to.equal(false);
    }
  });

  it('exposes the check of keys', () => {
    expect(isSoundKey(key)).to.equal(true);
  });
});
