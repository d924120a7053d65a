/** Texts that leave no mark on a page, by name. */
export const invisible: readonly (readonly [name: string, text: string])[] = [
  ['a zero-width space', '\u200b'],
  ['a byte-order mark', '\ufeff'],
  ['a word joiner', '\u2060'],
  ['a soft hyphen', '\u00ad'],
  ['a Hangul filler', '\u3164'],
  ['a half-width Hangul filler', '\uffa0'],
  ['a mark of direction', '\u202e'],
  ['a variation selector', '\ufe0f'],
  ['a tag', '\u{e0041}'],
  ['an empty Braille pattern', '\u2800'],
  ['a control character', '\u0007'],
];
