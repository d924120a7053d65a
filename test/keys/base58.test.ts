import bs58 from 'bs58';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeBase58, encodeBase58 } from '../../src/keys/base58.js';
import { bytes, rfc8032 } from './fixtures.js';

describe('base58', () => {
  it('writes what bs58 writes, and reads it back', () => {
    const leadingZeros = fc.tuple(fc.nat(5), fc.uint8Array({ maxLength: 120 })).map(([zeros, rest]) => {
      const input = new Uint8Array(zeros + rest.length);
      input.set(rest, zeros);
      return input;
    });
    fc.assert(
      fc.property(leadingZeros, (input) => {
        const text = encodeBase58(input);
        expect(text).to.equal(bs58.encode(input));
        expect(decodeBase58(text)).to.deep.equal(input);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads every text as bs58 reads it', () => {
    const digit = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
    fc.assert(
      fc.property(fc.string({ unit: digit, maxLength: 100 }), (text) => {
        expect(decodeBase58(text)).to.deep.equal(bs58.decode(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the extremes: all bits set, the longest input', () => {
    for (const size of [1, 2, 3, 63, 64, 65, 128]) {
      const input = new Uint8Array(size).fill(255);
      expect(encodeBase58(input)).to.equal(bs58.encode(input));
      expect(decodeBase58(encodeBase58(input))).to.deep.equal(input);
    }
  });

  it('refuses what is not base58btc', () => {
    for (const text of ['0', 'O', 'I', 'l', ' 2', '2 ', '2\n', 'é', '\ud800', '2-2', '２']) {
      expect(decodeBase58(text), JSON.stringify(text)).to.equal(undefined);
    }
  });

  it('refuses a long text without working on it', () => {
    expect(decodeBase58('2'.repeat(1_000_000))).to.equal(undefined);
    expect(decodeBase58('1'.repeat(176))).to.equal(undefined);
  });

  it('gives the signatures of RFC 8032', () => {
    expect(decodeBase58(rfc8032[0].signature)).to.deep.equal(
      bytes(
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      ),
    );
  });
});
