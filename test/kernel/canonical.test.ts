import { expect } from 'chai';
import fc from 'fast-check';
import { canonical, hashOf, sha256Hex } from '../../src/core/canonical.js';
import { AssertionError } from '../../src/core/refusal.js';

/** RFC 8785, appendix B: IEEE 754 bits and their text. */
const numbers = `
0000000000000000 0
8000000000000000 0
0000000000000001 5e-324
8000000000000001 -5e-324
7fefffffffffffff 1.7976931348623157e+308
ffefffffffffffff -1.7976931348623157e+308
4340000000000000 9007199254740992
c340000000000000 -9007199254740992
4430000000000000 295147905179352830000
44b52d02c7e14af5 9.999999999999997e+22
44b52d02c7e14af6 1e+23
44b52d02c7e14af7 1.0000000000000001e+23
444b1ae4d6e2ef4e 999999999999999700000
444b1ae4d6e2ef4f 999999999999999900000
444b1ae4d6e2ef50 1e+21
3eb0c6f7a0b5ed8c 9.999999999999997e-7
3eb0c6f7a0b5ed8d 0.000001
41b3de4355555553 333333333.3333332
41b3de4355555554 333333333.33333325
41b3de4355555555 333333333.3333333
41b3de4355555556 333333333.3333334
41b3de4355555557 333333333.33333343
becbf647612f3696 -0.0000033333333333333333
43143ff3c1cb0959 1424953923781206.2`;

const fromBits = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE(0);

describe('canonical JSON: RFC 8785', () => {
  for (const line of numbers.trim().split('\n')) {
    const [bits, text] = line.split(' ') as [string, string];
    it(`the number ${bits} is ${text}`, () => {
      expect(canonical(fromBits(bits))).to.equal(text);
    });
  }

  for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000']) {
    it(`the number ${bits} has no form`, () => {
      expect(() => canonical(fromBits(bits))).to.throw(AssertionError);
    });
  }

  it('serialises the example of section 3.2.2', () => {
    const input = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    const text = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    expect(canonical(JSON.parse(input))).to.equal(text);
    expect(Buffer.from(canonical('€')).toString('hex'), 'UTF-8').to.equal('22e282ac22');
  });

  it('sorts keys by UTF-16 code units, as the example of section 3.2.3', () => {
    const input = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect([...canonical(input).matchAll(/"([^"]*)":/g)].map(([, key]) => key)).to.deep.equal([
      '\\r',
      '1',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
  });

  it('sorts numeric keys as text, and within nested objects', () => {
    expect(canonical({ b: { 10: 1, 9: 2, a: [{ d: 1, c: 2 }] }, a: [] })).to.equal(
      '{"a":[],"b":{"10":1,"9":2,"a":[{"c":2,"d":1}]}}',
    );
  });

  it('escapes what must be escaped, the short way where there is one, and nothing else', () => {
    expect(canonical('\u0000\b\t\n\f\r\u001f"\\/\u007f\u2028é')).to.equal(
      `${String.raw`"\u0000\b\t\n\f\r\u001f\"\\/`}\u007f\u2028é"`,
    );
  });

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
