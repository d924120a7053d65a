/**
 * Numbers are judged before rounding, and repeated members are refused (docs/reference/requests.md#amounts,
 * docs/reference/requests.md#json-input).
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { guardJson, scanJson, violationOfText } from '../../src/core/json-text.js';

const flaw = (text: string): string | undefined => guardJson(JSON.parse(text), text)?.detail;
const rounded = 'cannot be represented exactly: it would be rounded';
const twice = 'appears twice in one object';

describe('The text of a body', () => {
  for (const number of [
    ...['0.99999999999999999999', '1.0000000000000000001', '4503599627370497.5', '9007199254740990.6'],
    ...['1e-400', '0.1e-330', '99999999999999999999e-20', '-0.99999999999999999999', '1.00000000000000000000001e3'],
    ...[
      '738529527931269425',
      '9007199254740993',
      '-9007199254740993',
      '1152921504606846976',
      '123456789012345678901e2',
      '4503599627370497.4e9',
    ],
  ]) {
    it(`is refused with ${number}, which would become another integer`, () => {
      expect(flaw(`{"amount":${number}}`)).to.equal(`amount: ${rounded}`);
      expect(flaw(`{"a": [1, {"b": [0, ${number} ]}]}`)).to.equal(`a.1.b.1: ${rounded}`);
    });
  }

  for (const number of [
    ...['1', '1.0', '1e0', '1e2', '2.500e3', '25.00', '0.0', '0e99', '100000000000000000000e-18', '9007199254740991.0'],
    ...['0.1', '1.5', '1e-9', '3.141592653589793238462643', '1e300', '4503599627370497.6e9', '5.0', '-5.0', '100E-2'],
    ...[
      '9007199254740991',
      '9007199254740992',
      '9007199254740994',
      '100000000000000000000',
      '1e23',
      '-1.7976931348623157e308',
    ],
  ]) {
    it(`is taken with ${number}, which is what the node shows again, or no integer`, () => {
      expect(flaw(`{"a":${number},"b":[${number}]}`)).to.equal(undefined);
    });
  }

  it('is taken with every integer that comes back with the same value, and with no other one', () => {
    const digits = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 9 }), (integer, zeros) => {
        const shown = JSON.stringify(Number(integer));
        const comesBack = !shown.includes('e') && BigInt(shown) === integer;
        const far = integer <= -(10n ** 21n) || integer >= 10n ** 21n;
        const written = [
          `${integer}`,
          `${integer}.${'0'.repeat(zeros + 1)}`,
          `${integer * 10n ** BigInt(zeros)}e-${zeros}`,
        ];
        for (const each of far ? [] : written) {
          expect(flaw(`{"terms":{"invoice":${each}}}`), each).to.equal(
            comesBack ? undefined : `terms.invoice: ${rounded}`,
          );
        }
      }),
    );
  });

  for (const [text, field] of [
    ['{"a":1,"a":1}', 'a'],
    [String.raw`{"a":1,"\u0061":2}`, 'a'],
    [String.raw`{"x":{"y":[{"k\"":1},{"k\\":1,"k\\":2}]}}`, 'x.y.1.k\\'],
    ['{"a":{"b":1},"c":{"b":1,"d":"{\\"b\\":1","b":null}}', 'c.b'],
    ['{ "1" : 1 , "1" : 2 }', '1'],
    ['{"":0,"":0}', 'body'],
  ] as const) {
    it(`is refused with a member that stands twice: ${text}`, () => {
      expect(flaw(text)).to.equal(`${field}: ${twice}`);
    });
  }

  it('is taken with the same name in different objects, and with what looks like members inside of texts', () => {
    const text = String.raw`{"a":{"a":[{"a":1},{"a":"\"a\":1,\"a\":0.99999999999999999999"}]},"b":"\\","c":"{\"b\":1}"}`;
    expect(flaw(text)).to.equal(undefined);
  });

  it('is read in time that grows with its length alone', () => {
    const bytes = 1_048_576;
    const filled = (part: string, [begin, end] = ['{"a":[', '0]}'] as [string, string]) =>
      begin + part.repeat(Math.floor((bytes - begin.length - end.length) / part.length)) + end;
    const shapes = {
      exponents: filled('1e-301,'),
      points: filled('1.234567890123456,'),
      'one long number': `{"a":0.${'9'.repeat(bytes - 10)}}`,
      'one long exponent': `{"a":1e${'9'.repeat(5)},"b":${'1'.repeat(1_000_000)}.5}`,
      escapes: filled('\\"', ['{"a":"', '"}']),
      backslashes: filled('\\\\', ['{"a":"', '"}']),
      blanks: filled(' '),
      texts: filled('"",'),
      colons: filled(':', ['{"a":"', '"}']),
    };
    for (const [name, text] of Object.entries(shapes)) {
      const { user } = process.cpuUsage();
      scanJson(text);
      violationOfText(text);
      const ms = (process.cpuUsage().user - user) / 1_000;
      // A quadratic scan would take minutes; the bound leaves room for a busy machine.
      expect(ms, name).to.be.below(5_000);
    }
  });
});
