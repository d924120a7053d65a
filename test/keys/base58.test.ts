import { expect } from 'chai';
import fc from 'fast-check';
import { decodeBase58, encodeBase58 } from '../../src/core/codecs/base58.js';

describe('base58', () => {
  it('reads back what it writes, leading zeros too', () => {
    const leadingZeros = fc.tuple(fc.nat(5), fc.uint8Array({ maxLength: 120 })).map(([zeros, rest]) => {
      const input = new Uint8Array(zeros + rest.length);
      input.set(rest, zeros);
      return input;
    });
    fc.assert(
      fc.property(leadingZeros, (input) => {
        expect(decodeBase58(encodeBase58(input))).to.deep.equal(input);
      }),
      { numRuns: 200 },
    );
  });

  it('takes the extremes: all bits set, the longest input', () => {
    for (const size of [1, 2, 3, 63, 64, 65, 128]) {
      const input = new Uint8Array(size).fill(255);
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
});
