/**
 * Estimates the width of a text without a font, from each character's share of the font size in DejaVu Sans, the widest
 * of the fonts that the style lists.
 */

const advances: readonly (readonly [characters: RegExp, share: number])[] = [
  [/[ijl.,:'|! ]/, 0.32],
  [/[tfr()-]/, 0.41],
  [/[mwMW@]/, 0.95],
  [/[A-Z]/, 0.7],
];
const usualAdvance = 0.62;
const boldness = 1.12;

export function textWidth(text: string, size: number, isBold = false): number {
  const shares = [...text].map((each) => advances.find(([characters]) => characters.test(each))?.[1] ?? usualAdvance);
  return shares.reduce((sum, share) => sum + share, 0) * size * (isBold ? boldness : 1);
}
