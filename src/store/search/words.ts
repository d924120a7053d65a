/**
 * Words as they are searched for (docs/reference/markets.md#search): Unicode words, Chinese and Japanese ones too,
 * without case and accents. A text and a keyword are cut in the same way.
 */
import type { WeighedText } from '../../machines/kernel/searched.js';

/** Grows when a text is cut into other words, or a listing is found by other labels. The index names it, with the release of Unicode's own rules. */
const revision = 3;
export const wordRules = `words-${revision}, ICU ${process.versions.icu ?? 'none'}`;

/** Of one resource; what follows in its texts is not found. */
export const mostWords = 256;
/** Code points of a word; further ones don't count. */
export const longestWord = 48;
/** What is read of one resource's texts: words, as often as they come, and UTF-16 units once folded, which may be 18 for a letter. */
const mostRead = { words: 4 * mostWords, units: 20_000 } as const;
/** UTF-16 units segmented at once, and marks kept in a row: segmenting and normalising cost the square of these. */
const longestPiece = 1_000;
const longMarks = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu;

/** Marks above and below letters. Those of Indic scripts and of kana are letters in their own right. */
const accents =
  /[\u0300-\u036f]|[\u0591-\u05bd]|[\u064b-\u0652]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g;
/** Letters that Unicode doesn't take apart; and the sigma that only ends words. */
const stroked = /[øłđħŧæœıς]/g;
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
const between = /[^\p{L}\p{N}\p{M}]+/u;
/** The same of plain texts in lower case, at half the price. */
const plainBetween = /[^a-z0-9]+/;
const plain = /^[\0-\x7f]*$/;
/** A script that puts spaces between its words, but not between them and those of others. */
const hangul = /\p{sc=Hang}+/gu;
/** Scripts that put nothing between words: these are found by dictionary. */
const unspaced = /[\p{Ideographic}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const spoken = /[\p{L}\p{N}]/u;
/** What a piece can't begin with: a mark, or half a letter. */
const dependent = /^[\p{M}\p{Cs}]/u;

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
  const apart = text.replace(longMarks, '$1').normalize('NFKD').slice(0, mostRead.units);
  return foldCase(apart)
    .normalize('NFKD')
    .replace(accents, '')
    .replace(stroked, (letter) => strokes[letter]!)
    .normalize('NFC');
}

const cut = (word: string): string =>
  word.length <= longestWord ? word : [...word.slice(0, 2 * longestWord)].slice(0, longestWord).join('');

function* piecesOf(run: string): Generator<string> {
  for (let from = 0, to = 0; from < run.length; from = to) {
    to = Math.min(from + longestPiece, run.length);
    while (to < run.length && to > from + 1 && dependent.test(run.slice(to, to + 2))) to -= 1;
    yield run.slice(from, to);
  }
}

function* segmented(piece: string): Generator<string> {
  for (const { segment, isWordLike } of segmenter().segment(piece)) if (isWordLike) yield cut(segment);
}

function* wordsIn(folded: string): Generator<string> {
  // What the segmenter would give, and a tenth of its time.
  const runs = plain.test(folded) ? folded.split(plainBetween) : folded.replace(hangul, ' $& ').split(between);
  for (const run of runs) {
    if (!spoken.test(run)) continue;
    if (!unspaced.test(run)) yield cut(run);
    else for (const piece of piecesOf(run)) yield* segmented(piece);
  }
}

/** The words of a text, in its order, as often as they come. */
export const wordsOf = (text: string): string[] => [...wordsIn(fold(text))];

/** Each word of some texts once, with its weight: the sum over the texts that have it, as far as they are read. */
export function weighedWords(texts: readonly WeighedText[]): Map<string, number> {
  const weights = new Map<string, number>();
  const left: { words: number; units: number } = { ...mostRead };
  for (const [text, weight] of texts) {
    const folded = fold(text).slice(0, left.units);
    left.units -= folded.length;
    const own = new Set<string>();
    for (const word of wordsIn(folded)) {
      if (left.words === 0 || weights.size === mostWords) return weights;
      left.words -= 1;
      if (own.has(word)) continue;
      own.add(word);
      weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  }
  return weights;
}
