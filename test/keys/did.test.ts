import bs58 from 'bs58';
import { expect } from 'chai';
import { didOf, parseDid, publicKeyOf } from '../../src/core/codecs/did.js';
import { AssertionError } from '../../src/core/refusal.js';
import { bytes, rfc8032, smallOrderKeys } from './fixtures.js';

const [{ did, bareDid, publicKey }] = rfc8032;
const spelled = (...parts: number[][]): string => `did:svc:z${bs58.encode(Uint8Array.from(parts.flat()))}`;
const key = [...bytes(publicKey)];

describe('DID', () => {
  for (const vector of rfc8032) {
    it(`of key ${vector.publicKey.slice(0, 8)} is ${vector.did}`, () => {
      expect(didOf(bytes(vector.publicKey))).to.equal(vector.did);
      expect(parseDid(vector.did)).to.equal(vector.did);
      expect(publicKeyOf(vector.did)).to.deep.equal(bytes(vector.publicKey));
      expect(vector.did).to.match(/^did:svc:z6Mk/);
    });

    it(`is normalised from the bare spelling ${vector.bareDid}`, () => {
      expect(parseDid(vector.bareDid)).to.equal(vector.did);
      expect(parseDid(vector.bareDid)).to.equal(vector.did);
    });
  }

  it('is refused with another prefix', () => {
    const name = did.slice('did:svc:z'.length);
    for (const prefix of [
      '',
      'did:svc:',
      'did:svc:Z',
      'did:SVC:z',
      'DID:svc:z',
      'did:key:z',
      ' did:svc:z',
      'did:svc:zz',
    ]) {
      expect(parseDid(prefix + name), prefix).to.equal(undefined);
    }
  });

  it('is refused where it is not base58btc', () => {
    for (const character of ['0', 'O', 'I', 'l', '+', ' ', 'é']) {
      expect(parseDid(did.slice(0, -1) + character), character).to.equal(undefined);
    }
    for (const text of [`${did} `, `${did}\n`, ` ${did}`, `${did}\0`, '', 'did:svc:z']) {
      expect(parseDid(text), JSON.stringify(text)).to.equal(undefined);
    }
  });

  it('is refused with another length', () => {
    expect(parseDid(spelled([0xed, 0x01], key.slice(1)))).to.equal(undefined);
    expect(parseDid(spelled([0xed, 0x01], key, [0]))).to.equal(undefined);
    expect(parseDid(spelled(key.slice(1)))).to.equal(undefined);
    expect(parseDid(spelled([0xed], key))).to.equal(undefined);
    expect(parseDid(spelled([0], key))).to.equal(undefined);
    expect(parseDid(`did:svc:z${'2'.repeat(100_000)}`)).to.equal(undefined);
  });

  it('is refused with another multicodec', () => {
    for (const codec of [
      [0xe7, 0x01],
      [0xec, 0x01],
      [0xed, 0x00],
      [0x01, 0xed],
      [0x00, 0x00],
    ]) {
      expect(parseDid(spelled(codec, key)), String(codec)).to.equal(undefined);
    }
  });

  it('is refused for small-order and non-canonical keys, in either spelling', () => {
    for (const text of smallOrderKeys) {
      const weak = [...bytes(text)];
      expect(parseDid(spelled([0xed, 0x01], weak)), text).to.equal(undefined);
      expect(parseDid(spelled(weak)), text).to.equal(undefined);
    }
  });

  it('gives the key as a copy, which the caller may change', () => {
    publicKeyOf(did).fill(0);
    expect(publicKeyOf(did)).to.deep.equal(bytes(publicKey));
  });

  it('has a key only when it is normalised', () => {
    expect(() => publicKeyOf(bareDid)).to.throw(AssertionError);
    expect(() => publicKeyOf('did:svc:znonsense')).to.throw(AssertionError);
    expect(() => didOf(new Uint8Array(31))).to.throw(AssertionError);
  });
});
