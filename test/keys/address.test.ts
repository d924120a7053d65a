import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { expect } from 'chai';
import { addressOf, parseAccount, parseAddress } from '../../src/core/codecs/address.js';
import { didOf, publicKeyOf } from '../../src/core/codecs/did.js';
import { signerOf } from '../../src/keys/signing.js';
import { bytes, rfc8032, smallOrderKeys } from './fixtures.js';

const [{ address, did, publicKey }] = rfc8032;

function spelled(key: Uint8Array, options: { version?: number; extra?: number[] } = {}): string {
  const checksum = createHash('sha256').update(key).digest().subarray(0, 4);
  return `svc${bs58.encode(Uint8Array.from([options.version ?? 0, ...key, ...checksum, ...(options.extra ?? [])]))}`;
}

describe('account address', () => {
  for (const vector of rfc8032) {
    it(`of ${vector.did} is ${vector.address}`, () => {
      expect(addressOf(vector.did)).to.equal(vector.address);
      expect(parseAddress(vector.address)).to.equal(vector.did);
      expect(parseAddress(vector.address)).to.equal(vector.did);
      expect(vector.address).to.match(/^svc1/);
    });
  }

  it('is refused when any one character is changed', () => {
    for (let at = 0; at < address.length; at++) {
      const changed = address[at] === '2' ? '3' : '2';
      expect(parseAddress(address.slice(0, at) + changed + address.slice(at + 1)), String(at)).to.equal(undefined);
    }
  });

  it('is refused when two neighbours are swapped', () => {
    for (let at = 4; at < address.length - 1; at++) {
      if (address[at] === address[at + 1]) continue;
      const swapped = address.slice(0, at) + address[at + 1] + address[at] + address.slice(at + 2);
      expect(parseAddress(swapped), String(at)).to.equal(undefined);
    }
  });

  it('is refused with a wrong checksum, version or length', () => {
    const wrongChecksum = Uint8Array.from([0, ...bytes(publicKey), 1, 2, 3, 4]);
    expect(parseAddress(`svc${bs58.encode(wrongChecksum)}`)).to.equal(undefined);
    expect(parseAddress(spelled(bytes(publicKey), { version: 1 }))).to.equal(undefined);
    expect(parseAddress(spelled(bytes(publicKey), { extra: [0] }))).to.equal(undefined);
    expect(parseAddress(spelled(bytes(publicKey).subarray(1)))).to.equal(undefined);
    for (const text of ['', 'svc', 'svc1', `${address} `, `SVC${address.slice(3)}`, `svc${'1'.repeat(100_000)}`]) {
      expect(parseAddress(text), text.slice(0, 60)).to.equal(undefined);
    }
  });

  it('spells leading zero bytes of a key, and is refused with a byte more', () => {
    const seed = new Uint8Array(32);
    let key = publicKeyOf(signerOf(seed).did);
    // A small second byte keeps the longer text within the length that is examined.
    for (let draw = 1; key[0] !== 0 || key[1]! > 0x70; draw++) {
      new DataView(seed.buffer).setUint32(0, draw);
      key = publicKeyOf(signerOf(seed).did);
    }
    const zeroAddress = spelled(key);
    expect(zeroAddress).to.match(/^svc11/);
    expect(addressOf(didOf(key))).to.equal(zeroAddress);
    expect(parseAddress(zeroAddress)).to.equal(didOf(key));
    expect(parseAddress(spelled(key, { extra: [0] }))).to.equal(undefined);
  });

  it('is refused for a small-order key, whatever the checksum', () => {
    for (const key of smallOrderKeys) expect(parseAddress(spelled(bytes(key))), key).to.equal(undefined);
  });

  it('and DID are two spellings of one account', () => {
    expect(parseAccount(address)).to.equal(did);
    expect(parseAccount(did)).to.equal(did);
    expect(parseAccount(rfc8032[0].bareDid)).to.equal(did);
    expect(parseAccount('0x52908400098527886E0F7030069857D2E4169EE7')).to.equal(undefined);
    expect(parseAddress(did)).to.equal(undefined);
  });
});
