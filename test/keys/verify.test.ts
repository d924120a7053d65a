import { createHash, createPublicKey, randomBytes, verify as verifyBytes } from 'node:crypto';
import * as noble from '@noble/ed25519';
import { expect } from 'chai';
import { isOfSmallOrder } from '../../src/core/codecs/key-soundness.js';
import { isSoundKey, verify } from '../../src/core/codecs/signature-check.js';
import { bytes, rfc8032, smallOrderKeys } from './fixtures.js';

const base64url = (signed: Uint8Array): string => Buffer.from(signed).toString('base64url');

const [, { publicKey, message, signature }] = rfc8032;
const key = bytes(publicKey);
const raw = Buffer.from(signature, 'base64url');

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

const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;
const numberOf = (little: Uint8Array): bigint => BigInt(`0x${Buffer.from(little).reverse().toString('hex')}`);
const littleOf = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
const scalar = (): bigint => numberOf(randomBytes(40)) % groupOrder;
const smallOrder = new Map(
  smallOrderKeys.map((hex) => noble.Point.fromBytes(bytes(hex), true)).map((point) => [point.toHex(), point]),
);

/** A key and a signature by its holder, with these points added to the key and to R. */
function signedOddly(toKey = noble.Point.ZERO, toR = noble.Point.ZERO, nonce = scalar()) {
  const [secret, text] = [scalar(), randomBytes(20)];
  const publicKey = noble.Point.BASE.multiply(secret).add(toKey).toBytes();
  const r = (nonce === 0n ? noble.Point.ZERO : noble.Point.BASE.multiply(nonce)).add(toR).toBytes();
  const challenge = numberOf(createHash('sha512').update(r).update(publicKey).update(text).digest()) % groupOrder;
  const signed = Buffer.concat([r, littleOf((nonce + challenge * secret) % groupOrder)]);
  return { publicKey, text, signed };
}

function opensslAccepts({ publicKey, text, signed }: ReturnType<typeof signedOddly>): boolean {
  const key = Buffer.concat([bytes('302a300506032b6570032100'), publicKey]);
  return verifyBytes(null, text, createPublicKey({ key, format: 'der', type: 'spki' }), signed);
}

const accepts = ({ publicKey, text, signed }: ReturnType<typeof signedOddly>): boolean =>
  verify(publicKey, text, base64url(signed));

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
      expect(verify(key, bytes(message), base64url(changed)), String(at)).to.equal(false);
    }
  });

  it('refuses texts that are no signature', () => {
    const shorter = base64url(raw.subarray(1));
    const longer = base64url(Uint8Array.from([...raw, 0]));
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
    expect(verify(key, bytes(message), base64url(malleated()))).to.equal(false);
  });

  it('refuses a small-order key, under which a made-up signature satisfies the equation', () => {
    const identity = smallOrderKeys[0];
    const forged = new Uint8Array(64);
    forged[0] = 1;
    // Old versions of OpenSSL accept it too.
    expect(noble.verify(forged, Buffer.from('anything'), bytes(identity), { zip215: true })).to.equal(true);
    expect(verify(bytes(identity), 'anything', base64url(forged))).to.equal(false);
    for (const weak of smallOrderKeys) expect(verify(bytes(weak), 'anything', base64url(forged)), weak).to.equal(false);
  });

  it('refuses an R with a small-order part, which the equation without its cofactor does not fit', () => {
    for (const part of smallOrder.values()) {
      const odd = signedOddly(noble.Point.ZERO, part);
      expect(noble.verify(odd.signed, odd.text, odd.publicKey, { zip215: true })).to.equal(true);
      expect(accepts(odd), part.toHex()).to.equal(part.equals(noble.Point.ZERO));
    }
  });

  it('refuses an R of small order, which OpenSSL of some versions of Node.js accepts', () => {
    const odd = [...smallOrder.values()].map((part) => signedOddly(noble.Point.ZERO, part, 0n));
    expect(new Set(odd.map(({ signed }) => signed.subarray(0, 32).toString('hex')))).to.have.length(8);
    for (const each of odd) {
      expect(isOfSmallOrder(each.signed.subarray(0, 32))).to.equal(true);
      expect(accepts(each)).to.equal(false);
    }
    expect(isOfSmallOrder(raw.subarray(0, 32))).to.equal(false);
  });

  it('decides as OpenSSL does for keys and R with a small-order part', () => {
    let accepted = 0;
    for (const toKey of smallOrder.values())
      for (const toR of smallOrder.values()) {
        const odd = signedOddly(toKey, toR);
        accepted += Number(accepts(odd));
        expect(accepts(odd)).to.equal(opensslAccepts(odd));
      }
    expect(accepted).to.be.greaterThan(1);
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
