/**
 * Words as they are searched for (decisions.md, Search): Unicode words, Chinese and Japanese ones too, without case and
 * accents. A text and a keyword are cut in the same way.
 */
import type { WeighedText } from '../../machines/kernel/searched.js';

/** Grows when a text is cut into other words, or a listing is found by other labels. The index names it, with the release of Unicode's own rules. */
const revision = 2;
export const wordRules = `words-${revision}, ICU ${process.versions.icu ?? 'none'}`;

/** Of one resource; further ones of its texts are not found. */
export const mostWords = 400;
/** Code points of a word; further ones don't count. */
export const longestWord = 48;

/** Marks above and below letters. Those of Indic scripts and of kana are letters in their own right. */
const accents =
  /[\u0300-\u036f]|[\u0591-\u05bd]|[\u064b-\u0652]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g;
/** Letters that Unicode doesn't take apart; and the sigma that only ends words. */
const strokes: { readonly [letter: string]: string } = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
};
const stroked = new RegExp(`[${Object.keys(strokes).join('')}]`, 'g');
const between = /[^\p{L}\p{N}\p{M}]+/u;
/** The same of plain texts in lower case, at half the price. */
const plainBetween = /[^a-z0-9]+/;
const plain = /^[\0-\x7f]*$/;

let made: Intl.Segmenter | undefined;
/** Made when it is first needed: its rules take 25 ms to load, in every thread. */
const segmenter = (): Intl.Segmenter => {
  made ??= new Intl.Segmenter('en', { granularity: 'word' });
  return made;
};

/** By way of upper case, since ß has one only there. */
const foldCase = (text: string): string => text.toUpperCase().toLowerCase();

function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return foldCase(text.normalize('NFKD'))
    .normalize('NFKD')
    .replace(accents, '')
    .replace(stroked, (letter) => strokes[letter]!)
    .normalize('NFC');
}

const some = (word: string): boolean => word !== '';
const cut = (word: string): string => (word.length <= longestWord ? word : [...word].slice(0, longestWord).join(''));

/** The words of a text, in its order, as often as they come. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  // What the segmenter would give, and a tenth of its time.
  if (plain.test(folded)) return folded.split(plainBetween).filter(some).map(cut);
  return [...segmenter().segment(folded)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.split(between).filter(some).map(cut));
}

/** Each word of some texts once, with its weight: the sum over the texts that have it. */
export function weighedWords(texts: readonly WeighedText[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [text, weight] of texts) {
    for (const word of new Set(wordsOf(text))) {
      const known = weights.get(word);
      if (known === undefined && weights.size >= mostWords) continue;
      weights.set(word, (known ?? 0) + weight);
    }
  }
  return weights;
}
