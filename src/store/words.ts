/**
 * The words of a search (docs/reference/markets.md#search): Unicode words, Chinese and Japanese included, without case
 * and accents. Texts and keywords are split in the same way.
 */
import type { WeighedText } from '../machines/kernel/searched.js';

/**
 * Increased when texts are split into other words, or listings get other labels. Stored in the index, with the version
 * of Unicode's rules.
 */
const revision = 5;
export const wordRules = `words-${revision}, ICU ${process.versions.icu ?? 'none'}`;

/** The most words per resource; later ones are not found. */
export const mostWords = 256;
/** The most code points of a word; further ones are ignored. */
export const longestWord = 48;
/**
 * How much of one resource's texts is read: words including repetitions, and UTF-16 units after folding, which may turn
 * one letter into 18.
 */
const mostRead = { words: 4 * mostWords, units: 20_000 } as const;
/** UTF-16 units that are segmented at once, and marks in a row that are kept: both take quadratic time. */
const longestPiece = 1_000;
const longMarks = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu;

/** What has no form: soft hyphens, joiners, variation selectors. Not U+200B, which separates words. */
const ignorable = /(?!\u200b)\p{DI}/gu;
/**
 * Accents and points: the marks of scripts that can be written without them, and those of no script. Marks of other scripts are
 * vowels, and those of kana make other letters.
 */
const points =
  /(?!\p{scx=Hira})(?=[\p{sc=Zinh}\p{sc=Cyrl}\p{sc=Copt}\p{sc=Hebr}\p{sc=Samr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Mand}\p{sc=Nkoo}\p{sc=Ethi}])[\p{Mn}\p{Me}]/gu;
/** Letters that Unicode does not decompose; and the final sigma. */
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
/** No word begins with a mark. */
const between = /[^\p{L}\p{N}\p{M}]+\p{M}*|^\p{M}+/u;
/** The same split for plain lower-case texts, at half the cost. */
const plainBetween = /[^a-z0-9]+/;
const plain = /^[\0-\x7f]*$/;
/** A script with spaces between its own words, but not between its words and those of other scripts. */
const hangul = /\p{sc=Hang}+/gu;
/** Scripts without spaces between words, which are segmented by dictionary. */
const unspaced = /[\p{Ideographic}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const spoken = /[\p{L}\p{N}]/u;
/** Characters with which a piece can't begin: a mark, or half of a surrogate pair. */
const dependent = /^[\p{M}\p{Cs}]/u;

let made: Intl.Segmenter | undefined;
/** Created on first use: loading its rules takes 25 ms in every thread. */
const segmenter = (): Intl.Segmenter => {
  made ??= new Intl.Segmenter('en', { granularity: 'word' });
  return made;
};

const iota = '\u0345';
const mark = /\p{M}/u;
const greek = /\p{sc=Grek}/u;

/** Without iotas below letters that are not Greek: this is the one mark whose capital is a letter. */
function withoutOddIotas(text: string): string {
  if (!text.includes(iota)) return text;
  let isGreek = false;
  let kept = '';
  for (const character of text) {
    if (character === iota && !isGreek) continue;
    if (!mark.test(character)) isGreek = greek.test(character);
    kept += character;
  }
  return kept;
}

/** Through upper case, because ß has a single form only there. */
const foldCase = (text: string): string => withoutOddIotas(text).toUpperCase().toLowerCase();

/** Without case, accents and what has no form. */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  const apart = text.replace(ignorable, '').replace(longMarks, '$1').normalize('NFKD').slice(0, mostRead.units);
  return foldCase(apart)
    .normalize('NFKD')
    .replace(points, '')
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
  // Gives the segmenter's result in a tenth of its time.
  const runs = plain.test(folded) ? folded.split(plainBetween) : folded.replace(hangul, ' $& ').split(between);
  for (const run of runs) {
    if (!spoken.test(run)) continue;
    if (!unspaced.test(run)) yield cut(run);
    else for (const piece of piecesOf(run)) yield* segmented(piece);
  }
}

/** The words of a text in order, with repetitions. */
export const searchWords = (text: string): string[] => [...wordsIn(fold(text))];

/**
 * The distinct words of some texts, each with its weight: the sum over the texts that contain it, as far as they are
 * read.
 */
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
