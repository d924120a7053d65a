import { expect } from 'chai';
import fc from 'fast-check';
import { canonical, hashOf, sha256Hex } from '../../src/core/canonical.js';
import { AssertionError } from '../../src/core/refusal.js';

const fromBits = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE(0);

/** What RFC 8785 states is in journal-vectors.test.ts. */
describe('canonical JSON: RFC 8785', () => {
  for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000']) {
    it(`the number ${bits} has no form`, () => {
      expect(() => canonical(fromBits(bits))).to.throw(AssertionError);
    });
  }

  it('leaves undefined members out, as JSON.stringify does', () => {
    expect(canonical({ a: undefined, b: 1, c: [undefined] })).to.equal('{"b":1,"c":[null]}');
    expect(canonical({})).to.equal('{}');
  });

  it('has no form for functions, symbols and big integers', () => {
    for (const value of [() => 1, Symbol('x'), 1n]) expect(() => canonical(value)).to.throw(AssertionError);
  });

  it('means the same as the value, whatever the value, and is the same however often it is taken', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonical(value);
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)));
        expect(canonical(JSON.parse(text))).to.equal(text);
      }),
    );
  });

  it('does not depend on the order in which members were written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonical(reversed)).to.equal(canonical(value));
      }),
    );
  });
});

describe('hashes', () => {
  it('are SHA-256 in lower-case hex', () => {
    expect(sha256Hex('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex(Buffer.from('abc'))).to.equal(sha256Hex('abc'));
    expect(hashOf({ b: 1, a: 2 })).to.equal(sha256Hex('{"a":2,"b":1}'));
  });
});
