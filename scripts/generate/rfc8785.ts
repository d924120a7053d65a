/** Facts that RFC 8785 states. */

const lines = `
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

/** Appendix B: the bits of an IEEE 754 double, and its text. */
export const rfc8785Numbers = lines
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [bits: string, text: string])
  .map(([bits, text]) => ({ bits, text }));

/** JSON as it comes, and its canonical form. */
export const rfc8785Values = [
  {
    source: 'RFC 8785, 3.2.2 and 3.2.4',
    json: String.raw`{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`,
    canonical: String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  },
  {
    source: 'RFC 8785, 3.2.3',
    json: String.raw`{
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face",
  "\u0080": "Control",
  "\u00f6": "Latin Small Letter O With Diaeresis"
}`,
    canonical:
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
      '"€":"Euro Sign","\u{1f600}":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  },
  {
    source: 'ECMA-262, Number::toString, which RFC 8785 prescribes',
    json: '[1e21, 1e20, 123456789012345680000, 1e-7, 0.000001, 0.00001, -0, -0.0, 100, 1.5, 5e-324, 1.7976931348623157e308]',
    canonical:
      '[1e+21,100000000000000000000,123456789012345680000,1e-7,0.000001,0.00001,0,0,100,1.5,5e-324,1.7976931348623157e+308]',
  },
  {
    source: 'RFC 8785, 3.2.2.2',
    json: String.raw`"\u0000\b\t\n\f\r\u001f\"\\\/\u007f\u2028é"`,
    canonical: `${String.raw`"\u0000\b\t\n\f\r\u001f\"\\/`}\u007f\u2028é"`,
  },
  {
    source: 'numeric names sort as text',
    json: '{"b":{"10":1,"9":2},"a":[{"d":1,"c":2}]}',
    canonical: '{"a":[{"c":2,"d":1}],"b":{"10":1,"9":2}}',
  },
];
